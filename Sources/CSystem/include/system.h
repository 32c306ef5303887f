#ifndef GESTURED_SYSTEM_H
#define GESTURED_SYSTEM_H
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Calls that Swift's Glibc module leaves out. Each returns -1 with errno set on failure. */

/* A descriptor that other threads make readable: close-on-exec, never blocking. */
int gs_eventfd_open(void);
void gs_eventfd_signal(int fd);
void gs_eventfd_clear(int fd);
/* Waits until somebody has signalled it, at most so long (-1: for ever), and clears it. A signal of
   the system may end the wait early. */
void gs_eventfd_wait(int fd, int64_t nanoseconds);

/* A descriptor that is readable from a set time on, once it has come: close-on-exec, never
   blocking. */
int gs_timer_open(void);
/* Sets it to a time of the monotonic clock, instead of what it was set to. */
void gs_timer_set(int fd, int64_t nanoseconds);
/* Makes it unreadable until it is set again and that time has come. */
void gs_timer_clear(int fd);

/* Blocks SIGTERM, SIGINT and SIGHUP in this thread (and those it starts later), and returns a
   descriptor that tells of them. Call it before any other thread exists. */
int gs_signals_open(void);
/* The next signal that has arrived, 0 if none. */
int gs_signals_next(int fd);

/* A socket for datagrams to other processes of this machine: close-on-exec, never blocking. */
int gs_datagrams_open(void);
/* Sends one to a path, or to an abstract name that begins with '@'. Never blocks: 1 means that
   there is no room now. */
int gs_datagram_send(int fd, const char *path, const void *bytes, size_t count);

/* Writes to a descriptor unless that would block, which is 1, or finds room for a part alone,
   which is 1 too. What fits a pipe at once (PIPE_BUF) is written whole. */
int gs_write_unless_full(int fd, const void *bytes, size_t count);

/* Reads a file from its beginning, at most so many bytes; how many there were. It refuses
   pipes and the like, which could make a reader wait, and everything that is no file: -2. */
ssize_t gs_read_file(const char *path, void *bytes, size_t count_max);

/* Opens what of the standard input, output and error is closed, so that no file or socket that is
   opened later gets its number, and what is meant for people. */
void gs_standard_open(void);

/* The other end of a terminal or pipe again, so that writing never blocks while those who share
   the given descriptor see nothing of it; that descriptor itself where it cannot be had. */
int gs_reopen_unblocked(int fd);

/* Opens (making it) and locks a file. -2: somebody else holds the lock. */
int gs_lock_file(const char *path);

/* Renames a file unless the new name is taken. */
int gs_rename_new(const char *path, const char *name);

#endif
