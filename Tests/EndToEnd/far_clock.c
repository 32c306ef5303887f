// A wall clock that somebody has set, for one daemon: LD_PRELOAD answers every question for it with
// the second in the variable FAR.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec = atoll(getenv("FAR"));
    return result;
}
