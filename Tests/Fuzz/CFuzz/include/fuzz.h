#ifndef GESTURED_FUZZ_H
#define GESTURED_FUZZ_H
#include <stddef.h>
#include <stdint.h>

/* libFuzzer's own loop, and the parts of CWebSockets that its header hides. */

int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*callback)(const uint8_t *bytes, size_t count));

/* Whether the bytes are UTF-8. */
int gf_is_utf8(const uint8_t *bytes, size_t count);

/* permessage-deflate of one connection. */
typedef struct gf_deflate gf_deflate;

/* `forgets` is no context takeover. NULL if there is no memory. */
gf_deflate *gf_deflate_open(int forgets);
void gf_deflate_close(gf_deflate *deflate);
/* Returns 0 and the inflated message, which the caller frees, or why there is none. */
int gf_inflate(
    gf_deflate *deflate, const uint8_t *bytes, size_t count, size_t count_max, uint8_t **inflated,
    size_t *inflated_count);
/* Deflates into room for `gf_deflated_max` bytes. Returns the count, 0 where it does not. */
size_t gf_deflated_max(size_t count);
size_t gf_deflate_message(
    gf_deflate *deflate, const uint8_t *bytes, size_t count, uint8_t *room);

#endif
