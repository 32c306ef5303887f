#ifndef GESTURED_WEBSOCKETS_SERVER_H
#define GESTURED_WEBSOCKETS_SERVER_H
#include "include/websockets.h"

#include "deflate.h"

#include <libwebsockets.h>

/* One connection; its slot is free where `wsi` is NULL. */
typedef struct {
    struct lws *wsi;
    uint64_t number;
    /* `requested` or `opened` has told of it. */
    int is_known;
    int is_open;
    int has_failed;
    int is_head;
    int is_upgrade;

    /* The message that is arriving. */
    uint8_t *message;
    size_t message_count, message_room;
    int fragments;
    int is_deflated; /* it */
    gw_deflate *deflate; /* NULL: not agreed on */

    int close_code;
    char close_reason[124];

    /* The answer that is leaving; its status is 0 if there is none. */
    int status;
    unsigned char *body; /* head and body, behind LWS_PRE bytes */
    size_t head_count, body_count, body_sent;
} gw_connection;

struct gw_server {
    gw_settings settings;
    gw_calls calls;
    struct lws_context *context;
    struct lws_vhost *vhost;
    lws_retry_bo_t validity;
    lws_sorted_usec_list_t timer, hurry;
    int tick_milliseconds;
    gw_connection *connections;
    int count;
    uint64_t rounds;
    unsigned char *buffer; /* of the message that is being sent */
    size_t buffer_room;
};

int gw_is_utf8(const uint8_t *bytes, size_t count);
gw_connection *gw_find(gw_server *server, uint64_t number);
/* Writes what there is room for. Returns other than 0 if the connection is to be closed. */
int gw_write_answer(gw_connection *to);

#endif
