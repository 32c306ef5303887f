#ifndef GESTURED_DOCUMENT_H
#define GESTURED_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What stands at one place of a document. A field that is not there is `gs_absent`. */
enum {
    gs_absent = 0,
    gs_null,
    gs_false,
    gs_true,
    gs_integer,
    gs_number,
    /* A whole number beyond int64, in the bits of `integer`. */
    gs_unsigned,
    gs_string,
    gs_array,
    gs_object
};

/* How reading ended. */
enum {
    gs_ok = 0,
    gs_no_memory,
    gs_not_utf8,
    gs_empty,
    gs_too_deep,
    gs_malformed,
    gs_not_object
};

/* One value of a document, in the order of the text: a container is followed by its children. */
typedef struct gs_entry {
    uint8_t kind;
    /* From 1; 0 in JSON. A member's is its key's. */
    uint32_t line;
    /* Values in a container. */
    size_t children;
    /* Of a member; null elsewhere. UTF-8, not ended by a zero. */
    const char *key;
    size_t key_length;
    const char *text;
    size_t text_length;
    int64_t integer;
    double number;
} gs_entry;

typedef struct gs_document gs_document;

/* Both always return a document (null only without memory) that must be closed. */
gs_document *gs_document_json(const uint8_t *bytes, size_t length, size_t depth_max);
gs_document *gs_document_toml(const uint8_t *bytes, size_t length, size_t depth_max);
void gs_document_close(gs_document *document);

int gs_document_status(const gs_document *document);
/* Whether a number was too large to be held, so that null or ±9e99 stands for it. */
bool gs_document_is_inexact(const gs_document *document);
/* What is wrong, ended by a zero; empty when all is well. */
const char *gs_document_message(const gs_document *document);
/* Where it is wrong, from 1; 0 where that is not known. */
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
    /* Of integers too. */
    double number;
} gs_field;

/* Every member that any event knows; of repeated ones the last. */
typedef struct gs_fields {
    gs_field gesture, phase, x, y, vx, vy, offset, direction, index, row, pointer;
    gs_field scale, angle, velocity;
    gs_field kind, add, set, command, scene, t, id;
} gs_fields;

/* Reads one event after the other into the same memory. One thread at a time. */
typedef struct gs_event_parser gs_event_parser;

/* `capacity` bytes is the longest body that it will be given. Null without memory. */
gs_event_parser *gs_event_parser_open(size_t capacity);
void gs_event_parser_close(gs_event_parser *parser);
/* Returns how it ended; the fields and their texts stay valid until the next call. */
int gs_event_parser_read(gs_event_parser *parser, const uint8_t *bytes, size_t length);
const gs_fields *gs_event_parser_fields(const gs_event_parser *parser);
/* The body that was read last, as a document that is the parser's and valid until the next call.
   Only where reading it ended well. */
const gs_document *gs_event_parser_tree(gs_event_parser *parser, size_t depth_max);

#ifdef __cplusplus
}
#endif
#endif
