#include "malloc_count.h"

#include <stddef.h>

// glibc's own functions (malloc/malloc.c), which its names below usually are.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static __thread long allocations;
static __thread long copied_bytes;

void overline_begin_counting(void) { allocations = copied_bytes = 0; }
long overline_allocations(void) { return allocations; }
long overline_copied_bytes(void) { return copied_bytes; }

void *malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  allocations++;
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  allocations++;
  return __libc_realloc(memory, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  allocations++;
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : 12;
}

void *aligned_alloc(size_t alignment, size_t size) {
  allocations++;
  return __libc_memalign(alignment, size);
}

// Volatile, and under no name that the compiler knows: it would make calls of memcpy and memmove of this.
static void *copy(volatile char *to, const volatile char *from, size_t size) {
  copied_bytes += size;
  if (to <= from) {
    for (size_t i = 0; i < size; i++) to[i] = from[i];
  } else {
    for (size_t i = size; i > 0; i--) to[i - 1] = from[i - 1];
  }
  return (void *)to;
}

void *memmove(void *to, const void *from, size_t size) { return copy(to, from, size); }
void *memcpy(void *restrict to, const void *restrict from, size_t size) { return copy(to, from, size); }
