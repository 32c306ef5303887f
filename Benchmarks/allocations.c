// Preloaded into the daemon, counts its allocations by caller:
// libzmq, which allocates each message beyond 33 bytes, and all others, which must not.
//   cc -O2 -shared -fPIC -o allocations.so allocations.c; ALLOCATIONS=FILE LD_PRELOAD=… gestured
// FILE holds two 64-bit counters, the others' and libzmq's. It is mapped, so that a reader sees
// them while the daemon runs.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic uint64_t unread[2];
static _Atomic uint64_t *counters = unread;
static uintptr_t zmq_begin, zmq_end;

static int find_zmq(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size;
    (void)unused;
    if (!strstr(info->dlpi_name, "libzmq")) return 0;
    for (int place = 0; place < info->dlpi_phnum; ++place) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[place];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        zmq_begin = info->dlpi_addr + part->p_vaddr;
        zmq_end = zmq_begin + part->p_memsz;
    }
    return 1;
}

__attribute__((constructor)) static void begin(void) {
    dl_iterate_phdr(find_zmq, NULL);
    const char *path = getenv("ALLOCATIONS");
    const int file = path ? open(path, O_RDWR | O_CREAT, 0600) : -1;
    if (file < 0 || ftruncate(file, sizeof unread) < 0) return;
    void *mapped = mmap(NULL, sizeof unread, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) counters = mapped;
}

static void count(void *caller) {
    const uintptr_t at = (uintptr_t)caller;
    atomic_fetch_add_explicit(
        &counters[at >= zmq_begin && at < zmq_end], 1, memory_order_relaxed);
}
#define COUNT() count(__builtin_return_address(0))

void *malloc(size_t size) { COUNT(); return __libc_malloc(size); }
void *calloc(size_t number, size_t size) { COUNT(); return __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { COUNT(); return __libc_realloc(old, size); }
void *memalign(size_t align, size_t size) { COUNT(); return __libc_memalign(align, size); }
void *aligned_alloc(size_t align, size_t size) { COUNT(); return __libc_memalign(align, size); }
int posix_memalign(void **result, size_t align, size_t size) {
    COUNT();
    *result = __libc_memalign(align, size);
    return *result ? 0 : 12;
}
// C++'s operators new. With libstdc++'s own, malloc would not see the caller.
void *_Znwm(size_t size) { COUNT(); return __libc_malloc(size); }
void *_Znam(size_t size) { COUNT(); return __libc_malloc(size); }
void *_ZnwmRKSt9nothrow_t(size_t size, void *tag) { (void)tag; COUNT(); return __libc_malloc(size); }
void *_ZnamRKSt9nothrow_t(size_t size, void *tag) { (void)tag; COUNT(); return __libc_malloc(size); }
