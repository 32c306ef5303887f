#define _GNU_SOURCE
#include "system.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/sockios.h>
#include <malloc.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* The kernel's own, for glibc's lacks the count of received bytes. */
#include <linux/tcp.h>

int gs_private_file(void) {
    int file = memfd_create("private", MFD_CLOEXEC);
    if (file >= 0 && fchmod(file, S_IRUSR | S_IWUSR) != 0) {
        close(file);
        return -1;
    }
    return file;
}

int gs_eventfd_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void gs_eventfd_signal(int fd) {
    uint64_t one = 1;
    /* A full counter (EAGAIN) is readable already, which is all that is wanted. */
    (void)!write(fd, &one, sizeof one);
}

void gs_eventfd_clear(int fd) {
    uint64_t count;
    (void)!read(fd, &count, sizeof count);
}

void gs_eventfd_wait(int fd, int64_t nanoseconds) {
    struct pollfd item = {.fd = fd, .events = POLLIN};
    struct timespec time = {
        .tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    if (ppoll(&item, 1, nanoseconds < 0 ? NULL : &time, NULL) > 0) gs_eventfd_clear(fd);
}

int gs_timer_open(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }

void gs_timer_set(int fd, int64_t nanoseconds) {
    /* A time of 0 would stop it. */
    if (nanoseconds < 1) nanoseconds = 1;
    struct itimerspec due = {
        .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
    (void)timerfd_settime(fd, TFD_TIMER_ABSTIME, &due, NULL);
}

void gs_timer_clear(int fd) { gs_eventfd_clear(fd); }

int gs_group_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

int gs_group_add(int group, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    return epoll_ctl(group, EPOLL_CTL_ADD, fd, &event);
}

int gs_signals_open(void) { return gs_signals_open_with(SIGTERM); }

int gs_signals_open_with(int number) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    if (sigprocmask(SIG_BLOCK, &set, NULL) != 0) return -1;
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int gs_signals_next(int fd) {
    struct signalfd_siginfo info;
    if (read(fd, &info, sizeof info) != sizeof info) return 0;
    return (int)info.ssi_signo;
}

int gs_datagrams_open(void) {
    return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int gs_datagram_path_fits(const char *path) {
    size_t length = strlen(path);
    return length > 0 && length < sizeof ((struct sockaddr_un *)0)->sun_path;
}

int gs_datagram_send(int fd, const char *path, const void *bytes, size_t count) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (!gs_datagram_path_fits(path)) {
        errno = EINVAL;
        return -1;
    }
    memcpy(address.sun_path, path, length);
    /* An abstract name has no zero at its end, and one at its beginning instead of the '@'. */
    int is_abstract = path[0] == '@';
    if (is_abstract) address.sun_path[0] = 0;
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + !is_abstract);
    ssize_t sent;
    do {
        sent = sendto(fd, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL,
                      (const struct sockaddr *)&address, size);
    } while (sent < 0 && errno == EINTR);
    if (sent >= 0) return 0;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS ? 1 : -1;
}

int gs_write_unless_full(int fd, const void *bytes, size_t count) {
    struct pollfd item = {.fd = fd, .events = POLLOUT};
    int ready;
    do {
        ready = poll(&item, 1, 0);
    } while (ready < 0 && errno == EINTR);
    if (ready == 0) return 1;
    if (ready < 0) return -1;
    ssize_t written;
    do {
        written = write(fd, bytes, count);
    } while (written < 0 && errno == EINTR);
    if (written >= 0) return (size_t)written < count;
    return errno == EAGAIN || errno == EWOULDBLOCK ? 1 : -1;
}

ssize_t gs_read_file(const char *path, void *bytes, size_t count_max) {
    /* Not blocking, or opening a pipe would wait for somebody to write to it. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return -1;
    struct stat status;
    int found = fstat(fd, &status);
    int is_file = found == 0 && (S_ISREG(status.st_mode) || S_ISCHR(status.st_mode));
    ssize_t total = found != 0 ? -1 : is_file ? 0 : -2;
    while (total >= 0 && (size_t)total < count_max) {
        ssize_t count = read(fd, (char *)bytes + total, count_max - (size_t)total);
        if (count == 0) break;
        if (count > 0) {
            total += count;
        } else if (errno != EINTR) {
            total = -1;
        }
    }
    int saved = errno;
    close(fd);
    errno = saved;
    return total;
}

void gs_standard_open(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        /* The lowest number that is free is this one, for those below it are open. */
        if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", O_RDWR);
    }
}

int gs_reopen_unblocked(int fd) {
    struct stat status;
    if (fstat(fd, &status) != 0 || !(S_ISFIFO(status.st_mode) || isatty(fd))) return fd;
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int own = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    return own < 0 ? fd : own;
}

static int lock(int fd) {
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) return 0;
    return errno == EWOULDBLOCK ? -2 : -1;
}

