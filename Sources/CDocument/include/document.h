#ifndef GESTURED_DOCUMENT_H
#define GESTURED_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The C++ libraries that read JSON and TOML, behind a C interface for Swift.

   Two ways in: `gs_document_json` and `gs_document_toml` read a whole text into flat entries, which
   Protocol's `Document` turns into a tree; `gs_event_parser` reads the members of an event's body
   into the same memory each time, for Codec's `EventDecoder`. json.cpp and toml.cpp hold the first,
   event.cpp the second, numbers.cpp the numbers that simdjson refuses. No exception leaves this
   folder. It decides nothing about what the values mean, and may change freely behind this
   header. */

/* The type of a value. A field that is missing is `gs_absent`. */
enum {
    gs_absent = 0,
    gs_null,
    gs_false,
    gs_true,
    gs_integer,
    gs_number,
    /* A whole number that fits into uint64 only, as the bits of `integer`. */
    gs_unsigned,
    gs_string,
    gs_array,
    gs_object
};

/* The result of reading. */
enum {
    gs_ok = 0,
    gs_no_memory,
    gs_not_utf8,
    gs_empty,
    gs_too_deep,
    gs_too_many,
    gs_malformed,
    gs_not_object
};

/* One value of a document, in the order of the text: children follow their container. */
typedef struct gs_entry {
    uint8_t kind;
    /* From 1; 0 in JSON. A member has its key's line. */
    uint32_t line;
    /* Number of values in a container. */
    size_t children;
    /* A member's name, null elsewhere. UTF-8 without a terminating zero. */
    const char *key;
    size_t key_length;
    const char *text;
    size_t text_length;
    int64_t integer;
    double number;
} gs_entry;

typedef struct gs_document gs_document;

/* Both return a document that must be closed, or null if there is no memory. */
gs_document *gs_document_json(
    const uint8_t *bytes, size_t length, size_t depth_max, size_t values_max);
/* Whether bytes are JSON, whatever their depth: their values are not kept. `gs_ok`, or why not. */
int gs_json_check(const uint8_t *bytes, size_t length);
/* Dates and times are null. */
gs_document *gs_document_toml(const uint8_t *bytes, size_t length, size_t depth_max);
void gs_document_close(gs_document *document);

int gs_document_status(const gs_document *document);
/* Whether a number was too large, so that null or the nearest double stands for it. */
bool gs_document_is_inexact(const gs_document *document);
/* The error, with a terminating zero; empty if there is none. */
const char *gs_document_message(const gs_document *document);
/* The place of the error, from 1; 0 if it is not known. */
uint32_t gs_document_error_line(const gs_document *document);
uint32_t gs_document_error_column(const gs_document *document);
const gs_entry *gs_document_entries(const gs_document *document);
size_t gs_document_entry_count(const gs_document *document);

/* One member of an event's body. */
typedef struct gs_field {
    uint32_t kind;
    uint32_t length;
    const char *text;
    int64_t integer;
    /* Also set for integers. */
    double number;
} gs_field;

/* Every member that an event may have; the last one if it is repeated. */
typedef struct gs_fields {
    gs_field gesture, phase, x, y, vx, vy, offset, direction, index, row, pointer;
    gs_field scale, angle, velocity, dx, dy, momentum;
    gs_field pressure, user, symbol;
    gs_field kind, add, set, data, command, scene, t, id;
} gs_fields;

/* Reads one event after the other into the same memory. For one thread at a time. */
typedef struct gs_event_parser gs_event_parser;

/* `capacity` is the length in bytes of the longest body. Null if there is no memory. */
gs_event_parser *gs_event_parser_open(size_t capacity);
void gs_event_parser_close(gs_event_parser *parser);
/* Returns the result; the fields stay valid until the next call, and their texts as long as the
   bytes do as well. `depth_max` is the number of containers within each other, as for a
   document. */
int gs_event_parser_read(gs_event_parser *parser, const uint8_t *bytes, size_t length,
                         size_t depth_max);
const gs_fields *gs_event_parser_fields(const gs_event_parser *parser);
/* The body that was read last, as a document that is the parser's and valid until the next call.
   Only where reading it ended well. */
const gs_document *gs_event_parser_tree(gs_event_parser *parser, size_t depth_max);

#ifdef __cplusplus
}
#endif
#endif
