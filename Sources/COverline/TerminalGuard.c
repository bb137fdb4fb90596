// Signal handlers of a library inside another program. They repair the terminals before a default action of the program's, and before a
// handler that only reports crashes; then they let that action or handler run. They make only async-signal-safe calls.
#define _GNU_SOURCE
#include "System.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

// The terminals to repair, each as its descriptor plus one; 0 is a free place.
enum { MAXIMUM_TERMINALS = 64 };
static _Atomic int terminals[MAXIMUM_TERMINALS];
static int count;
static const void *repair_bytes;
static size_t repair_size;

// The lowest byte counts the signals that are stopping or ending the process. The bits above count those after which the process continued.
static _Atomic unsigned handovers;
enum { TAKEN = 1, GIVEN_BACK = 256 };

static _Atomic int event;

// The signals of a crash. Swift's runtime may handle them, and SIGQUIT, to print a backtrace.
static const int crashes[] = {SIGILL, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGTRAP, SIGSYS, SIGQUIT};
enum { CRASH_COUNT = sizeof crashes / sizeof crashes[0] };
// What handled each before us: nothing, or a handler that ends the process.
static struct sigaction found[CRASH_COUNT];

// The terminal whose modes we have changed, as its descriptor plus one, and its modes before.
static _Atomic int changed;
static struct termios modes;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};

static void hand_over(void) {
  handovers += TAKEN;
  if (changed && tcgetpgrp(changed - 1) == getpgrp()) tcsetattr(changed - 1, TCSANOW, &modes);
  for (int i = 0; i < MAXIMUM_TERMINALS; i++) {
    int fd = terminals[i] - 1;
    if (fd < 0) continue;
    // A program in the background shows nothing on the terminal, and another program uses it.
    pid_t front = tcgetpgrp(fd);
    if (front >= 0 && front != getpgrp()) continue;
    // A write to a stopped terminal (Ctrl-S) would not return, with every signal blocked.
    struct pollfd terminal = {.fd = fd, .events = POLLOUT};
    if (poll(&terminal, 1, 0) <= 0 || !(terminal.revents & POLLOUT)) continue;
    ssize_t ignored = write(fd, repair_bytes, repair_size);
    (void)ignored;
  }
}

static void notify(void) {
  uint64_t one = 1;
  ssize_t ignored = write(event - 1, &one, sizeof one);
  (void)ignored;
}

static void install(int number, void (*handler)(int));

static void end_or_stop(int number) {
  int error = errno;
  hand_over();
  signal(number, SIG_DFL);
  sigset_t signals, before;
  sigemptyset(&signals);
  sigaddset(&signals, number);
  raise(number);
  // The process ends or stops here. It runs on after SIGCONT, or if it is the first process of a PID namespace, which no default action
  // ends or stops.
  pthread_sigmask(SIG_UNBLOCK, &signals, &before);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  install(number, end_or_stop);
  handovers += GIVEN_BACK - TAKEN;
  notify();
  errno = error;
}

static int is_crash_ours(int number);

// Repairs the terminals, then leaves the crash to the handler that was there, or to the default action.
static void crash(int number, siginfo_t *info, void *context) {
  int error = errno;
  hand_over();
  const struct sigaction *before = NULL;
  for (int i = 0; i < CRASH_COUNT; i++) {
    if (crashes[i] == number) before = &found[i];
  }
  int has_handler = before && before->sa_flags & SA_SIGINFO;
  if (has_handler) {
    before->sa_sigaction(number, info, context);
  } else {
    signal(number, SIG_DFL);
    raise(number);
  }
  // The process continues if the earlier handler left ours installed, or if a process sent the signal and the handler returned: for SIGQUIT,
  // Swift's runtime only prints a backtrace. abort(3) always ends it.
  if (is_crash_ours(number) || (has_handler && number != SIGABRT && info->si_code <= 0)) {
    handovers += GIVEN_BACK - TAKEN;
    notify();
  }
  errno = error;
}

static int is_crash_ours(int number) {
  struct sigaction now;
  sigaction(number, NULL, &now);
  return now.sa_flags & SA_SIGINFO && now.sa_sigaction == crash;
}

