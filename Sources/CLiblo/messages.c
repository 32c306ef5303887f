#include "messages.h"

#include <lo/lo_lowlevel.h>
#include <stdlib.h>
#include <string.h>

struct gm_message {
    lo_message message;
    const char *types;
    lo_arg **arguments;
    int count;
};

gm_message *gm_message_read(const void *bytes, size_t count) {
    gm_message *read = calloc(1, sizeof *read);
    int result = 0;
    if (!read) return NULL;
    /* It copies what it reads, in spite of its type. */
    read->message = lo_message_deserialise((void *)bytes, count, &result);
    if (!read->message) {
        free(read);
        return NULL;
    }
    read->types = lo_message_get_types(read->message);
    read->arguments = lo_message_get_argv(read->message);
    read->count = lo_message_get_argc(read->message);
    return read;
}

void gm_message_free(gm_message *message) {
    lo_message_free(message->message);
    free(message);
}

const char *gm_message_types(const gm_message *message) { return message->types; }

/* The argument's bytes, if its type is one of two. */
static const void *argument(const gm_message *message, int place, const char *types) {
    if (place < 0 || place >= message->count) return NULL;
    char type = message->types[place];
    return type && strchr(types, type) ? message->arguments[place] : NULL;
}

/* Arguments of 8 bytes stand at multiples of 4, so each is copied. */
int64_t gm_message_integer(const gm_message *message, int place) {
    const void *bytes = argument(message, place, "ih");
    int32_t narrow;
    int64_t wide;
    if (!bytes) return 0;
    if (message->types[place] == 'i') {
        memcpy(&narrow, bytes, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, bytes, sizeof wide);
    return wide;
}

double gm_message_number(const gm_message *message, int place) {
    const void *bytes = argument(message, place, "fd");
    float narrow;
    double wide;
    if (!bytes) return 0;
    if (message->types[place] == 'f') {
        memcpy(&narrow, bytes, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, bytes, sizeof wide);
    return wide;
}

const char *gm_message_text(const gm_message *message, int place) {
    const void *bytes = argument(message, place, "sS");
    return bytes ? bytes : "";
}
