#include "version.h"

uint64_t cversion_commit(void) { return OVERLINE_COMMIT; }
