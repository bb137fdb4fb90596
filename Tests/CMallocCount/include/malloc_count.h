#pragma once

/// Counts the allocations and the copied bytes of this thread from now on.
void overline_begin_counting(void);

/// The number of allocations of this thread since then.
long overline_allocations(void);

/// The number of bytes that this thread has copied since then with memcpy(3) and memmove(3).
long overline_copied_bytes(void);
