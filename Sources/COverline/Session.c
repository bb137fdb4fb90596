// The session below a window: a helper that leads it, and the program as its foreground process group.
//
// After the fork the child makes only async-signal-safe calls, since the parent may have other threads. The helper stays a fork: without
// execve(2) it starts faster. It closes every descriptor of its parent that it does not need.
#define _GNU_SOURCE
#include "System.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// Seconds from SIGHUP to SIGKILL, in which vim writes its recovery files.
enum { HANG_UP_TIMEOUT = 5 };
// The descriptors of the helper.
enum { TERMINAL = 0, REPORT = 1, EXECUTION = 2 };

static void report_to(int fd, int what, int value) {
  struct csystem_report message = {.what = what, .value = value};
  // A write fails only if the parent is dead. SIGHUP reports that.
  ssize_t ignored = write(fd, &message, sizeof message);
  (void)ignored;
}

static void report(int what, int value) { report_to(REPORT, what, value); }

static struct timespec until(struct timespec end) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  struct timespec left = {end.tv_sec - now.tv_sec, end.tv_nsec - now.tv_nsec};
  if (left.tv_nsec < 0) left = (struct timespec){left.tv_sec - 1, left.tv_nsec + 1000000000};
  return left.tv_sec < 0 ? (struct timespec){0} : left;
}

static void hang_up(pid_t program) {
  // A shell signals its own jobs, but the foreground job may no longer have a shell.
  pid_t foreground = tcgetpgrp(TERMINAL);
  pid_t groups[] = {program, foreground == program ? 0 : foreground};
  for (int i = 0; i < 2; i++) {
    if (groups[i] <= 1) continue;
    kill(-groups[i], SIGHUP);
    kill(-groups[i], SIGCONT);
  }
}

// Reports the program's state changes; returns when it has ended.
static void follow(pid_t program, const sigset_t *signals) {
  int has_hung_up = 0, has_ended = 0, is_stopped = 0;
  struct timespec end = {0};
  for (;;) {
    struct timespec left = until(end);
    // The kernel does not report that a process group is empty: poll for it.
    if (has_ended && (left.tv_sec || left.tv_nsec > 20000000)) left = (struct timespec){0, 20000000};
    int number = has_hung_up ? sigtimedwait(signals, NULL, &left) : sigwaitinfo(signals, NULL);
    if (number == SIGHUP || number == SIGTERM) {
      hang_up(program);
      if (!has_hung_up) {
        clock_gettime(CLOCK_MONOTONIC, &end);
        end.tv_sec += HANG_UP_TIMEOUT;
      }
      has_hung_up = 1;
    } else if (number == SIGCONT && !has_hung_up && is_stopped) {
      // A shell does the same for a job that it continues in the foreground. After a stop of this helper alone, a job of the program may be
      // in the foreground, and stays there.
      tcsetpgrp(TERMINAL, program);
      kill(-program, SIGCONT);
    }
    int status;
    while (!has_ended && waitpid(program, &status, WNOHANG | WUNTRACED | WCONTINUED) == program) {
      is_stopped = WIFSTOPPED(status);
      if (is_stopped) report(CSYSTEM_STOPPED, WSTOPSIG(status));
      if (WIFCONTINUED(status)) report(CSYSTEM_CONTINUED, 0);
      if (WIFEXITED(status)) report(CSYSTEM_EXITED, WEXITSTATUS(status));
      if (WIFSIGNALED(status)) report(CSYSTEM_KILLED, WTERMSIG(status));
      has_ended = WIFEXITED(status) || WIFSIGNALED(status);
    }
    // The exit of the helper, which leads the session, makes the kernel send SIGHUP to the foreground group, as a closed terminal does.
    if (has_ended && !has_hung_up) return;
    if (has_ended && kill(-program, 0) < 0 && errno == ESRCH) return;
    struct timespec rest = until(end);
    if (has_hung_up && rest.tv_sec == 0 && rest.tv_nsec == 0) {
      kill(-program, SIGKILL);
      if (has_ended) return;
      end.tv_sec += HANG_UP_TIMEOUT;
    }
  }
}

// Makes the program the foreground process group. Parent and child both call this, since either may run first.
static void lead_group(int slave, pid_t program) {
  setpgid(program, program);
  // SIGTTOU is blocked, so that a background group may do this.
  tcsetpgrp(slave, program);
}

