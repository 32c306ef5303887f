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
    int is_held;

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
    lws_sorted_usec_list_t timer, hurry, look;
    int tick_milliseconds;
    gw_connection *connections;
    int count;
    uint64_t rounds;
    unsigned char *buffer; /* of the message that is being sent */
    size_t buffer_room;
};

/* Bytes that stay reserved between messages: larger ones are rare. */
extern const size_t gw_kept_max;

/* Closes from within a callback, which then returns the result. */
int gw_close_now(gw_connection *closing, int code, const char *reason);
/* Collects a message, and passes it on when it is whole. */
int gw_receive(gw_server *server, gw_connection *from, const uint8_t *bytes, size_t count);
int gw_is_utf8(const uint8_t *bytes, size_t count);
gw_connection *gw_find(gw_server *server, uint64_t number);
/* Reads nothing more of a connection until its answer is there, or there is room for more of it. */
void gw_hold(gw_connection *connection);
/* Writes more of an answer, and lets the next request come behind its end. Returns -1 if the
 * connection is to be closed. */
int gw_go_on(gw_server *server, gw_connection *to);
/* Writes what there is room for. Returns other than 0 if the connection is to be closed. */
int gw_write_answer(gw_connection *to);

#endif
