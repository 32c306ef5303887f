// Clocks that jump, for one daemon: LD_PRELOAD adds what the file CLOCKS has. Two numbers of eight
// bytes: seconds for the wall clock, seconds for the clock since the boot.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *shifts;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CLOCKS");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *found = mmap(0, 16, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (found != MAP_FAILED) shifts = found;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && shifts) {
        if (clock == CLOCK_REALTIME) time->tv_sec += shifts[0];
        if (clock == CLOCK_BOOTTIME) time->tv_sec += shifts[1];
    }
    return result;
}
