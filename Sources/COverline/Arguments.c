#include "System.h"

#include <signal.h>
#include <stddef.h>

static int count;
static char **arguments;
static sigset_t mask;

// glibc passes the arguments of main to functions of .init_array too (call_init in elf/dl-init.c and csu/libc-start.c).
__attribute__((constructor)) static void note_arguments(int argc, char **argv) {
  count = argc;
  arguments = argv;
  sigprocmask(SIG_SETMASK, NULL, &mask);
}

const char *csystem_argument(int index) { return index < count ? arguments[index] : NULL; }

void csystem_restore_signal_mask(void) { sigprocmask(SIG_SETMASK, &mask, NULL); }
