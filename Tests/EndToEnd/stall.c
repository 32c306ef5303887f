// A disk that hangs, for one daemon: LD_PRELOAD delays every sync while the file STALL exists.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int held(long number, int file) {
    const char *stall = getenv("STALL");
    while (stall && access(stall, F_OK) == 0) usleep(10000);
    return (int)syscall(number, file);
}
int fsync(int file) { return held(SYS_fsync, file); }
int fdatasync(int file) { return held(SYS_fdatasync, file); }
