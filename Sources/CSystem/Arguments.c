#include "CSystem.h"

#include <stddef.h>

static int count;
static char **arguments;

// glibc hands functions of .init_array what it hands main (call_init in elf/dl-init.c and csu/libc-start.c).
__attribute__((constructor)) static void note_arguments(int argc, char **argv) {
  count = argc;
  arguments = argv;
}

const char *csystem_argument(int index) { return index < count ? arguments[index] : NULL; }
