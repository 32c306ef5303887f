#define _GNU_SOURCE
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

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

int gs_signals_open(void) {
    sigset_t set;
    sigemptyset(&set);
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

int gs_datagram_send(int fd, const char *path, const void *bytes, size_t count) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof address.sun_path) {
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

int gs_lock_file(const char *path) {
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0640);
    if (fd < 0) return -1;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
    int taken = errno == EWOULDBLOCK;
    int saved = errno;
    close(fd);
    errno = saved;
    return taken ? -2 : -1;
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
