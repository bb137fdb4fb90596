// The sanitizers' options, linked into every program of `make sanitize`: tests start programs with their own environments, without the
// sanitizers' variables.
//
// Reports go to files: a test reads a program's pseudoterminal for other things. LOG is the first part of the files' names.

// libvterm, the tests' reference, prints a number with `%.s`: the C library reads nothing there, but a sanitizer would.
#define COMMON "check_printf=0:log_path=" LOG

// The search for leaks at a program's end takes longer than most programs. `LeakTests` turns it on where it counts.
const char *__asan_default_options(void) { return "detect_leaks=0:" COMMON; }

const char *__lsan_default_options(void) { return "print_suppressions=0"; }

const char *__tsan_default_options(void) { return COMMON; }

// Swift's Mutex takes and releases a contended lock inside its library, which the thread sanitizer does not see. The linker redirects
// those calls here (`--wrap`), and these functions report them. A Swift method gets its object in a register of its own.
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

// Suppressed reports: only of other projects' functions, by name.

const char *__asan_default_suppressions(void) {
  // Swift's backtracer reads the memory of a program that crashed, page by page.
  return "interceptor_via_fun:memserver_read\n";
}

const char *__lsan_default_suppressions(void) {
  // The runtime stores an object's pointer to its table of weak references shifted, so the sanitizer does not recognise it.
  return "leak:formWeakReference\n"
         // The parser ends the process while it holds what it has parsed.
         "leak:14ArgumentParser07CommandB0\n";
}
