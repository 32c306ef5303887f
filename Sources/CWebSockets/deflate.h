#ifndef GESTURED_WEBSOCKETS_DEFLATE_H
#define GESTURED_WEBSOCKETS_DEFLATE_H
#include <libwebsockets.h>
#include <stddef.h>
#include <stdint.h>

/* permessage-deflate (RFC 7692) of one connection.
 *
 * libwebsockets has an extension of its own, but a peer's bytes can make version 4.1 abort in it,
 * and it damages some messages. So this one stands in its place: libwebsockets negotiates it and
 * passes payloads through as they are; whole messages are deflated and inflated here. */
typedef struct gw_deflate gw_deflate;

/* The extension, for the list of a vhost. */
int gw_deflate_extension(
    struct lws_context *context, const struct lws_extension *extension, struct lws *wsi,
    enum lws_extension_callback_reasons reason, void *user, void *in, size_t count);
/* Whether an offer of extensions can be accepted: it asks for nothing that is not done here. */
int gw_deflate_can_accept(const char *offer);

/* `forgets` is no context takeover, in both directions. NULL if there is no memory. */
gw_deflate *gw_deflate_new(int forgets);
void gw_deflate_free(gw_deflate *deflate);

typedef enum {
    gw_inflated,
    gw_inflate_more,   /* one piece is done, and more follow */
    gw_inflate_bad,
    gw_inflate_large,
    gw_inflate_padded, /* it is longer than what it stands for, as no compressor makes it */
    gw_inflate_memory,
} gw_inflate_result;

/* Inflates the next piece of a message of at most `count_max` bytes: a few KiB, in a part of a
 * millisecond. At the end the content is in `*bytes`, which the caller frees. */
gw_inflate_result gw_inflate_piece(
    gw_deflate *deflate, const uint8_t *message, size_t count, size_t count_max, uint8_t **bytes,
    size_t *inflated);
/* Bytes of memory for a message that is inflated in part; NULL has none. */
size_t gw_inflating(const gw_deflate *deflate);
/* Gives up a message that is inflated in part. No other one can follow it. */
void gw_inflate_end(gw_deflate *deflate);
/* The same for a whole message. */
gw_inflate_result gw_inflate(
    gw_deflate *deflate, const uint8_t *message, size_t count, size_t count_max, uint8_t **bytes,
    size_t *inflated);

/* Bytes of the longest message that is deflated, and of the longest one while others wait: it takes
 * less than a millisecond. */
extern const size_t gw_deflatable_max, gw_deflatable_busy_max;
/* Deflates a message into room for `gw_deflated_max` bytes. Returns the count, or 0: send it as it
 * is. */
size_t gw_deflated_max(size_t count);
size_t gw_deflate_message(gw_deflate *deflate, const uint8_t *message, size_t count, uint8_t *room);
/* The next frame that leaves is the first of a deflated message. */
void gw_deflate_mark(gw_deflate *deflate);

#endif
