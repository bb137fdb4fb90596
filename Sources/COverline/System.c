#define _GNU_SOURCE
#include "System.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/errqueue.h>
#include <linux/if_tun.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <malloc.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/uio.h>
#include <unistd.h>

// The eventfd of each signal, plus one, in a type that handlers may read.
static volatile sig_atomic_t signal_events[NSIG];

static void note_signal(int number) {
  int saved = errno;
  uint64_t one = 1;
  // The write to an eventfd does not fail, and a handler could do nothing about a failure.
  ssize_t ignored = write(signal_events[number] - 1, &one, sizeof one);
  (void)ignored;
  errno = saved;
}

static int result(int value) { return value < 0 ? -errno : value; }

int csystem_timer_create(void) {
  return result(timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC));
}

int csystem_timer_set(int fd, int64_t nanoseconds) {
  struct itimerspec spec = {0};
  spec.it_value.tv_sec = nanoseconds / 1000000000;
  spec.it_value.tv_nsec = nanoseconds % 1000000000;
  return result(timerfd_settime(fd, TFD_TIMER_ABSTIME, &spec, NULL));
}

int csystem_poll(void *entries, unsigned long count, int64_t nanoseconds) {
  struct timespec timeout = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  return result(ppoll(entries, count, nanoseconds < 0 ? NULL : &timeout, NULL));
}

int csystem_clock_watch_create(void) { return result(timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC)); }

int csystem_clock_watch_arm(int fd) {
  // The kernel accepts any number of seconds and clamps it to its maximum.
  struct itimerspec spec = {.it_value.tv_sec = INT64_MAX};
  return result(timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &spec, NULL));
}

int csystem_pipe(int ends[2]) { return result(pipe2(ends, O_CLOEXEC)); }

int csystem_accept(int listener) { return result(accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)); }

int csystem_process_watch(pid_t pid) { return result((int)syscall(SYS_pidfd_open, pid, 0)); }

int csystem_inotify_create(void) { return result(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)); }

int csystem_inotify_add(int fd, const char *path, int what) {
  // IN_ATTRIB also reports a change of the link count, as when another file is renamed over this one.
  uint32_t events = IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_DONT_FOLLOW;
  if (what == CSYSTEM_WATCH_FILE) events |= IN_CLOSE_WRITE;
  if (what == CSYSTEM_WATCH_ENTRIES) events = IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
  if (what == CSYSTEM_WATCH_OUTPUT) events = IN_MODIFY;
  if (what == CSYSTEM_WATCH_PLACE) events = IN_MOVE_SELF | IN_ONLYDIR;
  return result(inotify_add_watch(fd, path, events));
}

int csystem_inotify_remove(int fd, int watch) { return result(inotify_rm_watch(fd, watch)); }

int csystem_peer_credentials(int fd, uid_t *uid, pid_t *pid) {
  struct ucred credentials;
  socklen_t length = sizeof credentials;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return -errno;
  *uid = credentials.uid;
  *pid = credentials.pid;
  return 0;
}

int csystem_own_listener(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  uid_t uid = 0;
  pid_t pid = 0;
  int error = connect(fd, (struct sockaddr *)&address, sizeof address) < 0 ? -errno : csystem_peer_credentials(fd, &uid, &pid);
  close(fd);
  if (error < 0) return error;
  return uid == geteuid() ? pid : -EPERM;
}

int csystem_unshare_network(void) { return result(unshare(CLONE_NEWNET)); }

