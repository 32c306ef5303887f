#ifndef GESTURED_EVDEV_H
#define GESTURED_EVDEV_H
#include <stdint.h>

/* One input device of Linux, for one thread, over libevdev. Nothing here waits. */

typedef struct ge_device ge_device;

/* Types and codes are those of linux/input-event-codes.h. */
typedef struct {
    int64_t microseconds;  /* of CLOCK_MONOTONIC */
    int type, code, value;
} ge_event;

typedef enum {
    ge_none = 0,  /* nothing more for now */
    ge_read = 1,
    ge_lost = 2,  /* the kernel dropped events; those that follow make up for them */
    ge_gone = 3   /* the device was unplugged, or cannot be read any more */
} ge_result;

/* Opens a device, for itself alone if it `grabs`. Returns NULL and an errno in `*fault`; ENOTTY
 * where the file is no input device. The first events are what the device shows already. */
ge_device *ge_open(const char *path, int grabs, int *fault);
void ge_close(ge_device *device);

int ge_descriptor(const ge_device *device);
const char *ge_name(const ge_device *device);
int ge_has(const ge_device *device, int type, int code);
/* Returns whether the device has the absolute axis. */
int ge_range(const ge_device *device, int axis, int *from, int *to);

ge_result ge_next(ge_device *device, ge_event *event);

#endif
