#include "fuzz.h"

#include "server.h"

#include <stdlib.h>

struct gf_deflate {
    gw_deflate *own;
};

int gf_is_utf8(const uint8_t *bytes, size_t count) { return gw_is_utf8(bytes, count); }

gf_deflate *gf_deflate_open(int forgets) {
    gf_deflate *deflate = calloc(1, sizeof *deflate);
    if (!deflate) return NULL;
    deflate->own = gw_deflate_new(forgets);
    if (deflate->own) return deflate;
    free(deflate);
    return NULL;
}

void gf_deflate_close(gf_deflate *deflate) {
    gw_deflate_free(deflate->own);
    free(deflate);
}

int gf_inflate(
    gf_deflate *deflate, const uint8_t *bytes, size_t count, size_t count_max, uint8_t **inflated,
    size_t *inflated_count) {
    return (int)gw_inflate(deflate->own, bytes, count, count_max, inflated, inflated_count);
}

size_t gf_deflated_max(size_t count) { return gw_deflated_max(count); }

size_t gf_deflate_message(
    gf_deflate *deflate, const uint8_t *bytes, size_t count, uint8_t *room) {
    return gw_deflate_message(deflate->own, bytes, count, room);
}
