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

/* Bytes of a text with its end, which fills words of 4; -1: it has no end. */
static ptrdiff_t text_size(const char *text, ptrdiff_t left) {
    ptrdiff_t length = (ptrdiff_t)strnlen(text, (size_t)left);
    return length == left ? -1 : (length + 4) & ~(ptrdiff_t)3;
}

/* Bytes of a value; -1: it has too few, or a type that is none. */
static ptrdiff_t value_size(char type, const char *value, ptrdiff_t left) {
    const uint8_t *bytes = (const uint8_t *)value;
    switch (type) {
    case LO_INT32: case LO_FLOAT: case LO_CHAR: case LO_MIDI: return 4;
    case LO_INT64: case LO_TIMETAG: case LO_DOUBLE: return 8;
    case LO_STRING: case LO_SYMBOL: return text_size(value, left);
    case LO_TRUE: case LO_FALSE: case LO_NIL: case LO_INFINITUM: return 0;
    case LO_BLOB:
        if (left < 4 || bytes[0] > 0) return -1;
        left = (ptrdiff_t)bytes[1] << 16 | bytes[2] << 8 | bytes[3];
        return 4 + ((left + 3) & ~(ptrdiff_t)3);
    default: return -1;
    }
}

/* Whether all values of a message are there: liblo reads a blob's size before it asks. */
static int has_values(const char *bytes, ptrdiff_t left) {
    ptrdiff_t size = text_size(bytes, left);
    if (size < 0 || size >= left) return 0;
    const char *types = bytes + size;
    const char *value = types;
    left -= size;
    size = text_size(types, left);
    if (size < 0 || *types != ',') return 0;
    for (const char *type = types + 1;; type++) {
        if (size < 0 || size > left) return 0;
        value += size;
        left -= size;
        if (!*type) return 1;
        size = value_size(*type, value, left);
    }
}

gm_message *gm_message_read(const void *bytes, size_t count) {
    gm_message *read = calloc(1, sizeof *read);
    int result = 0;
    if (!read) return NULL;
    if (!has_values(bytes, (ptrdiff_t)count)) {
        free(read);
        return NULL;
    }
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
