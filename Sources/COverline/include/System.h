// Declarations that Swift's Glibc module cannot import, and nothing else. Every function that can fail returns -errno.
#pragma once
#include <signal.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

// timerfd_create(2) on CLOCK_BOOTTIME, which counts suspend: non-blocking, close-on-exec.
int csystem_timer_create(void);
// timerfd_settime(2) with TFD_TIMER_ABSTIME; `nanoseconds` since boot, 0 disarms.
int csystem_timer_set(int fd, int64_t nanoseconds);
// ppoll(2) of an array of struct pollfd; fewer than 0 nanoseconds wait for ever.
int csystem_poll(void *entries, unsigned long count, int64_t nanoseconds);

// A timerfd on CLOCK_REALTIME, and timerfd_settime(2) with TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET and the latest possible expiry. When
// the clock is set, the descriptor becomes readable, and its read(2) fails with ECANCELED.
int csystem_clock_watch_create(void);
int csystem_clock_watch_arm(int fd);

// An eventfd(2), non-blocking and close-on-exec, that is readable when signal `number` has arrived since the last read. The signal has no
// other effect, and the calling thread unblocks it. A signal can have only one such eventfd at a time. After `stop` the signal is ignored,
// and the descriptor can be closed.
int csystem_signal_watch(int number);
void csystem_signal_stop(int number);

// pipe2(2) and accept4(2) need _GNU_SOURCE: both close-on-exec, the accepted socket non-blocking too.
int csystem_pipe(int ends[2]);
int csystem_accept(int listener);

// inotify_init1(2), non-blocking and close-on-exec.
int csystem_inotify_create(void);
enum {
  // A file: reports that it was rewritten and closed, or that its name no longer refers to it.
  CSYSTEM_WATCH_FILE,
  // A link or another non-file: reports only that its name no longer refers to it.
  CSYSTEM_WATCH_NAME,
  // A directory in which a name may appear.
  CSYSTEM_WATCH_ENTRIES,
  // A terminal: reports that something was written to it.
  CSYSTEM_WATCH_OUTPUT,
  // The moving of a folder itself.
  CSYSTEM_WATCH_PLACE,
};
// inotify_add_watch(2) without following a link in the last component; returns the number of the watch.
int csystem_inotify_add(int fd, const char *path, int what);
// inotify_rm_watch(2).
int csystem_inotify_remove(int fd, int watch);

// SO_PEERCRED of a connected unix socket; struct ucred needs _GNU_SOURCE.
int csystem_peer_credentials(int fd, uid_t *uid, pid_t *pid);
// The process of this user that listens at a unix socket; a negative error number if none does. Does not wait.
int csystem_own_listener(const char *path);

// pidfd_open(2), which glibc has only since 2.36: close-on-exec by itself, readable when the process has ended.
int csystem_process_watch(pid_t pid);

// posix_spawn_file_actions_addclosefrom_np(3) needs _GNU_SOURCE; `actions` is a posix_spawn_file_actions_t.
int csystem_spawn_close_from(void *actions, int first);

// posix_openpt(3) and its helpers need _GNU_SOURCE: a new pseudoterminal, both ends close-on-exec and no session's controlling terminal.
int csystem_open_pseudoterminal(int *master, int *slave);

// unshare(2) and setns(2) need _GNU_SOURCE. Both change the calling thread's network namespace only.
int csystem_unshare_network(void);
int csystem_set_network_namespace(int fd);

// SIOCGIFFLAGS and SIOCSIFFLAGS (netdevice(7)): struct ifreq is a union of macros. `fd` is any socket of the link's namespace.
int csystem_set_link_up(int fd, const char *link, int up);

// TUNSETIFF on /dev/net/tun (tun.rst of the kernel): a descriptor of the other end of a tun or tap device. The device exists, and has a
// carrier, while the descriptor is open. Close-on-exec.
int csystem_open_tun(const char *name, int is_tap);

// A classic socket filter, attached with SO_ATTACH_FILTER; struct sock_fprog is not imported.
// `instructions` holds `count` struct sock_filter, 8 bytes each.
int csystem_attach_filter(int fd, const void *instructions, unsigned short count);

// connect(2) of a netlink socket to the kernel. Another process that sends a message to this socket then gets ECONNREFUSED.
int csystem_netlink_connect(int fd);

// recvmsg(2) with a sockaddr_nl, which is not imported.
// Reads one datagram; *port gets the sender's port (0 is the kernel), *truncated whether it did not fit.
ssize_t csystem_netlink_receive(int fd, void *buffer, size_t capacity, uint32_t *port, int *truncated);

// recvmsg(2) with MSG_ERRQUEUE on a UDP socket with IP_RECVERR: the next error about a datagram that the socket has sent. CMSG_FIRSTHDR and
// the structure of the error are not imported. IPv4 addresses are mapped (::ffff:192.0.2.1).
struct csystem_datagram_error {
  // The errno, such as ECONNREFUSED for ICMP's "port unreachable".
  int code;
  // The link of a link-local destination.
  unsigned scope;
  uint8_t destination[16];
  // The host that sent the ICMP message; :: if this machine's kernel reports the error.
  uint8_t sender[16];
};
int csystem_take_datagram_error(int fd, struct csystem_datagram_error *error);

// epoll(7), level-triggered: Swift's Glibc module does not import it.
enum { CSYSTEM_READABLE = 1, CSYSTEM_WRITABLE = 2, CSYSTEM_HUNG_UP = 4 };
struct csystem_ready {
  uint64_t token;
  unsigned what;
};
int csystem_epoll_create(void);
// Adds `fd` (or changes it, when `known`): hang-ups are always reported.
int csystem_epoll_set(int epoll, int fd, int known, unsigned interest, uint64_t token);
int csystem_epoll_remove(int epoll, int fd);
// Fills in the ready descriptors, at most 64; with `waits` it waits until there is one.
int csystem_epoll_take(int epoll, struct csystem_ready *ready, int capacity, int waits);

