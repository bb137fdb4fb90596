#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

// glibc 2.36. A caller cannot handle an error; glibc's own aborts too.
uint32_t arc4random(void) {
  uint32_t value;
  while (getrandom(&value, sizeof value, 0) != sizeof value) {
    if (errno != EINTR) abort();
  }
  return value;
}

// glibc 2.35 gave hypotf a new version. This one does not set errno. The square of a float is exact in a double.
float hypotf(float x, float y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  return (float)__builtin_sqrt((double)x * x + (double)y * y);
}

#ifdef DLFO_STRUCT_HAS_EH_DBASE

struct search {
  uintptr_t address;
  struct dl_find_object *found;
};

static int visit(struct dl_phdr_info *object, size_t size, void *data) {
  struct search *search = data;
  uintptr_t start = 0, end = 0;
  void *frames = NULL;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[i];
    uintptr_t first = object->dlpi_addr + header->p_vaddr;
    if (header->p_type == PT_GNU_EH_FRAME) frames = (void *)first;
    if (header->p_type == PT_LOAD && search->address >= first && search->address < first + header->p_memsz) {
      start = first;
      end = first + header->p_memsz;
    }
  }
  if (end == 0 || frames == NULL) return 0;
  *search->found = (struct dl_find_object){.dlfo_map_start = (void *)start, .dlfo_map_end = (void *)end, .dlfo_eh_frame = frames};
  return 1;
}

// glibc 2.35: the loaded object of an address, for the unwinder of libgcc. That of glibc is faster; nothing here unwinds often.
int _dl_find_object(void *address, struct dl_find_object *found) {
  struct search search = {.address = (uintptr_t)address, .found = found};
  return dl_iterate_phdr(visit, &search) == 1 ? 0 : -1;
}

#endif
