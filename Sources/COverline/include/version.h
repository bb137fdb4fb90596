// The commit that this program was built from. Each commit recompiles this target, as all of its files see the define.
#pragma once
#include <stdint.h>

// The first twelve hexadecimal digits of the commit's name; 0 when the build does not define it (a plain `swift build`, a tarball).
uint64_t cversion_commit(void);
