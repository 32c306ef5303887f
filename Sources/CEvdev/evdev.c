#include "evdev.h"

#include <errno.h>
#include <fcntl.h>
#include <libevdev/libevdev.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Slots whose values are read at the opening; hardware has up to some 20. */
enum { slots_max = 256 };
/* Events for each slot, and those behind all of them. */
enum { slot_events = 6, last_events = 10 };

struct ge_device {
    struct libevdev *evdev;
    int descriptor;
    int is_syncing;
    /* The state at the opening: the device sends only changes. */
    ge_event *present;
    int present_count, present_taken;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static void add(ge_device *device, int type, int code, int value) {
    device->present[device->present_count++] =
        (ge_event){.microseconds = now(), .type = type, .code = code, .value = value};
}

static void add_if_known(ge_device *device, int type, int code) {
    if (libevdev_has_event_code(device->evdev, (unsigned)type, (unsigned)code)) {
        add(device, type, code,
            libevdev_get_event_value(device->evdev, (unsigned)type, (unsigned)code));
    }
}

static int collect_present(ge_device *device) {
    int slots = libevdev_get_num_slots(device->evdev);
    slots = slots < 0 ? 0 : slots > slots_max ? slots_max : slots;
    device->present = calloc((size_t)(slots * slot_events + last_events), sizeof(ge_event));
    if (!device->present) return -1;
    for (int slot = 0; slot < slots; slot++) {
        static const unsigned codes[] = {
            ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TOOL_TYPE, ABS_MT_DISTANCE,
            ABS_MT_TRACKING_ID};
        add(device, EV_ABS, ABS_MT_SLOT, slot);
        for (int each = 0; each < 5; each++) {
            if (!ge_has(device, EV_ABS, (int)codes[each])) continue;
            int value = libevdev_get_slot_value(device->evdev, (unsigned)slot, codes[each]);
            /* No contact is in the slot; its decoder knows so. */
            if (codes[each] == ABS_MT_TRACKING_ID && value < 0) continue;
            add(device, EV_ABS, (int)codes[each], value);
        }
    }
    if (slots > 0) add(device, EV_ABS, ABS_MT_SLOT, libevdev_get_current_slot(device->evdev));
    add_if_known(device, EV_ABS, ABS_X);
    add_if_known(device, EV_ABS, ABS_Y);
    for (int pen = BTN_TOOL_PEN; pen <= BTN_TOOL_AIRBRUSH; pen++) {
        add_if_known(device, EV_KEY, pen);
    }
    add_if_known(device, EV_KEY, BTN_TOUCH);
    add(device, EV_SYN, SYN_REPORT, 0);
    return 0;
}

ge_device *ge_open(const char *path, int grabs, int *fault) {
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        *fault = errno;
        return NULL;
    }
    ge_device *device = calloc(1, sizeof *device);
    if (!device) {
        *fault = ENOMEM;
        close(descriptor);
        return NULL;
    }
    device->descriptor = descriptor;
    int result = libevdev_new_from_fd(descriptor, &device->evdev);
    if (result == 0) result = libevdev_set_clock_id(device->evdev, CLOCK_MONOTONIC);
    if (result == 0 && grabs) result = libevdev_grab(device->evdev, LIBEVDEV_GRAB);
    if (result == 0 && collect_present(device) != 0) result = -ENOMEM;
    if (result == 0) return device;
    /* Pipes and files refuse the first question in several ways. */
    *fault = result == -EINVAL ? ENOTTY : -result;
    ge_close(device);
    return NULL;
}

void ge_close(ge_device *device) {
    if (device->evdev) libevdev_free(device->evdev);
    close(device->descriptor);
    free(device->present);
    free(device);
}

int ge_descriptor(const ge_device *device) { return device->descriptor; }

const char *ge_name(const ge_device *device) { return libevdev_get_name(device->evdev); }

int ge_has(const ge_device *device, int type, int code) {
    return libevdev_has_event_code(device->evdev, (unsigned)type, (unsigned)code);
}

int ge_range(const ge_device *device, int axis, int *from, int *to) {
    if (!ge_has(device, EV_ABS, axis)) return 0;
    *from = libevdev_get_abs_minimum(device->evdev, (unsigned)axis);
    *to = libevdev_get_abs_maximum(device->evdev, (unsigned)axis);
    return 1;
}

ge_result ge_next(ge_device *device, ge_event *event) {
    if (device->present_taken < device->present_count) {
        *event = device->present[device->present_taken++];
        return ge_read;
    }
    struct input_event raw;
    int result = -EAGAIN;
    if (device->is_syncing) {
        result = libevdev_next_event(device->evdev, LIBEVDEV_READ_FLAG_SYNC, &raw);
        if (result == -EAGAIN) device->is_syncing = 0;
    }
    int is_syncing = device->is_syncing;
    if (!is_syncing) {
        result = libevdev_next_event(device->evdev, LIBEVDEV_READ_FLAG_NORMAL, &raw);
    }
    if (result == -EAGAIN) return ge_none;
    if (result < 0) return ge_gone;
    event->microseconds = (int64_t)raw.input_event_sec * 1000000 + raw.input_event_usec;
    event->type = raw.type;
    event->code = raw.code;
    event->value = raw.value;
    if (is_syncing || result == LIBEVDEV_READ_STATUS_SUCCESS) return ge_read;
    device->is_syncing = 1;
    return ge_lost;
}
