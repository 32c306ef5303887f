#include <sqlite3.h>
#include <sys/types.h>

/* Has SQLite count no memory, for which each of its allocations would take a lock. To be called
   before everything else. */
static inline void gs_sqlite_count_no_memory(void) {
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* Has SQLite read files by these functions, in the whole process. SQLite calls a failed read damage
   (SQLITE_CORRUPT) and keeps nothing by which to tell them apart. */
static inline void gs_sqlite_read_by(
    ssize_t (*from_here)(int, void *, size_t), ssize_t (*from_place)(int, void *, size_t, off_t)) {
    sqlite3_vfs *system = sqlite3_vfs_find(0);
    if (system == 0 || system->iVersion < 3 || system->xSetSystemCall == 0) return;
    system->xSetSystemCall(system, "read", (sqlite3_syscall_ptr)from_here);
    system->xSetSystemCall(system, "pread", (sqlite3_syscall_ptr)from_place);
    system->xSetSystemCall(system, "pread64", (sqlite3_syscall_ptr)from_place);
}
