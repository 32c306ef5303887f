#ifndef GESTURED_SYSTEM_H
#define GESTURED_SYSTEM_H
#include <stddef.h>
#include <stdint.h>

/* No <sys/types.h>: Swift would take this module for the owner of the system's structs in it. */

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
/* The same, and one more signal. */
int gs_signals_open_with(int number);
/* The next signal that has arrived, 0 if none. */
int gs_signals_next(int fd);

/* A descriptor that is readable while one of a group is; one that closes leaves the group. */
int gs_group_open(void);
/* Adds a descriptor to a group; 0, or −1 where it cannot. */
int gs_group_add(int group, int fd);

/* A socket for datagrams to other processes of this machine: close-on-exec, never blocking. */
int gs_datagrams_open(void);
/* Whether a socket can have the path: neither empty nor too long. */
int gs_datagram_path_fits(const char *path);
/* Sends one to a path, or to an abstract name that begins with '@'. Never blocks: 1 means that
   there is no room now. */
int gs_datagram_send(int fd, const char *path, const void *bytes, size_t count);

/* Writes to a descriptor unless that would block, which is 1, or finds room for a part alone,
   which is 1 too. What fits a pipe at once (PIPE_BUF) is written whole. */
int gs_write_unless_full(int fd, const void *bytes, size_t count);

/* Reads a file from its beginning, at most so many bytes; how many there were. It refuses
   pipes and the like, which could make a reader wait, and everything that is no file: -2. */
long gs_read_file(const char *path, void *bytes, size_t count_max);

/* Opens what of the standard input, output and error is closed, so that no file or socket that is
   opened later gets its number, and what is meant for people. */
void gs_standard_open(void);

/* The other end of a terminal or pipe again, so that writing never blocks while those who share
   the given descriptor see nothing of it; that descriptor itself where it cannot be had. */
int gs_reopen_unblocked(int fd);

/* Whether a folder shows the kernel's own things, as /proc does: no folder can be made there. */
int gs_is_kernels_own(const char *path);

/* A file in memory that its user alone may read, for the life of its descriptor. -1: none. */
int gs_private_file(void);

/* Locks a folder, and a plain file in it, which it makes: the folder's lock holds if somebody
   removes the file. Both locks end with the process. 0: both are held. -2: somebody else holds one
   of them. */
int gs_lock_folder(const char *path, const char *name);

/* A descriptor that keeps a file's number from being given to another file, and reads nothing. */
int gs_file_hold(const char *path);
/* Whether a path leads to the file that is held: 0 if it leads to another file or to none. */
int gs_file_is_at(int fd, const char *path);
/* Makes an empty file that its owner alone may read and write, whatever the umask, unless there is
   one. */
void gs_file_make(const char *path);
/* Takes from a file all rights but these: its owner may read and write, its group may read it. */
void gs_file_protect(const char *path);

/* Read as read() and pread() do, and remember for this thread that the system failed. */
long gs_read(int fd, void *bytes, size_t count);
long gs_pread(int fd, void *bytes, size_t count, long place);
/* The error's number of this thread's last failed read since the last call; 0: none failed. */
int gs_read_error_take(void);

/* Ends the connection of a socket that somebody else owns and will close: nothing is sent or
   received any more, and what has arrived is dropped, at most so many bytes. */
void gs_connection_cut(int fd, size_t bytes_max);

/* The local port of a TCP socket; -1: it is none. */
int gs_connection_port(int fd);

/* Bytes that a TCP connection has received and its owner has read; -1: it is no such connection.
   `taken` becomes the bytes that its peer has taken, `written` those with what waits for it. The
   result lacks as many bytes as arrive during the call, so it may be less than the last one. */
int64_t gs_connection_consumed(int fd, int64_t *received, int64_t *taken, int64_t *written);
/* A number that no other open socket has. */
int64_t gs_connection_identity(int fd);

/* Whether so many bytes wait in the system for a connection's peer; or fewer, where the system
   keeps few for it: a peer chooses small segments and a small window. 0: it reads, or has gone. */
int gs_connection_is_behind(int fd, int bytes_min);

/* Writes the host from which a TCP connection comes, as a number. 0, or -1: it is none. */
int gs_connection_host(int fd, char *text, size_t size);
/* Writes where a connection comes from: an address with its port, or of a socket of a file
   `pid N of user N`. 0, or -1: it is no connection. */
int gs_connection_peer(int fd, char *text, size_t size);
/* Writes the file of a connected socket, as it was bound, `@` for the zero of an abstract one. 0, or
   -1: it has none. */
int gs_connection_file(int fd, char *text, size_t size);

/* A socket that receives UDP datagrams at a numeric address: close-on-exec, never blocking. `port`
   becomes the one that it has, where it was 0. -2: the address is none. */
int gs_udp_open(const char *address, uint16_t *port);
/* Receives a datagram: its size, or -1 if there is none. `sender` becomes its address as text. */
long gs_udp_receive(int fd, void *bytes, size_t count_max, char *sender, size_t sender_max);

/* Starts a program in a process group of its own, with these words and this environment (each ends
   with NULL), no input, and no signal blocked. It is killed when the calling thread ends. Returns its
   number; `ended` becomes a descriptor that is readable once it has ended, -1 where the system has
   none. A program that cannot be run ends with status 127. */
int gs_program_start(const char *path, const char *const words[], const char *const environment[],
                     int *ended);
/* How it ended: 0 to 255 its status, 256 and a signal's number; -1: it has not ended. */
int gs_program_ended(int program);
/* Kills it and what it has started. */
void gs_program_kill(int program);

/* Names the calling thread, with at most 15 bytes. */
void gs_thread_set_name(const char *name);

/* Processors on which this process may run. */
int gs_processor_count(void);

/* Bytes of memory that this process has from the system. */
int64_t gs_memory_resident(void);
/* Bytes that are allocated. It looks at all free pieces, a few microseconds for a thousand of them.
   Threads that allocate wait until then. */
int64_t gs_memory_allocated(void);
/* Takes each block of 256 KiB and more from the system by itself, so that it goes back as soon as it
   is free. By default the C library raises this bound with each large block that is freed, and then
   keeps blocks of a MiB between smaller ones that are in use. */
void gs_memory_large_apart(void);
/* Gives free memory back to the system. */
void gs_memory_return(void);

/* Renames a file unless the new name is taken. */
int gs_rename_new(const char *path, const char *name);

/* Has the processor begin to read so many bytes, and does not wait for them. */
static inline void gs_read_ahead(const void *start, size_t count) {
    for (size_t at = 0; at < count; at += 64) __builtin_prefetch((const char *)start + at);
}

#endif
