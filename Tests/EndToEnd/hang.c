// Lanes that hang, for one daemon: LD_PRELOAD stops each lane that reads a clock on its own queue
// while the file HANG exists. The reactor's thread goes on.
//
// LABEL is where the program has `dispatch_queue_get_label`, in hexadecimal digits, if libdispatch
// is a part of it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// libdispatch's: of the queue that the thread runs, if it is null.
static const char *(*label)(void *);

// The first object is the program itself.
static int base_of_first(struct dl_phdr_info *object, size_t size, void *base) {
    (void)size;
    *(ElfW(Addr) *)base = object->dlpi_addr;
    return 1;
}

__attribute__((constructor)) static void begin(void) {
    const char *place = getenv("LABEL");
    ElfW(Addr) base = 0;
    if (place) {
        dl_iterate_phdr(base_of_first, &base);
        label = (const char *(*)(void *))(base + strtoul(place, NULL, 16));
    } else {
        label = (const char *(*)(void *))dlsym(RTLD_DEFAULT, "dispatch_queue_get_label");
    }
}

static int is_lane(void) {
    const char *name = label && getpid() != gettid() ? label(0) : 0;
    return name && strncmp(name, "gestured.lane.", 14) == 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    const char *hang = getenv("HANG");
    while (hang && access(hang, F_OK) == 0 && is_lane()) usleep(10000);
    return (int)syscall(SYS_clock_gettime, clock, time);
}