// An argument of this process, as the dynamic linker passed it. 0 is the program's name; NULL follows the last argument. Swift's own list
// is empty without /proc, and in a statically linked program also after a preloaded library has called setenv(3).
const char *csystem_argument(int index);

// Restores the signal mask that this process started with, for execve(2), which keeps it.
void csystem_restore_signal_mask(void);

// madvise(2) with MADV_DONTNEED on the read-only parts of the program's own file, found with dl_iterate_phdr(3): this process gives up
// pages that it used once. They come back from the page cache on their next use.
void csystem_drop_file_backed_pages(void);

// PR_SET_NAME of prctl(2), for the calling thread.
void csystem_name_thread(const char *name);

// malloc_trim(3): returns free heap memory to the kernel.
void csystem_trim_heap(void);

// sched_setattr(2) of the calling thread: a slice of so many nanoseconds; 0 for the kernel's own. Children do not inherit it.
void csystem_set_slice(uint64_t nanoseconds);

// mallopt(3) with M_ARENA_MAX 1: all threads allocate from one heap. Call it before a second thread allocates.
void csystem_limit_malloc_arenas(void);

// Whether this process can have `count` more threads (with default attributes) or descriptors at once: makes and removes them. Both return 0
// or -errno.
int csystem_try_threads(int count);
int csystem_try_descriptors(int count);

// The session of a program on a pseudoterminal: a helper leads it, the program is its foreground process group.
struct csystem_session {
  // The program's terminal and its standard error; -1 means the terminal.
  int slave;
  int standard_error;
  // The writing end of a pipe for struct csystem_report.
  int report;
  char *const *arguments;
  char *const *environment;
};
enum {
  // The program runs; the value is its pid, which is also its process group.
  CSYSTEM_STARTED,
  // It could not be executed; the value is the errno.
  CSYSTEM_FAILED,
  // Stopped by a signal, continued, ended with a status, ended by a signal.
  CSYSTEM_STOPPED,
  CSYSTEM_CONTINUED,
  CSYSTEM_EXITED,
  CSYSTEM_KILLED,
};
struct csystem_report {
  int32_t what;
  int32_t value;
};
// Forks the helper and returns its pid. The program gets the signal mask `mask` and the dispositions of this process. SIGCONT makes the
// helper continue the program in the foreground. SIGHUP, SIGTERM, the closing of the master's last descriptor or the death of the calling
// thread makes the helper send SIGHUP and SIGCONT to the program, and kill it after five seconds.
int csystem_session_start(const struct csystem_session *session, const sigset_t *mask);

// Blocks signals in the calling thread (and in threads that it creates from now on) and returns a signalfd(2) for them; `before` receives
// the earlier mask.
int csystem_signals_take(const int *numbers, int count, sigset_t *before);
// The next signal of such a descriptor, 0 when there is none.
int csystem_signals_next(int fd);
// SIGRTMIN and SIGRTMAX: macros that call glibc, which reserves the first real-time signals for itself.
int csystem_signal_real_time_minimum(void);
int csystem_signal_real_time_maximum(void);
// Discards the pending instances of a blocked signal.
void csystem_signal_discard(int number);
// sigpending(2).
int csystem_signal_is_pending(int number);
// Unblocks a signal once, with its default action: a pending instance is delivered before this returns. If it stops the process, every
// signal that ends a process (with `has_program` except SIGINT and SIGQUIT) has its default action meanwhile.
void csystem_signal_take_default(int number, int has_program);

// Raises the signal in the calling thread with its default action, whether or not it is blocked.
void csystem_signal_raise_default(int number);

// TIOCGWINSZ and TIOCSWINSZ with the size in pixels; ioctl(2) is variadic.
struct csystem_window_size {
  unsigned short rows, columns, width, height;
};
int csystem_get_window_size(int fd, struct csystem_window_size *size);
int csystem_put_window_size(int fd, struct csystem_window_size size);

// TIOCGDEV: the device number of the terminal behind `fd`; /dev/tty has a number of its own.
int csystem_terminal_device(int fd, unsigned *device);

// tcsetattr(3) in the foreground: while the process group is in the background, this call stops the group (SIGTTOU), until the group is in
// the foreground or a signal ends the process.
int csystem_set_terminal_attributes(int fd, const struct termios *attributes);

// Like posix_spawn(3), into a new session. Its controlling terminal is `slave`, which is also standard input, output and error.
int csystem_spawn_on_terminal(int slave, char *const *arguments, char *const *environment);

// The terminals of a library inside another program. Handlers write `bytes` (the same for all) to a guarded terminal before SIGHUP, SIGINT,
// SIGQUIT or SIGTERM ends the process, SIGTSTP stops it, or a crash ends it. They are installed only for signals that have their default
// action, and for crashes that a backtracer, such as Swift's, handles.
void csystem_guard_terminal(int fd, const void *bytes, size_t size);
void csystem_unguard_terminal(int fd);
// The number of such signals after which the process continued. -1 while one is about to stop or end it and other threads still run.
int csystem_foreground_generation(void);
// The modes to restore on a terminal before such a signal, or a crash, while the library reads its keys. One terminal at a time.
void csystem_guard_modes(int fd, const struct termios *modes);
void csystem_unguard_modes(void);
// An eventfd(2), one for the process, readable when it continues after such a signal.
int csystem_terminal_event(void);

// flockfile(3) and fflush(3) of stdout: Swift does not import stdout as a constant.
void csystem_output_lock(void);
void csystem_output_unlock(void);
