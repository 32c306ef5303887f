#ifndef GESTURED_MESSAGES_H
#define GESTURED_MESSAGES_H
#include <stddef.h>
#include <stdint.h>

/* liblo's messages of Open Sound Control behind plain types. */

typedef struct gm_message gm_message;

/* Reads one message; NULL where it is none. It keeps nothing of the bytes. */
gm_message *gm_message_read(const void *bytes, size_t count);
void gm_message_free(gm_message *message);
/* The types of its arguments, one letter each: `ifs`. */
const char *gm_message_types(const gm_message *message);
/* An argument of the types i, h: 0 for others. */
int64_t gm_message_integer(const gm_message *message, int place);
/* An argument of the types f, d: 0 for others. */
double gm_message_number(const gm_message *message, int place);
/* An argument of the types s, S: empty for others. It lives as long as the message. */
const char *gm_message_text(const gm_message *message, int place);

#endif