static _Noreturn void execute(const struct csystem_session *session, const sigset_t *mask, int ignores_children,
                              int failure) {
  lead_group(session->slave, getpid());
  dup2(session->slave, 0);
  dup2(session->slave, 1);
  if (session->standard_error < 0) dup2(session->slave, 2);
  // Signals that the parent process ignored or blocked stay ignored or blocked, as if the program was started without a window.
  if (ignores_children) signal(SIGCHLD, SIG_IGN);
  sigprocmask(SIG_SETMASK, mask, NULL);
  execvpe(session->arguments[0], session->arguments, session->environment);
  int error = errno;
  ssize_t ignored = write(failure, &error, sizeof error);
  (void)ignored;
  _exit(127);
}

static _Noreturn void lead(const struct csystem_session *session, const sigset_t *mask, pid_t parent) {
  sigset_t signals;
  sigemptyset(&signals);
  int wanted[] = {SIGCHLD, SIGHUP, SIGTERM, SIGCONT};
  for (int i = 0; i < 4; i++) sigaddset(&signals, wanted[i]);
  // An ignored SIGCHLD would discard a child's status.
  int ignores_children = signal(SIGCHLD, SIG_DFL) == SIG_IGN;
  setsid();
  ioctl(session->slave, TIOCSCTTY, 0);
  int ends[2], execution, terminal, reporting;
  // There may be no descriptor left.
  if (pipe2(ends, O_CLOEXEC) < 0 || (execution = fcntl(ends[0], F_DUPFD_CLOEXEC, 16)) < 0 ||
      (terminal = fcntl(session->slave, F_DUPFD_CLOEXEC, 16)) < 0 ||
      (reporting = fcntl(session->report, F_DUPFD_CLOEXEC, 16)) < 0) {
    report_to(session->report, CSYSTEM_FAILED, errno);
    _exit(1);
  }
  pid_t program = fork();
  if (program == 0) execute(session, mask, ignores_children, ends[1]);
  int error = errno;
  if (program > 0) lead_group(session->slave, program);
  // Close all descriptors of the parent, above all the master: the terminal hangs up when the last descriptor of its master is closed.
  dup2(terminal, TERMINAL);
  dup2(reporting, REPORT);
  dup2(execution, EXECUTION);
  if (syscall(SYS_close_range, 3, ~0U, 0) < 0) {
    long maximum = sysconf(_SC_OPEN_MAX);
    for (int fd = 3; fd < (maximum < 0 || maximum > 65536 ? 65536 : maximum); fd++) close(fd);
  }
  if (program < 0) {
    report(CSYSTEM_FAILED, error);
    _exit(1);
  }
  // The working directory must stay unmountable.
  if (chdir("/") < 0) {
  }
  // Another process, such as a debugger, may hold a copy of the master: then the parent's death does not hang up the terminal.
  prctl(PR_SET_PDEATHSIG, SIGHUP);
  if (getppid() != parent) kill(getpid(), SIGHUP);
  prctl(PR_SET_NAME, "overline-leader");
  ssize_t length;
  while ((length = read(EXECUTION, &error, sizeof error)) < 0 && errno == EINTR) {
  }
  close(EXECUTION);
  if (length == sizeof error) {
    while (waitpid(program, NULL, 0) < 0 && errno == EINTR) {
    }
    report(CSYSTEM_FAILED, error);
    _exit(1);
  }
  report(CSYSTEM_STARTED, program);
  follow(program, &signals);
  _exit(0);
}

int csystem_session_start(const struct csystem_session *session, const sigset_t *mask) {
  sigset_t all, before;
  sigfillset(&all);
  // Block all signals: the helper reads them one by one, and none may be delivered earlier.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t parent = getpid();
  pid_t helper = fork();
  if (helper == 0) lead(session, mask, parent);
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return helper < 0 ? -error : helper;
}

int csystem_signals_take(const int *numbers, int count, sigset_t *before) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < count; i++) sigaddset(&set, numbers[i]);
  int error = pthread_sigmask(SIG_BLOCK, &set, before);
  if (error) return -error;
  int fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

int csystem_signals_next(int fd) {
  struct signalfd_siginfo info;
  for (;;) {
    if (read(fd, &info, sizeof info) != sizeof info) return 0;
    // For a closed pipe the kernel sends SIGPIPE and names the writing process as its sender. Skip that signal: the write's EPIPE reports
    // the same.
    if (info.ssi_signo != SIGPIPE || info.ssi_pid != (uint32_t)getpid()) return (int)info.ssi_signo;
  }
}

