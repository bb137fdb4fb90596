// What the sanitizers are told. Linked into every program of `make sanitize`, because tests start programs in environments of their own,
// in which no variable would reach them.
//
// Reports go to files, since nobody reads what a program in a pseudoterminal says. LOG is the first part of their names.

// libvterm, which tests compare with, prints a number with `%.s`: C's library reads nothing there, and a sanitizer would.
#define COMMON "check_printf=0:log_path=" LOG

// The search for leaks at a program's end takes longer than most programs. `LeakTests` turns it on where it counts.
const char *__asan_default_options(void) { return "detect_leaks=0:" COMMON; }

const char *__lsan_default_options(void) { return "print_suppressions=0"; }

const char *__tsan_default_options(void) { return COMMON; }

// Swift's Mutex takes and gives a lock that is in demand within its library, where the thread sanitizer does not look: it is told here,
// where the linker leads those calls (`--wrap`). A Swift method has its object in a register of its own.
#ifdef THREAD
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

void __tsan_acquire(void *address);
void __tsan_release(void *address);

// Weak: not every program has that library.
SWIFT __attribute__((weak)) void real_lock(uint32_t thread, SELF mutex) __asm__("__real_" LOCK);
SWIFT __attribute__((weak)) void real_unlock(SELF mutex) __asm__("__real_" UNLOCK);
SWIFT void lock(uint32_t thread, SELF mutex) __asm__("__wrap_" LOCK);
SWIFT void unlock(SELF mutex) __asm__("__wrap_" UNLOCK);

SWIFT void lock(uint32_t thread, SELF mutex) {
  real_lock(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT void unlock(SELF mutex) {
  __tsan_release(mutex);
  real_unlock(mutex);
}
#endif

// What is passed over: only what others do, by name.

const char *__asan_default_suppressions(void) {
  // Swift's backtracer reads the memory of a program that crashed, page by page.
  return "interceptor_via_fun:memserver_read\n";
}

const char *__lsan_default_suppressions(void) {
  // An object knows its table of weak references by a pointer that the runtime shifts, which looks like none.
  return "leak:formWeakReference\n"
         // The parser ends the process while it holds what it has parsed.
         "leak:14ArgumentParser07CommandB0\n";
}
