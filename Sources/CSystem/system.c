#define _GNU_SOURCE
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/signalfd.h>
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