int csystem_spawn_close_from(void *actions, int first) {
  return -posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int csystem_open_pseudoterminal(int *master, int *slave) {
  char name[64];
  *master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (*master < 0) return -errno;
  *slave = -1;
  if (grantpt(*master) == 0 && unlockpt(*master) == 0 && ptsname_r(*master, name, sizeof name) == 0)
    *slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (*slave >= 0) return 0;
  int error = errno;
  close(*master);
  return -error;
}

int csystem_set_network_namespace(int fd) { return result(setns(fd, CLONE_NEWNET)); }

int csystem_set_link_up(int fd, const char *link, int up) {
  struct ifreq request = {0};
  strncpy(request.ifr_name, link, sizeof request.ifr_name - 1);
  if (ioctl(fd, SIOCGIFFLAGS, &request) < 0) return -errno;
  request.ifr_flags = up ? request.ifr_flags | IFF_UP : request.ifr_flags & ~IFF_UP;
  return result(ioctl(fd, SIOCSIFFLAGS, &request));
}

int csystem_open_tun(const char *name, int is_tap) {
  struct ifreq request = {.ifr_flags = (short)((is_tap ? IFF_TAP : IFF_TUN) | IFF_NO_PI)};
  strncpy(request.ifr_name, name, sizeof request.ifr_name - 1);
  int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
  if (fd < 0) return -errno;
  if (ioctl(fd, TUNSETIFF, &request) == 0) return fd;
  int error = errno;
  close(fd);
  return -error;
}

int csystem_attach_filter(int fd, const void *instructions, unsigned short count) {
  struct sock_fprog program = {.len = count, .filter = (struct sock_filter *)instructions};
  return result(setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program));
}

int csystem_netlink_connect(int fd) {
  struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
  return result(connect(fd, (struct sockaddr *)&kernel, sizeof kernel));
}

ssize_t csystem_netlink_receive(int fd, void *buffer, size_t capacity, uint32_t *port, int *truncated) {
  struct sockaddr_nl sender = {0};
  struct iovec vector = {.iov_base = buffer, .iov_len = capacity};
  struct msghdr message = {.msg_name = &sender, .msg_namelen = sizeof sender, .msg_iov = &vector, .msg_iovlen = 1};
  ssize_t length = recvmsg(fd, &message, MSG_DONTWAIT);
  if (length < 0) return -errno;
  *port = sender.nl_pid;
  *truncated = (message.msg_flags & MSG_TRUNC) != 0;
  return length;
}

static void map_address(uint8_t mapped[16], const struct in_addr *address) {
  static const uint8_t prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  memcpy(mapped, prefix, sizeof prefix);
  memcpy(mapped + sizeof prefix, address, sizeof *address);
}

int csystem_take_datagram_error(int fd, struct csystem_datagram_error *error) {
  struct sockaddr_storage destination = {0};
  union {
    struct cmsghdr header;
    char bytes[256];
  } control;
  struct msghdr message = {.msg_name = &destination,
                           .msg_namelen = sizeof destination,
                           .msg_control = &control,
                           .msg_controllen = sizeof control};
  if (recvmsg(fd, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return -errno;
  *error = (struct csystem_datagram_error){0};
  if (destination.ss_family == AF_INET6) {
    const struct sockaddr_in6 *address = (const struct sockaddr_in6 *)&destination;
    memcpy(error->destination, &address->sin6_addr, 16);
    error->scope = address->sin6_scope_id;
  } else if (destination.ss_family == AF_INET) {
    map_address(error->destination, &((const struct sockaddr_in *)&destination)->sin_addr);
  }
  for (struct cmsghdr *item = CMSG_FIRSTHDR(&message); item; item = CMSG_NXTHDR(&message, item)) {
    int is_ipv4 = item->cmsg_level == IPPROTO_IP && item->cmsg_type == IP_RECVERR;
    int is_ipv6 = item->cmsg_level == IPPROTO_IPV6 && item->cmsg_type == IPV6_RECVERR;
    if (!is_ipv4 && !is_ipv6) continue;
    if (item->cmsg_len < CMSG_LEN(sizeof(struct sock_extended_err) + sizeof(struct sockaddr_in))) continue;
    const struct sock_extended_err *what = (const struct sock_extended_err *)CMSG_DATA(item);
    const struct sockaddr *sender = SO_EE_OFFENDER(what);
    error->code = (int)what->ee_errno;
    if (sender->sa_family == AF_INET) {
      map_address(error->sender, &((const struct sockaddr_in *)sender)->sin_addr);
    } else if (sender->sa_family == AF_INET6 &&
               item->cmsg_len >= CMSG_LEN(sizeof(struct sock_extended_err) + sizeof(struct sockaddr_in6))) {
      memcpy(error->sender, &((const struct sockaddr_in6 *)sender)->sin6_addr, 16);
    }
  }
  return 0;
}

int csystem_signal_watch(int number) {
  int event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (event < 0) return -errno;
  signal_events[number] = event + 1;
  struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  if (sigaction(number, &action, NULL) < 0) {
    int error = errno;
    close(event);
    return -error;
  }
  // The parent process may have left the signal blocked.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, number);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
  return event;
}

void csystem_signal_stop(int number) {
  signal(number, SIG_IGN);
  signal_events[number] = 0;
}

int csystem_epoll_create(void) { return result(epoll_create1(EPOLL_CLOEXEC)); }

int csystem_epoll_set(int epoll, int fd, int known, unsigned interest, uint64_t token) {
  struct epoll_event event = {.data.u64 = token};
  if (interest & CSYSTEM_READABLE) event.events |= EPOLLIN;
  if (interest & CSYSTEM_WRITABLE) event.events |= EPOLLOUT;
  return result(epoll_ctl(epoll, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event));
}

int csystem_epoll_remove(int epoll, int fd) { return result(epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL)); }

int csystem_epoll_take(int epoll, struct csystem_ready *ready, int capacity, int waits) {
  struct epoll_event events[64];
  int count = epoll_wait(epoll, events, capacity < 64 ? capacity : 64, waits ? -1 : 0);
  if (count < 0) return -errno;
  for (int i = 0; i < count; i++) {
    ready[i].token = events[i].data.u64;
    ready[i].what = (events[i].events & EPOLLIN ? CSYSTEM_READABLE : 0) |
                    (events[i].events & EPOLLOUT ? CSYSTEM_WRITABLE : 0) |
                    (events[i].events & (EPOLLHUP | EPOLLERR) ? CSYSTEM_HUNG_UP : 0);
  }
  return count;
}

static int drop_segments(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || header->p_flags & PF_W) continue;
    uintptr_t start = (info->dlpi_addr + header->p_vaddr) & ~(page - 1);
    uintptr_t end = (info->dlpi_addr + header->p_vaddr + header->p_memsz + page - 1) & ~(page - 1);
    madvise((void *)start, end - start, MADV_DONTNEED);
  }
  // Stop after the first entry, the program itself: its libraries are shared with other processes anyway.
  return 1;
}

