// The commit that this program was built from. A target of its own: only it is compiled again for each commit.
#pragma once
#include <stdint.h>

// The first twelve hexadecimal digits of the commit's name; 0 when the build was not told (a plain `swift build`, a tarball).
uint64_t cversion_commit(void);