int csystem_signal_real_time_minimum(void) { return SIGRTMIN; }
int csystem_signal_real_time_maximum(void) { return SIGRTMAX; }

void csystem_signal_discard(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  struct timespec now = {0};
  while (sigtimedwait(&set, NULL, &now) > 0) {
  }
}

int csystem_signal_is_pending(int number) {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, number);
}

// Stops this process by the default action of `number`, which is pending or raised here. While it is stopped, signals that end a process
// have their default action: if they were blocked, they would stay pending, and a shell could not end the job. While a program runs, SIGINT
// and SIGQUIT stay blocked, since the program may survive them.
static void stop_by(int number, int raises, int has_program) {
  struct sigaction action = {.sa_handler = SIG_DFL}, before;
  sigset_t set, mask;
  sigfillset(&set);
  static const int kept[] = {SIGINT, SIGQUIT, SIGCHLD, SIGCONT, SIGWINCH, SIGURG, SIGTSTP, SIGTTIN, SIGTTOU};
  for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) sigdelset(&set, kept[i]);
  struct sigaction quit;
  sigaction(SIGQUIT, NULL, &quit);
  if (!has_program) {
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGQUIT);
    // Swift's backtracer installs a handler for SIGQUIT.
    if (quit.sa_handler != SIG_IGN) sigaction(SIGQUIT, &action, NULL);
  }
  // Unblock these signals before `number`. The kernel delivers pending signals in the order of their numbers: the process would stop with a
  // pending SIGRTMIN, and the SIGCONT that followed it may have been taken already.
  pthread_sigmask(SIG_UNBLOCK, &set, &mask);
  sigaddset(&set, number);
  sigaction(number, &action, &before);
  if (raises) raise(number);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  sigaction(SIGQUIT, &quit, NULL);
  sigaction(number, &before, NULL);
}

void csystem_signal_take_default(int number, int has_program) { stop_by(number, 0, has_program); }

void csystem_signal_raise_default(int number) { stop_by(number, 1, 0); }

int csystem_get_window_size(int fd, struct csystem_window_size *size) {
  struct winsize got = {0};
  if (ioctl(fd, TIOCGWINSZ, &got) < 0) return -errno;
  *size = (struct csystem_window_size){got.ws_row, got.ws_col, got.ws_xpixel, got.ws_ypixel};
  return 0;
}

int csystem_put_window_size(int fd, struct csystem_window_size size) {
  struct winsize new = {size.rows, size.columns, size.width, size.height};
  return ioctl(fd, TIOCSWINSZ, &new) < 0 ? -errno : 0;
}

int csystem_terminal_device(int fd, unsigned *device) { return ioctl(fd, TIOCGDEV, device) < 0 ? -errno : 0; }

static void ignore_signal(int number) { (void)number; }

int csystem_set_terminal_attributes(int fd, const struct termios *attributes) {
  // Because of this handler without SA_RESTART, tcsetattr(3) fails with EINTR in the background, and the process stops here. Otherwise it
  // would stop inside the kernel, which would restart the call again and again while signals that should end the process stay pending.
  struct sigaction action = {.sa_handler = ignore_signal}, before;
  sigset_t set, mask;
  sigemptyset(&set);
  sigaddset(&set, SIGTTOU);
  sigaction(SIGTTOU, &action, &before);
  pthread_sigmask(SIG_UNBLOCK, &set, &mask);
  int result;
  while ((result = tcsetattr(fd, TCSANOW, attributes)) < 0 && errno == EINTR) {
    pid_t front = tcgetpgrp(fd);
    if (front >= 0 && front != getpgrp()) {
      pthread_sigmask(SIG_SETMASK, &mask, NULL);
      stop_by(SIGTTOU, 1, 1);
      pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    }
  }
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  sigaction(SIGTTOU, &before, NULL);
  return result < 0 ? -error : 0;
}

int csystem_spawn_on_terminal(int slave, char *const *arguments, char *const *environment) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = fork();
  if (child == 0) {
    setsid();
    ioctl(slave, TIOCSCTTY, 0);
    for (int fd = 0; fd < 3; fd++) dup2(slave, fd);
    syscall(SYS_close_range, 3, ~0U, 0);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvpe(arguments[0], arguments, environment);
    _exit(127);
  }
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return child < 0 ? -error : child;
}