int gs_lock_folder(const char *path, const char *name) {
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return -1;
    int result = lock(folder);
    /* Some file systems lock no folders. */
    if (result == -1 && (errno == EBADF || errno == ENOLCK || errno == EOPNOTSUPP)) result = 0;
    int file = -1;
    if (result == 0) {
        file = openat(folder, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
        struct stat status;
        if (file < 0 || fstat(file, &status) != 0) {
            result = -1;
        } else if (!S_ISREG(status.st_mode)) {
            result = -1;
            errno = ELOOP;
        } else {
            result = lock(file);
        }
    }
    if (result == 0) return 0;
    int saved = errno;
    if (file >= 0) close(file);
    close(folder);
    errno = saved;
    return result;
}

int gs_file_hold(const char *path) { return open(path, O_PATH | O_CLOEXEC); }

int gs_file_is_at(int fd, const char *path) {
    struct stat held, found;
    if (fstat(fd, &held) != 0 || stat(path, &found) != 0) return 0;
    return held.st_dev == found.st_dev && held.st_ino == found.st_ino;
}

void gs_file_make(const char *path) {
    /* Only a new file is opened: closing one that is open elsewhere would end its locks. */
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return;
    (void)!fchmod(fd, 0600);
    close(fd);
}

void gs_file_protect(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return;
    mode_t mode = status.st_mode & 07777;
    if ((mode & ~(mode_t)0640) != 0) (void)!chmod(path, mode & 0640);
}

static _Thread_local int read_error;

static ssize_t noted(ssize_t count) {
    if (count < 0 && errno != EINTR) read_error = errno;
    return count;
}

ssize_t gs_read(int fd, void *bytes, size_t count) { return noted(read(fd, bytes, count)); }

ssize_t gs_pread(int fd, void *bytes, size_t count, off_t place) {
    return noted(pread(fd, bytes, count, place));
}

int gs_read_error_take(void) {
    int error = read_error;
    read_error = 0;
    return error;
}

int gs_rename_new(const char *path, const char *name) {
    int done = renameat2(AT_FDCWD, path, AT_FDCWD, name, RENAME_NOREPLACE);
    if (done == 0 || (errno != EINVAL && errno != ENOSYS)) return done;
    /* A file system that does not know how to. */
    if (access(name, F_OK) == 0) {
        errno = EEXIST;
        return -1;
    }
    return rename(path, name);
}

void gs_connection_cut(int fd, size_t bytes_max) {
    char bytes[65536];
    int listens = 0;
    socklen_t size = sizeof listens;
    /* libzmq aborts where its listener is shut. */
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens) return;
    if (shutdown(fd, SHUT_RDWR) != 0) return;
    for (size_t count = 0; count < bytes_max;) {
        ssize_t got = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
        if (got <= 0) return;
        count += (size_t)got;
    }
}

int gs_connection_port(int fd) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &size) != 0) return -1;
    if (address.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&address)->sin_port);
    if (address.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
    return -1;
}

int64_t gs_connection_consumed(int fd, int64_t *received, int64_t *taken, int64_t *written) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    int waiting = 0, unacknowledged = 0;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return -1;
    if (size < offsetof(struct tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received)
        return -1;
    /* 1 is ESTABLISHED: a listening socket has received nothing. */
    if (info.tcpi_state != 1) return -1;
    if (ioctl(fd, SIOCINQ, &waiting) != 0 || ioctl(fd, SIOCOUTQ, &unacknowledged) != 0) return -1;
    *received = (int64_t)info.tcpi_bytes_received;
    *taken = (int64_t)info.tcpi_bytes_acked;
    *written = *taken + unacknowledged;
    return *received - waiting;
}

int64_t gs_connection_identity(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 ? (int64_t)status.st_ino : -1;
}

/* A peer that reads leaves less than this part of the system's buffer. */
enum { behind_part = 16 };

int gs_connection_is_behind(int fd, int bytes_min) {
    int waiting = 0, room = 0;
    socklen_t size = sizeof room;
    /* TCP tells what has not left: of what has, much may be on a long way. Others tell what their
     * peer has not read. */
    if (ioctl(fd, SIOCOUTQNSD, &waiting) != 0 && ioctl(fd, SIOCOUTQ, &waiting) != 0) return 0;
    if (getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, &size) != 0) return 0;
    return waiting >= (room / behind_part < bytes_min ? room / behind_part : bytes_min);
}

int gs_connection_host(int fd, char *text, size_t size) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getpeername(fd, (struct sockaddr *)&address, &length) != 0) return -1;
    const void *host;
    if (address.ss_family == AF_INET)
        host = &((struct sockaddr_in *)&address)->sin_addr;
    else if (address.ss_family == AF_INET6)
        host = &((struct sockaddr_in6 *)&address)->sin6_addr;
    else
        return -1;
    return inet_ntop(address.ss_family, host, text, (socklen_t)size) ? 0 : -1;
}

