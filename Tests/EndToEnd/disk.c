// A disk that fails and a disk whose power is cut, for one daemon: LD_PRELOAD puts it between the
// daemon and its database.
//
//   DISK_FILE      the database; its log is DISK_FILE-wal. No other file is touched.
//   DISK_SWITCH    faults happen while this file exists
//   DISK_SEED      the seed of all chances
//   DISK_FIRST     so many reads fail at first (EIO)
//   DISK_READ, DISK_SYNC, DISK_FULL   chances that a read fails (EIO), a sync fails (EIO), a write
//                  finds no room (ENOSPC)
//   DISK_LOG       gets each write, cut and sync in their order: `struct entry`, then the bytes
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct entry {
    uint8_t kind; // 'w', 't' (cut to a length) or 's'
    uint8_t is_log;
    uint8_t unused[2];
    uint32_t length;
    uint64_t place;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t state;
static long first;
static double reads, syncs, fulls;
static int journal = -1;

static double number(const char *name) {
    const char *text = getenv(name);
    return text ? atof(text) : 0;
}

__attribute__((constructor)) static void begin(void) {
    state = (uint64_t)number("DISK_SEED");
    first = (long)number("DISK_FIRST");
    reads = number("DISK_READ");
    syncs = number("DISK_SYNC");
    fulls = number("DISK_FULL");
    const char *path = getenv("DISK_LOG");
    if (path) journal = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

// 0: the database, 1: its log, -1: another file
static int which(int file) {
    const char *path = getenv("DISK_FILE");
    char link[32], target[4096];
    if (!path) return -1;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    int saved = errno;
    ssize_t count = readlink(link, target, sizeof target - 1);
    errno = saved;
    size_t length = strlen(path);
    if (count < (ssize_t)length || memcmp(target, path, length) != 0) return -1;
    target[count] = 0;
    if (target[length] == 0 || target[length] == ' ') return 0;
    return strncmp(target + length, "-wal", 4) == 0 ? 1 : -1;
}

static int is_on(void) {
    const char *path = getenv("DISK_SWITCH");
    int saved = errno;
    int on = path && access(path, F_OK) == 0;
    errno = saved;
    return on;
}

static int happens(double chance) {
    if (chance <= 0 || !is_on()) return 0;
    pthread_mutex_lock(&mutex);
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    pthread_mutex_unlock(&mutex);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0 < chance;
}

static void note(char kind, int is_log, uint64_t place, const void *bytes, size_t length) {
    if (journal < 0) return;
    struct entry entry = {
        .kind = (uint8_t)kind, .is_log = (uint8_t)is_log, .length = (uint32_t)length,
        .place = place};
    struct iovec parts[2] = {{&entry, sizeof entry}, {(void *)bytes, length}};
    pthread_mutex_lock(&mutex);
    int saved = errno;
    if (writev(journal, parts, length ? 2 : 1) != (ssize_t)(sizeof entry + length)) abort();
    errno = saved;
    pthread_mutex_unlock(&mutex);
}

static int read_fails(int file) {
    if ((first <= 0 && reads <= 0) || which(file) < 0) return 0;
    if (first > 0 && is_on()) {
        pthread_mutex_lock(&mutex);
        int fails = first > 0;
        first -= fails;
        pthread_mutex_unlock(&mutex);
        if (fails) return 1;
    }
    return happens(reads);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t place) {
    if (read_fails(file)) return errno = EIO, -1;
    return syscall(SYS_pread64, file, bytes, count, place);
}
ssize_t pread(int file, void *bytes, size_t count, off_t place) {
    return pread64(file, bytes, count, place);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) {
    int found = which(file);
    if (found >= 0 && happens(fulls)) return errno = ENOSPC, -1;
    if (found >= 0) note('w', found, (uint64_t)place, bytes, count);
    return syscall(SYS_pwrite64, file, bytes, count, place);
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) {
    return pwrite64(file, bytes, count, place);
}

int ftruncate64(int file, off64_t length) {
    int found = which(file);
    if (found >= 0) note('t', found, (uint64_t)length, 0, 0);
    return (int)syscall(SYS_ftruncate, file, length);
}
int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

static int synced(long call, int file) {
    int found = which(file);
    if (found >= 0 && happens(syncs)) return errno = EIO, -1;
    int result = (int)syscall(call, file);
    // Only then is it told as done.
    if (found >= 0 && result == 0) note('s', found, 0, 0, 0);
    return result;
}
int fsync(int file) { return synced(SYS_fsync, file); }
int fdatasync(int file) { return synced(SYS_fdatasync, file); }
