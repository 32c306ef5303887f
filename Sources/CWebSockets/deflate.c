#define _GNU_SOURCE
#include "deflate.h"

#include "server.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* A window of 16 KiB: what repeats from snapshot to snapshot lies within, and a connection needs
 * 96 KiB instead of 256. */
enum { window_bits = 14, memory_level = 6, level = 3 };
/* A shorter message would hardly become shorter. */
static const size_t deflated_min = 96;
/* The end of a message that the sender leaves out. */
static const uint8_t tail[] = {0x00, 0x00, 0xFF, 0xFF};

struct gw_deflate {
    z_stream in, out;
    int is_in_open, is_out_open;
    int forgets_in, forgets_out; /* no context takeover */
    int is_marked;
};

/* libwebsockets accepts the options of an offer by these names, and echoes them. */
static const struct lws_ext_options options[] = {
    {"server_no_context_takeover", EXTARG_NONE},
    {"client_no_context_takeover", EXTARG_NONE},
    {NULL, 0},
};

int gw_deflate_can_accept(const char *offer) {
    /* A smaller window for this side, and quotes, need an answer that libwebsockets cannot give. */
    return !strstr(offer, "server_max_window_bits") && !strchr(offer, '"');
}

gw_deflate *gw_deflate_new(int forgets) {
    gw_deflate *made = calloc(1, sizeof *made);
    if (made) made->forgets_in = made->forgets_out = forgets;
    return made;
}

int gw_deflate_extension(
    struct lws_context *context, const struct lws_extension *extension, struct lws *wsi,
    enum lws_extension_callback_reasons reason, void *user, void *in, size_t count) {
    (void)context, (void)extension, (void)count;
    gw_connection *of = lws_get_opaque_user_data(wsi);
    gw_deflate *self = of ? of->deflate : NULL;
    switch (reason) {
    case LWS_EXT_CB_CONSTRUCT:
        if (!of || self) return -1;
        of->deflate = gw_deflate_new(0);
        if (!of->deflate) return -1;
        *(void **)user = of->deflate;
        if (in) *(const struct lws_ext_options **)in = options;
        return 0;
    case LWS_EXT_CB_OPTION_SET: {
        const struct lws_ext_option_arg *option = in;
        if (!self) return -1;
        if (option->option_index == 0) self->forgets_out = 1;
        if (option->option_index == 1) self->forgets_in = 1;
        return 0;
    }
    case LWS_EXT_CB_PACKET_TX_PRESEND: {
        const struct lws_tokens *frame = in;
        if (!self || !self->is_marked || !frame || !frame->token || frame->len < 1) return 0;
        frame->token[0] |= 0x40;
        self->is_marked = 0;
        return 0;
    }
    default:
        return 0;
    }
}

void gw_deflate_free(gw_deflate *self) {
    if (!self) return;
    if (self->is_in_open) inflateEnd(&self->in);
    if (self->is_out_open) deflateEnd(&self->out);
    free(self);
}

/* Inflates from one buffer into the room that grows. Returns Z_OK, Z_DATA_ERROR, Z_BUF_ERROR where
 * the message is too large, or Z_MEM_ERROR. */
static int inflate_part(
    z_stream *stream, const uint8_t *part, size_t count, size_t count_max, uint8_t **bytes,
    size_t *room) {
    /* zlib wants a pointer that it could write through, and does not. */
    stream->next_in = (Bytef *)(uintptr_t)part;
    stream->avail_in = (uInt)count;
    for (;;) {
        if (*room == stream->total_out) {
            if (*room >= count_max + 1) return Z_BUF_ERROR;
            size_t larger = *room ? *room * 2 : 4096;
            if (larger > count_max + 1) larger = count_max + 1;
            uint8_t *moved = realloc(*bytes, larger);
            if (!moved) return Z_MEM_ERROR;
            *bytes = moved;
            *room = larger;
        }
        stream->next_out = *bytes + stream->total_out;
        stream->avail_out = (uInt)(*room - stream->total_out);
        int result = inflate(stream, Z_SYNC_FLUSH);
        if (stream->total_out > count_max) return Z_BUF_ERROR;
        if (result == Z_MEM_ERROR) return Z_MEM_ERROR;
        if (result == Z_STREAM_END) {
            /* A last block may end a message; the next one begins anew. */
            uLong total = stream->total_out;
            if (inflateReset(stream) != Z_OK) return Z_DATA_ERROR;
            stream->total_out = total;
            if (stream->avail_in == 0) return Z_OK;
            continue;
        }
        if (result != Z_OK && result != Z_BUF_ERROR) return Z_DATA_ERROR;
        if (stream->avail_out > 0) return stream->avail_in == 0 ? Z_OK : Z_DATA_ERROR;
    }
}

gw_inflate_result gw_inflate(
    gw_deflate *self, const uint8_t *message, size_t count, size_t count_max, uint8_t **bytes,
    size_t *inflated) {
    z_stream *stream = &self->in;
    if (!self->is_in_open) {
        memset(stream, 0, sizeof *stream);
        if (inflateInit2(stream, -15) != Z_OK) return gw_inflate_memory;
        self->is_in_open = 1;
    }
    size_t room = 0;
    *bytes = NULL;
    stream->total_out = 0;
    int result = inflate_part(stream, message, count, count_max, bytes, &room);
    if (result == Z_OK) result = inflate_part(stream, tail, sizeof tail, count_max, bytes, &room);
    *inflated = stream->total_out;
    if (self->forgets_in || result != Z_OK) {
        inflateEnd(stream);
        self->is_in_open = 0;
    }
    if (result == Z_OK) return gw_inflated;
    free(*bytes);
    *bytes = NULL;
    return result == Z_BUF_ERROR   ? gw_inflate_large
           : result == Z_MEM_ERROR ? gw_inflate_memory
                                   : gw_inflate_bad;
}

/* Stored blocks of a window each need some bytes more than their content, and a flush its own. */
size_t gw_deflated_max(size_t count) { return count + count / 1024 * 8 + 256; }

size_t gw_deflate_message(
    gw_deflate *self, const uint8_t *message, size_t count, uint8_t *room) {
    if (count < deflated_min) return 0;
    z_stream *stream = &self->out;
    if (!self->is_out_open) {
        memset(stream, 0, sizeof *stream);
        int opened = deflateInit2(
            stream, level, Z_DEFLATED, -window_bits, memory_level, Z_DEFAULT_STRATEGY);
        if (opened != Z_OK) return 0;
        self->is_out_open = 1;
    }
    size_t max = gw_deflated_max(count);
    stream->next_in = (Bytef *)(uintptr_t)message;
    stream->avail_in = (uInt)count;
    stream->next_out = room;
    stream->avail_out = (uInt)max;
    int result = deflate(stream, Z_SYNC_FLUSH);
    size_t made = max - stream->avail_out;
    int is_whole = result == Z_OK && stream->avail_in == 0 && stream->avail_out > 0
                   && made > sizeof tail
                   && memcmp(room + made - sizeof tail, tail, sizeof tail) == 0;
    /* One that is not sent must not be taken for a part of what the peer knows. */
    if (self->forgets_out || !is_whole) {
        deflateEnd(stream);
        self->is_out_open = 0;
    }
    return is_whole ? made - sizeof tail : 0;
}

void gw_deflate_mark(gw_deflate *self) { self->is_marked = 1; }