void csystem_drop_file_backed_pages(void) { dl_iterate_phdr(drop_segments, NULL); }

void csystem_name_thread(const char *name) { prctl(PR_SET_NAME, name); }

void csystem_trim_heap(void) { malloc_trim(0); }

void csystem_set_slice(uint64_t nanoseconds) {
  // The first 48 bytes of struct sched_attr, which older headers and glibc lack.
  struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
  } attributes = {.size = sizeof attributes};
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0 || attributes.policy != SCHED_OTHER) return;
  // The kernel gives the children of a thread with the flag below nice value 0 in place of a negative one. Such a thread runs early anyway.
  if (attributes.nice < 0) return;
  attributes.size = sizeof attributes;
  attributes.flags = 1 /* SCHED_FLAG_RESET_ON_FORK */;
  attributes.runtime = nanoseconds;
  syscall(SYS_sched_setattr, 0, &attributes, 0);
}

void csystem_limit_malloc_arenas(void) { mallopt(M_ARENA_MAX, 1); }

static void *wait_for_others(void *all_started) {
  pthread_mutex_lock(all_started);
  pthread_mutex_unlock(all_started);
  return NULL;
}

int csystem_try_threads(int count) {
  pthread_mutex_t all_started = PTHREAD_MUTEX_INITIALIZER;
  pthread_t threads[count];
  sigset_t all, before;
  sigfillset(&all);
  // The threads inherit this mask, so that the kernel delivers no signal to them.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_mutex_lock(&all_started);
  int started = 0, error = 0;
  while (started < count && !(error = pthread_create(&threads[started], NULL, wait_for_others, &all_started))) started++;
  pthread_mutex_unlock(&all_started);
  while (started > 0) pthread_join(threads[--started], NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return -error;
}

int csystem_try_descriptors(int count) {
  int opened[count], made = 0, error = 0;
  while (made < count && !error) {
    opened[made] = fcntl(0, F_DUPFD_CLOEXEC, 3);
    if (opened[made++] < 0) error = errno;
  }
  while (made > 0) {
    if (opened[--made] >= 0) close(opened[made]);
  }
  return -error;
}
