// The measures that both sides of a comparison use.
#pragma once

#include <malloc.h>
#include <stddef.h>
#include <time.h>

/// Bytes of the heap in use by this process, with the allocator's own overhead.
static inline size_t measure_heap_bytes(void) {
    const struct mallinfo2 info = mallinfo2();
    // Large blocks are mapped one by one, beside the heap.
    return info.uordblks + info.hblkhd;
}

/// Processor time (ns) of the calling thread, so that other processes do not matter.
static inline double measure_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}
