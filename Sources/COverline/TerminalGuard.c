// Signal handling for a library in a program that is not its own: it handles only signals that the program leaves to their defaults,
// performs the default action, and restores the defaults. Handlers make only async-signal-safe calls.
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
#include <unistd.h>

// The terminals to repair, each as its descriptor plus one; 0 is a free place.
enum { MOST_TERMINALS = 64 };
static _Atomic int terminals[MOST_TERMINALS];
static int count;
static const void *repair_bytes;
static size_t repair_size;

// The lowest byte counts the signals that are stopping or ending the process. The bits above count those after which the process continued.
static _Atomic unsigned handovers;
enum { TAKEN = 1, GIVEN_BACK = 256 };

static _Atomic int watchers;
static _Atomic int event;

// The SIGWINCH handlers that we found. Each is paired for good with a handler of ours that calls it. A program may install a new handler
// over ours and call ours from it (as readline does): we find the new handler next time, and ours still calls the old one. A handler may
// also install itself again and call the handler that it replaced, ours; then the two call each other. Ours ends this after some rounds,
// each further down on the stack. A handler that never returns may be called once more meanwhile. A handler that left by siglongjmp is
// called as before.
enum { MOST_HANDLERS = 8, MOST_ROUNDS = 4, MOST_BYTES_BETWEEN = 65536 };
static struct sigaction found[MOST_HANDLERS];
static int found_count;
static __attribute__((tls_model("initial-exec"))) _Thread_local volatile struct { uintptr_t frame; int count; } rounds[MOST_HANDLERS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};

static void hand_over(void) {
  handovers += TAKEN;
  for (int i = 0; i < MOST_TERMINALS; i++) {
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

static void note_resize(int note, int number, siginfo_t *info, void *context) {
  int error = errno;
  notify();
  const struct sigaction *before = &found[note];
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  int is_further = here < rounds[note].frame && rounds[note].frame - here < MOST_BYTES_BETWEEN;
  int count = is_further ? rounds[note].count + 1 : 1;
  rounds[note].frame = here;
  rounds[note].count = count;
  if (count == MOST_ROUNDS) {
    // The handler has been called already.
  } else if (before->sa_flags & SA_SIGINFO) {
    if (before->sa_sigaction) before->sa_sigaction(number, info, context);
  } else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN) {
    before->sa_handler(number);
  }
  rounds[note].frame = 0;
  errno = error;
}

#define NOTE(i) \
  static void note_##i(int number, siginfo_t *info, void *context) { note_resize(i, number, info, context); }
NOTE(0) NOTE(1) NOTE(2) NOTE(3) NOTE(4) NOTE(5) NOTE(6) NOTE(7)
static void (*const notes[MOST_HANDLERS])(int, siginfo_t *, void *) = {note_0, note_1, note_2, note_3, note_4, note_5, note_6, note_7};

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
  for (int i = 0; i < MOST_TERMINALS && repair_bytes; i++) {
    if (terminals[i] != 0) continue;
    terminals[i] = fd + 1;
    if (count++ == 0) {
      for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++) replace(numbers[j], SIG_DFL, end_or_stop);
    }
    break;
  }
  pthread_mutex_unlock(&lock);
}

void csystem_unguard_terminal(int fd) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MOST_TERMINALS; i++) {
    if (terminals[i] != fd + 1) continue;
    terminals[i] = 0;
    if (--count == 0) {
      for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++) replace(numbers[j], end_or_stop, SIG_DFL);
    }
    break;
  }
  pthread_mutex_unlock(&lock);
}

int csystem_terminal_tenure(void) {
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

// The index of our handler that is installed; -1 for none.
static int noting(const struct sigaction *now) {
  for (int i = 0; i < found_count; i++) {
    if ((now->sa_flags & SA_SIGINFO) && now->sa_sigaction == notes[i]) return i;
  }
  return -1;
}

static int is_same(const struct sigaction *one, const struct sigaction *other) {
  // The flags and the mask count too: they are restored with the handler, for example without SA_RESTART.
  if (one->sa_flags != other->sa_flags || memcmp(&one->sa_mask, &other->sa_mask, sizeof one->sa_mask)) return 0;
  return one->sa_flags & SA_SIGINFO ? one->sa_sigaction == other->sa_sigaction : one->sa_handler == other->sa_handler;
}

// The index of our handler that calls `handler`; -1 when none of ours is free.
static int note_for(const struct sigaction *handler) {
  for (int i = 0; i < found_count; i++) {
    if (is_same(&found[i], handler)) return i;
  }
  if (found_count == MOST_HANDLERS) return -1;
  found[found_count] = *handler;
  return found_count++;
}

void csystem_watch_resizes(int on) {
  pthread_mutex_lock(&lock);
  // sigaction(2) fills only the kernel's part of the mask.
  struct sigaction now = {0};
  sigaction(SIGWINCH, NULL, &now);
  int ours = noting(&now);
  if (on && watchers++ == 0 && ours < 0) {
    // With more handlers than we have, no resize is reported; the program's windows adapt at their next change.
    int note = note_for(&now);
    if (note >= 0) {
      struct sigaction action = {.sa_sigaction = notes[note], .sa_flags = SA_RESTART | SA_SIGINFO};
      sigemptyset(&action.sa_mask);
      sigaction(SIGWINCH, &action, NULL);
    }
  } else if (!on && --watchers == 0 && ours >= 0) {
    // If the program has installed another handler since, ours stays below that one: ours no longer reports anything, and does no harm.
    sigaction(SIGWINCH, &found[ours], NULL);
  }
  pthread_mutex_unlock(&lock);
}

void csystem_output_lock(void) {
  flockfile(stdout);
  fflush_unlocked(stdout);
}

void csystem_output_unlock(void) { funlockfile(stdout); }
