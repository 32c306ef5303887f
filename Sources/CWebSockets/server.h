#ifndef GESTURED_WEBSOCKETS_SERVER_H
#define GESTURED_WEBSOCKETS_SERVER_H
#include "include/websockets.h"

#include "deflate.h"

#include <libwebsockets.h>

typedef enum {
    gw_free = 0,
    gw_reading,   /* no whole head of a request is there */
    gw_asking,    /* the owner has the request */
    gw_opening,   /* the owner wants a WebSocket */
    gw_writing,   /* the answer is leaving */
    gw_lingering, /* the last answer is out */
    gw_socket,    /* libwebsockets has it */
} gw_state;

typedef struct {
    gw_state state;
    uint64_t number;

    /* Before it is a WebSocket. */
    int descriptor;
    uint64_t network;  /* of the peer */
    uint64_t since;    /* the turn in which its state began: the smallest is the oldest */
    int64_t deadline;  /* in microseconds */
    uint8_t *head;     /* what has come of requests */
    size_t head_count;
    int is_head, is_last;
    uint8_t *answer;   /* the one that is leaving, or the head for libwebsockets */
    size_t answer_count, answer_sent;

    /* The WebSocket. */
    struct lws *wsi;
    int is_known; /* `opened` has told of it */
    int is_open;
    int has_failed;
    int is_leaving; /* its peer has closed it */
    int is_choked;  /* a part of a message has not left yet */
    int is_held;    /* nothing is read of it */

    /* The message that is arriving. */
    uint8_t *message;
    size_t message_count, message_room;
    int fragments;
    int is_deflated; /* it */
    int is_waiting;  /* it is whole, and waits for its turn */
    int is_long;     /* it may take long */
    int is_passing;  /* it is whole, and on its way to the owner */
    gw_deflate *deflate; /* NULL: not agreed on */

    int is_writable; /* there is room for messages to the peer, and they wait for their turn */
    int64_t due;     /* its place among those that wait: the smallest is next */
    int64_t taken;   /* microseconds that it took, counted from the server's `begun` */
    uint64_t rush;   /* the server's, of which that tells */
    size_t told;     /* bytes of its message, as `holds` was told */

    int64_t heard; /* when the peer's last sign of life came, in microseconds */
    int is_asked;  /* for another one: the ping waits to leave, or has left */
    int is_pinged; /* it has left */

    int close_code;
    char close_reason[124];
} gw_connection;

struct gw_server {
    gw_settings settings;
    gw_calls calls;
    struct lws_context *context;
    struct lws_vhost *vhost;
    lws_sorted_usec_list_t timer, expiry;
    int tick_milliseconds;
    int is_hurried; /* the next turn does not wait */
    int listener, door;
    gw_connection *connections;
    int count;
    uint64_t rounds, waits;
    size_t answers; /* bytes of all that are leaving */
    size_t answered; /* bytes of those that this turn has made */
    gw_connection *adopting;
    int waiting;   /* messages that wait for their turn, and peers that wait to be written to */
    int light;     /* those of them that do not take long */
    int64_t spent; /* microseconds that connections have taken of this turn */
    uint64_t rush; /* times in which something waited, without a break */
    int64_t begun; /* microseconds that the one which was served last had taken when it was */
    int64_t instant; /* of the last look at what is late */
    gw_connection *served; /* the one whose turn it is, until an instant */
    int64_t served_until;
    unsigned char *buffer; /* of the message that is being sent */
    size_t buffer_room;
};

/* Bytes that stay reserved between messages: larger ones are rare. */
extern const size_t gw_kept_max;

/* Closes from within a callback, which then returns the result. */
int gw_close_now(gw_connection *closing, int code, const char *reason);
/* Collects a message, and passes it on when it is whole. */
int gw_receive(gw_server *server, gw_connection *from, const uint8_t *bytes, size_t count);
/* Passes messages on and writes, for those connections first that took the least time since
 * something waits, until the time of the turn is over. */
void gw_serve_waiting(gw_server *server);
/* Lets the owner write, now or when it is the connection's turn. */
void gw_let_write(gw_server *server, gw_connection *to);
/* Drops what has come of a message. */
void gw_forget_message(gw_server *server, gw_connection *of);
/* Reads of a connection, or not, as it stands now. */
void gw_hold(gw_connection *one);
int gw_is_utf8(const uint8_t *bytes, size_t count);

gw_connection *gw_find(gw_server *server, uint64_t number);
/* There must be a free one. */
gw_connection *gw_take_slot(gw_server *server);
void gw_free_slot(gw_server *server, gw_connection *gone);

int gw_open_door(gw_server *server, const char *address, int port);
/* Does what the door's descriptor tells of. */
void gw_serve_door(gw_server *server);
/* Cuts connections whose time is over. */
void gw_expire(gw_server *server);
/* Cuts the oldest connection of the network that has most of those that may be cut, but not one of
 * them. Returns whether there was one. */
int gw_make_room(gw_server *server, gw_cut why, const gw_connection *but);
void gw_hang_up(gw_server *server, gw_connection *gone);
void gw_turn(gw_server *server, gw_connection *to, gw_state state);
int64_t gw_now(void);
void gw_wait_until(gw_connection *waiting, int64_t microseconds);
/* Writes what there is room for, and goes on behind the end. */
void gw_write_answer(gw_server *server, gw_connection *to);
void gw_drop_answer(gw_server *server, gw_connection *of);
/* Waits for the next request, or for the end. */
void gw_go_on(gw_server *server, gw_connection *from);

#endif
