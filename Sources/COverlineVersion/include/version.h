// The commit that this program was built from. A target of its own: each commit recompiles what imports this, and only the program does.
#pragma once
#include <stdint.h>

// The first twelve hexadecimal digits of the commit's name; 0 when the build does not define it (a plain `swift build`, a tarball).
uint64_t cversion_commit(void);