int gs_connection_peer(int fd, char *text, size_t size) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    char host[INET6_ADDRSTRLEN];
    if (getpeername(fd, (struct sockaddr *)&address, &length) != 0) return -1;
    if (address.ss_family == AF_INET) {
        struct sockaddr_in *own = (struct sockaddr_in *)&address;
        if (!inet_ntop(AF_INET, &own->sin_addr, host, sizeof host)) return -1;
        return snprintf(text, size, "%s:%d", host, ntohs(own->sin_port)) < 0 ? -1 : 0;
    }
    if (address.ss_family == AF_INET6) {
        struct sockaddr_in6 *own = (struct sockaddr_in6 *)&address;
        if (!inet_ntop(AF_INET6, &own->sin6_addr, host, sizeof host)) return -1;
        return snprintf(text, size, "[%s]:%d", host, ntohs(own->sin6_port)) < 0 ? -1 : 0;
    }
    if (address.ss_family != AF_UNIX) return -1;
    struct ucred owner;
    length = sizeof owner;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &owner, &length) != 0) return -1;
    return snprintf(text, size, "pid %d of user %u", owner.pid, owner.uid) < 0 ? -1 : 0;
}

int gs_connection_file(int fd, char *text, size_t size) {
    struct sockaddr_un address;
    socklen_t length = sizeof address;
    memset(&address, 0, sizeof address);
    if (getsockname(fd, (struct sockaddr *)&address, &length) != 0) return -1;
    if (address.sun_family != AF_UNIX || length <= offsetof(struct sockaddr_un, sun_path)) return -1;
    size_t count = length - offsetof(struct sockaddr_un, sun_path);
    if (count > sizeof address.sun_path) count = sizeof address.sun_path;
    if (address.sun_path[0] == 0) address.sun_path[0] = '@';
    return snprintf(text, size, "%.*s", (int)count, address.sun_path) < 0 ? -1 : 0;
}

int64_t gs_memory_resident(void) {
    char text[128];
    long long pages = 0;
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    ssize_t count = read(fd, text, sizeof text - 1);
    close(fd);
    if (count <= 0) return 0;
    text[count] = 0;
    if (sscanf(text, "%*s %lld", &pages) != 1) return 0;
    return pages * sysconf(_SC_PAGESIZE);
}

int64_t gs_memory_allocated(void) {
    struct mallinfo2 memory = mallinfo2();
    return (int64_t)(memory.uordblks + memory.hblkhd);
}

void gs_memory_large_apart(void) { (void)mallopt(M_MMAP_THRESHOLD, 256 * 1024); }

void gs_memory_return(void) { (void)malloc_trim(0); }

int gs_processor_count(void) {
    cpu_set_t processors;
    if (sched_getaffinity(0, sizeof processors, &processors) == 0) return CPU_COUNT(&processors);
    /* More than a set has bits for. */
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

void gs_thread_set_name(const char *name) { (void)pthread_setname_np(pthread_self(), name); }

int gs_udp_open(const char *address, uint16_t *port) {
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(*port)};
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(*port)};
    struct sockaddr *place = (struct sockaddr *)&four;
    socklen_t size = sizeof four;
    /* Room for the bursts of some tables; the kernel may give less. */
    int room = 1024 * 1024;
    if (inet_pton(AF_INET, address, &four.sin_addr) != 1) {
        if (inet_pton(AF_INET6, address, &six.sin6_addr) != 1) return -2;
        place = (struct sockaddr *)&six;
        size = sizeof six;
    }
    int fd = socket(place->sa_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    if (bind(fd, place, size) != 0 || getsockname(fd, place, &size) != 0) {
        int code = errno;
        close(fd);
        errno = code;
        return -1;
    }
    *port = ntohs(place->sa_family == AF_INET ? four.sin_port : six.sin6_port);
    return fd;
}

ssize_t gs_udp_receive(int fd, void *bytes, size_t count_max, char *sender, size_t sender_max) {
    struct sockaddr_storage from;
    socklen_t size = sizeof from;
    char text[INET6_ADDRSTRLEN] = "";
    uint16_t port = 0;
    ssize_t count;
    do count = recvfrom(fd, bytes, count_max, 0, (struct sockaddr *)&from, &size);
    while (count < 0 && errno == EINTR);
    if (count < 0) return -1;
    if (from.ss_family == AF_INET) {
        struct sockaddr_in *four = (struct sockaddr_in *)&from;
        inet_ntop(AF_INET, &four->sin_addr, text, sizeof text);
        port = ntohs(four->sin_port);
    } else if (from.ss_family == AF_INET6) {
        struct sockaddr_in6 *six = (struct sockaddr_in6 *)&from;
        inet_ntop(AF_INET6, &six->sin6_addr, text, sizeof text);
        port = ntohs(six->sin6_port);
    }
    snprintf(sender, sender_max, "%s:%u", text, port);
    return count;
}

int gs_is_kernels_own(const char *path) {
    struct statfs kind;
    if (statfs(path, &kind) != 0) return 0;
    switch ((unsigned long)kind.f_type) {
    case PROC_SUPER_MAGIC:
    case SYSFS_MAGIC:
    case DEVPTS_SUPER_MAGIC:
    case CGROUP_SUPER_MAGIC:
    case CGROUP2_SUPER_MAGIC:
    case DEBUGFS_MAGIC:
    case TRACEFS_MAGIC:
    case SECURITYFS_MAGIC: return 1;
    default: return 0;
    }
}
