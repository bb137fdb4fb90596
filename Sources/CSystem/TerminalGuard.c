// What a library may do about signals in a program that is not its own: it takes only those that the program leaves to their defaults,
// does what the default does, and gives them back. Handlers make only async-signal-safe calls.
#define _GNU_SOURCE
#include "CSystem.h"

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

// The terminals to be repaired, each as its descriptor plus one; 0 is a free place.
enum { MOST_TERMINALS = 64 };
static _Atomic int terminals[MOST_TERMINALS];
static int count;
static const void *repair_bytes;
static size_t repair_size;

static _Atomic int watchers;
static _Atomic int event;
static struct sigaction resize_before;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

static void repair(void) {
  for (int i = 0; i < MOST_TERMINALS; i++) {
    int fd = terminals[i] - 1;
    if (fd < 0) continue;
    // Of a terminal that was stopped (Ctrl-S) a write would not return, with every signal blocked.
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

static void end(int number) {
  int error = errno;
  repair();
  signal(number, SIG_DFL);
  // It is blocked while this runs, and ends the process on the way out.
  raise(number);
  errno = error;
}

static void install(int number, void (*handler)(int));

static void stop(int number) {
  int error = errno;
  repair();
  signal(number, SIG_DFL);
  sigset_t signals, before;
  sigemptyset(&signals);
  sigaddset(&signals, number);
  raise(number);
  // Here the process stops, and goes on when it is continued.
  pthread_sigmask(SIG_UNBLOCK, &signals, &before);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  install(number, stop);
  notify();
  errno = error;
}

// The handler of before may call us: a program that installs its own while ours is there, and calls the one that it found (as readline
// does), is what we find the next time.
static __attribute__((tls_model("initial-exec"))) _Thread_local volatile sig_atomic_t is_calling_before;

static void note_resize(int number, siginfo_t *info, void *context) {
  if (is_calling_before) return;
  int error = errno;
  is_calling_before = 1;
  notify();
  if (resize_before.sa_flags & SA_SIGINFO) {
    if (resize_before.sa_sigaction) resize_before.sa_sigaction(number, info, context);
  } else if (resize_before.sa_handler != SIG_DFL && resize_before.sa_handler != SIG_IGN) {
    resize_before.sa_handler(number);
  }
  is_calling_before = 0;
  errno = error;
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
  for (int i = 0; i < MOST_TERMINALS && repair_bytes; i++) {
    if (terminals[i] != 0) continue;
    terminals[i] = fd + 1;
    if (count++ == 0) {
      for (size_t j = 0; j < sizeof ends / sizeof ends[0]; j++) replace(ends[j], SIG_DFL, end);
      replace(SIGTSTP, SIG_DFL, stop);
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
      for (size_t j = 0; j < sizeof ends / sizeof ends[0]; j++) replace(ends[j], end, SIG_DFL);
      replace(SIGTSTP, stop, SIG_DFL);
    }
    break;
  }
  pthread_mutex_unlock(&lock);
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

static int is_noting_resizes(void) {
  struct sigaction now;
  sigaction(SIGWINCH, NULL, &now);
  return (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == note_resize;
}

void csystem_watch_resizes(int on) {
  pthread_mutex_lock(&lock);
  if (on && watchers++ == 0 && !is_noting_resizes()) {
    struct sigaction action = {.sa_sigaction = note_resize, .sa_flags = SA_RESTART | SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    struct sigaction before;
    sigaction(SIGWINCH, NULL, &before);
    resize_before = before;
    sigaction(SIGWINCH, &action, NULL);
  } else if (!on && --watchers == 0 && is_noting_resizes()) {
    // Where somebody came later we are not to be taken out: there is nobody to tell any longer, and no harm in it.
    sigaction(SIGWINCH, &resize_before, NULL);
  }
  pthread_mutex_unlock(&lock);
}

void csystem_output_lock(void) {
  flockfile(stdout);
  fflush_unlocked(stdout);
}

void csystem_output_unlock(void) { funlockfile(stdout); }
