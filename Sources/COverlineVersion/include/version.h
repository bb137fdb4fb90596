// The commit that this program was built from. A separate target that only the program imports: each commit recompiles its importers.
#pragma once
#include <stdint.h>

// The first twelve hexadecimal digits of the commit's name; 0 when the build does not define it (a plain `swift build`, a tarball).
uint64_t cversion_commit(void);
