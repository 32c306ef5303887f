/* Named pipes that answer as input devices of Linux.
 *
 * A pipe NAME is a device if a file NAME.description beside it says so, in the words of evemu. Its
 * present state stands in NAME.state: lines `K <key>`, `A <axis> <value>` and
 * `S <axis> <slot> <value>`, codes in hexadecimal. A device that is grabbed has a file
 * NAME.grabbed; one with a file NAME.busy is grabbed by somebody else. A pipe that nobody writes to
 * any more reads as an unplugged device. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

typedef ssize_t (*reader)(int, void *, size_t);
typedef int (*controller)(int, unsigned long, ...);

/* The path of a descriptor that is a device; NULL for others. */
static const char *device(int descriptor, char *path, size_t size) {
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISFIFO(status.st_mode)) return NULL;
    char link[64], beside[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, path, size - 1);
    if (count < 0) return NULL;
    path[count] = 0;
    char *deleted = strstr(path, " (deleted)");
    if (deleted) *deleted = 0;
    snprintf(beside, sizeof beside, "%s.description", path);
    return access(beside, R_OK) == 0 ? path : NULL;
}

static FILE *beside(const char *path, const char *suffix) {
    char name[4096];
    snprintf(name, sizeof name, "%s.%s", path, suffix);
    return fopen(name, "re");
}

/* The bits of a type of events, of which evemu writes eight bytes a line. */
static void bits(const char *path, char mark, unsigned type, unsigned char *to, size_t size) {
    char line[4096], wanted[16];
    size_t place = 0;
    memset(to, 0, size);
    snprintf(wanted, sizeof wanted, mark == 'B' ? "B: %02x" : "P:", type);
    FILE *file = beside(path, "description");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, wanted, strlen(wanted)) != 0) continue;
        char *rest = line + strlen(wanted);
        unsigned byte;
        int length;
        while (sscanf(rest, " %x%n", &byte, &length) == 1) {
            if (place < size) to[place++] = (unsigned char)byte;
            rest += length;
        }
    }
    if (file) fclose(file);
}

static int value(const char *path, const char *format, unsigned code, int slot, int other) {
    char line[256], wanted[64];
    snprintf(wanted, sizeof wanted, format, code, slot);
    FILE *file = beside(path, "state");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, wanted, strlen(wanted)) == 0) other = atoi(line + strlen(wanted));
    }
    if (file) fclose(file);
    return other;
}

static int axis(const char *path, unsigned code, struct input_absinfo *to) {
    char line[4096];
    int found = 0;
    memset(to, 0, sizeof *to);
    FILE *file = beside(path, "description");
    while (file && fgets(line, sizeof line, file)) {
        unsigned each;
        int from, end;
        if (sscanf(line, "A: %x %d %d", &each, &from, &end) < 3 || each != code) continue;
        *to = (struct input_absinfo){.minimum = from, .maximum = end};
        found = 1;
    }
    if (file) fclose(file);
    to->value = value(path, "A %x ", code, 0, 0);
    return found;
}

static int name(const char *path, char *to, size_t size) {
    char line[4096];
    FILE *file = beside(path, "description");
    snprintf(to, size, "a pipe");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "N: ", 3) != 0) continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(to, size, "%s", line + 3);
    }
    if (file) fclose(file);
    return (int)strlen(to) + 1;
}

static int grab(const char *path, int is_grabbed) {
    char file[4096];
    snprintf(file, sizeof file, "%s.busy", path);
    if (access(file, F_OK) == 0) return errno = EBUSY, -1;
    snprintf(file, sizeof file, "%s.grabbed", path);
    if (!is_grabbed) return unlink(file);
    int made = open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    return made < 0 ? -1 : close(made);
}

/* `values` begins with the axis; its values in all slots follow. */
static int slots(const char *path, int *values, size_t size) {
    unsigned code = (unsigned)values[0];
    for (int slot = 0; slot + 1 < (int)(size / sizeof *values); slot++) {
        int none = code == ABS_MT_TRACKING_ID ? -1 : 0;
        values[slot + 1] = value(path, "S %x %d ", code, slot, none);
    }
    return 0;
}

int ioctl(int descriptor, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *to = va_arg(arguments, void *);
    va_end(arguments);
    char place[4096];
    const char *path =
        _IOC_TYPE(request) == 'E' ? device(descriptor, place, sizeof place) : NULL;
    if (!path) return ((controller)dlsym(RTLD_NEXT, "ioctl"))(descriptor, request, to);
    size_t size = _IOC_SIZE(request);
    unsigned number = _IOC_NR(request);
    if (number == _IOC_NR(EVIOCGRAB)) return grab(path, to != NULL);
    if (number == _IOC_NR(EVIOCGVERSION)) return *(int *)to = EV_VERSION, 0;
    if (number == _IOC_NR(EVIOCGID)) return memset(to, 0, size), 0;
    if (number == _IOC_NR(EVIOCGNAME(0))) return name(path, to, size);
    if (number == _IOC_NR(EVIOCGPROP(0))) return bits(path, 'P', 0, to, size), (int)size;
    if (number == _IOC_NR(EVIOCGMTSLOTS(0))) return slots(path, to, size);
    if (number == _IOC_NR(EVIOCSCLOCKID)) return 0;
    if (number >= 0x20 && number < 0x40) return bits(path, 'B', number - 0x20, to, size), (int)size;
    if (number >= 0x40 && number < 0x80) {
        return axis(path, number - 0x40, to) ? 0 : (errno = EINVAL, -1);
    }
    if (number >= 0x18 && number <= 0x1b) {
        memset(to, 0, size);
        for (unsigned key = 0; number == 0x18 && key < size * 8; key++) {
            if (value(path, "K %x ", key, 0, 0)) ((char *)to)[key / 8] |= (char)(1 << key % 8);
        }
        return (int)size;
    }
    errno = ENOENT;
    return -1;
}

ssize_t read(int descriptor, void *to, size_t size) {
    ssize_t count = ((reader)dlsym(RTLD_NEXT, "read"))(descriptor, to, size);
    char place[4096];
    if (count == 0 && size > 0 && device(descriptor, place, sizeof place)) {
        errno = ENODEV;
        return -1;
    }
    return count;
}