// Whether a handler only reports crashes, as a backtracer does: it then handles the three signals below. A handler of one of them, such as a
// garbage collector's for SIGSEGV, may be part of the program's work.
static int is_backtracer(const struct sigaction *handler) {
  if (!(handler->sa_flags & SA_SIGINFO)) return 0;
  const int some[] = {SIGILL, SIGSEGV, SIGFPE};
  for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
    struct sigaction other;
    sigaction(some[i], NULL, &other);
    int is_same = other.sa_flags & SA_SIGINFO && (other.sa_sigaction == handler->sa_sigaction || other.sa_sigaction == crash);
    if (!is_same) return 0;
  }
  return 1;
}

static void watch_crashes(void) {
  struct sigaction now[CRASH_COUNT];
  int is_watched[CRASH_COUNT];
  for (int i = 0; i < CRASH_COUNT; i++) {
    sigaction(crashes[i], NULL, &now[i]);
    int is_default = !(now[i].sa_flags & SA_SIGINFO) && now[i].sa_handler == SIG_DFL;
    // SIGQUIT is no crash: end_or_stop handles its default.
    is_watched[i] = is_default ? crashes[i] != SIGQUIT : is_backtracer(&now[i]);
  }
  for (int i = 0; i < CRASH_COUNT; i++) {
    if (!is_watched[i]) continue;
    found[i] = now[i];
    struct sigaction action = {.sa_sigaction = crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    if (now[i].sa_flags & SA_SIGINFO) {
      action.sa_flags = now[i].sa_flags;
      action.sa_mask = now[i].sa_mask;
    } else {
      sigfillset(&action.sa_mask);
    }
    sigaction(crashes[i], &action, NULL);
  }
}

static void leave_crashes(void) {
  for (int i = 0; i < CRASH_COUNT; i++) {
    if (is_crash_ours(crashes[i])) sigaction(crashes[i], &found[i], NULL);
  }
}

static void install(int number, void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigfillset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

static int handles(int number, void (*handler)(int)) {
  struct sigaction now;
  sigaction(number, NULL, &now);
  return !(now.sa_flags & SA_SIGINFO) && now.sa_handler == handler;
}

static void replace(int number, void (*one)(int), void (*other)(int)) {
  if (!handles(number, one)) return;
  if (other == SIG_DFL) {
    signal(number, SIG_DFL);
  } else {
    install(number, other);
  }
}

void csystem_guard_terminal(int fd, const void *bytes, size_t size) {
  pthread_mutex_lock(&lock);
  if (!repair_bytes) {
    void *copy = malloc(size);
    if (copy) {
      repair_bytes = memcpy(copy, bytes, size);
      repair_size = size;
    }
  }
  for (int i = 0; i < MAXIMUM_TERMINALS && repair_bytes; i++) {
    if (terminals[i] != 0) continue;
    terminals[i] = fd + 1;
    if (count++ == 0) {
      for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++) replace(numbers[j], SIG_DFL, end_or_stop);
      watch_crashes();
    }
    break;
  }
  pthread_mutex_unlock(&lock);
}

void csystem_unguard_terminal(int fd) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MAXIMUM_TERMINALS; i++) {
    if (terminals[i] != fd + 1) continue;
    terminals[i] = 0;
    if (--count == 0) {
      for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++) replace(numbers[j], end_or_stop, SIG_DFL);
      leave_crashes();
    }
    break;
  }
  pthread_mutex_unlock(&lock);
}

void csystem_guard_modes(int fd, const struct termios *before) {
  pthread_mutex_lock(&lock);
  changed = 0;
  modes = *before;
  changed = fd + 1;
  pthread_mutex_unlock(&lock);
}

void csystem_unguard_modes(void) { changed = 0; }

int csystem_foreground_generation(void) {
  unsigned now = handovers;
  return now % GIVEN_BACK ? -1 : (int)(now / GIVEN_BACK);
}

int csystem_terminal_event(void) {
  pthread_mutex_lock(&lock);
  int made = 0;
  if (event == 0) {
    int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (fd < 0) {
      made = -errno;
    } else {
      event = fd + 1;
    }
  }
  int fd = made < 0 ? made : event - 1;
  pthread_mutex_unlock(&lock);
  return fd;
}

void csystem_output_lock(void) {
  flockfile(stdout);
  fflush_unlocked(stdout);
}

void csystem_output_unlock(void) { funlockfile(stdout); }
