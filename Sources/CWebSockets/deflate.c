#define _GNU_SOURCE
#include "deflate.h"

#include "server.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* A window of 16 KiB: what repeats from snapshot to snapshot lies within, and a connection needs
 * 96 KiB instead of 256. */
enum { window_bits = 14, memory_level = 6, level = 3 };
/* A shorter message would hardly become shorter; a longer one would take many milliseconds in one
 * piece, and others wait for it. */
static const size_t deflated_min = 96;
const size_t gw_deflatable_max = 262144, gw_deflatable_busy_max = 32768;
/* The end of a message that the sender leaves out. */
static const uint8_t tail[] = {0x00, 0x00, 0xFF, 0xFF};

/* Bytes that one piece of inflating takes and makes at most: a part of a millisecond, even where
 * the blocks are such that zlib takes longest for them. */
enum { piece_in = 4096, piece_out = 65536 };
/* A message may be longer than what it stands for by so many bytes, and by such a part of it:
 * stored blocks, flushes, and fixed codes of nine bits for eight. Beyond, it is made of empty
 * blocks, which cost time and say nothing. */
enum { padding_max = 1024, padding_share = 8 };

struct gw_deflate {
    z_stream in, out;
    /* The message that is being inflated. */
    uint8_t *bytes;
    size_t room, made;
    size_t place, tail_place;
    int is_at_tail;
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
    free(self->bytes);
    free(self);
}

/* Makes room for more of what a message stands for. */
static gw_inflate_result grow(gw_deflate *self, size_t count_max) {
    if (self->room > self->made) return gw_inflated;
    if (self->room >= count_max + 1) return gw_inflate_large;
    size_t larger = self->room ? self->room * 2 : 4096;
    if (larger > count_max + 1) larger = count_max + 1;
    uint8_t *moved = realloc(self->bytes, larger);
    if (!moved) return gw_inflate_memory;
    self->bytes = moved;
    self->room = larger;
    return gw_inflated;
}

/* Inflates what there is of a buffer, at most a piece. Returns `gw_inflate_more` while there may be
 * more of it, `gw_inflated` at its end, or why the message is none. */
static gw_inflate_result inflate_from(
    gw_deflate *self, const uint8_t *part, size_t count, size_t *place, size_t count_max) {
    z_stream *stream = &self->in;
    gw_inflate_result grown = grow(self, count_max);
    if (grown != gw_inflated) return grown;
    size_t in = count - *place < piece_in ? count - *place : piece_in;
    size_t out = self->room - self->made < piece_out ? self->room - self->made : piece_out;
    /* zlib wants a pointer that it could write through, and does not. */
    stream->next_in = (Bytef *)(uintptr_t)(part + *place);
    stream->avail_in = (uInt)in;
    stream->next_out = self->bytes + self->made;
    stream->avail_out = (uInt)out;
    int result = inflate(stream, Z_SYNC_FLUSH);
    *place += in - stream->avail_in;
    self->made += out - stream->avail_out;
    if (self->made > count_max) return gw_inflate_large;
    if (result == Z_MEM_ERROR) return gw_inflate_memory;
    /* A last block may end a message; the next message starts a new stream. */
    if (result == Z_STREAM_END) {
        if (inflateReset(stream) != Z_OK) return gw_inflate_bad;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
        return gw_inflate_bad;
    } else if (stream->avail_out == 0) {
        return gw_inflate_more;
    } else if (stream->avail_in > 0) {
        return gw_inflate_bad;
    }
    return *place == count ? gw_inflated : gw_inflate_more;
}

gw_inflate_result gw_inflate_piece(
    gw_deflate *self, const uint8_t *message, size_t count, size_t count_max, uint8_t **bytes,
    size_t *inflated) {
    *bytes = NULL;
    *inflated = 0;
    if (!self->is_in_open) {
        memset(&self->in, 0, sizeof self->in);
        if (inflateInit2(&self->in, -15) != Z_OK) return gw_inflate_memory;
        self->is_in_open = 1;
    }
    gw_inflate_result result;
    if (!self->is_at_tail) {
        result = inflate_from(self, message, count, &self->place, count_max);
        if (result == gw_inflated) {
            self->is_at_tail = 1;
            self->tail_place = 0;
            result = gw_inflate_more;
        }
    } else {
        result = inflate_from(self, tail, sizeof tail, &self->tail_place, count_max);
    }
    if (result <= gw_inflate_more
        && self->place > self->made + self->made / padding_share + padding_max) {
        result = gw_inflate_padded;
    }
    if (result == gw_inflate_more) return result;
    if (result == gw_inflated) {
        *bytes = self->bytes;
        *inflated = self->made;
        self->bytes = NULL;
    }
    if (self->forgets_in || result != gw_inflated) gw_inflate_end(self);
    self->room = self->made = self->place = 0;
    self->is_at_tail = 0;
    return result;
}

size_t gw_inflating(const gw_deflate *self) { return self ? self->room : 0; }

void gw_inflate_end(gw_deflate *self) {
    if (self->is_in_open) inflateEnd(&self->in);
    self->is_in_open = 0;
    free(self->bytes);
    self->bytes = NULL;
    self->room = self->made = self->place = 0;
    self->is_at_tail = 0;
}

gw_inflate_result gw_inflate(
    gw_deflate *self, const uint8_t *message, size_t count, size_t count_max, uint8_t **bytes,
    size_t *inflated) {
    gw_inflate_result result;
    do {
        result = gw_inflate_piece(self, message, count, count_max, bytes, inflated);
    } while (result == gw_inflate_more);
    return result;
}

/* Stored blocks of a window each need some bytes more than their content, and a flush its own. */
size_t gw_deflated_max(size_t count) { return count + count / 1024 * 8 + 256; }

size_t gw_deflate_message(
    gw_deflate *self, const uint8_t *message, size_t count, uint8_t *room) {
    if (count < deflated_min || count > gw_deflatable_max) return 0;
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
