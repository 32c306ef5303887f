#ifndef GESTURED_WEBSOCKETS_H
#define GESTURED_WEBSOCKETS_H
#include <stddef.h>
#include <stdint.h>

/* A server of HTTP and WebSocket on one port, for one thread, over libwebsockets.
 *
 * A connection is known by a number that no other one ever has; calls with the number of one that
 * is gone do nothing. The server calls back from within `gw_serve` alone. */

typedef struct gw_server gw_server;

/* Bounds, each with its unit. */
typedef struct {
    const char *address;  /* a numeric address; NULL: all */
    int port;             /* 0: a free one */
    int connections_max;  /* HTTP and WebSocket together */
    size_t message_max;   /* bytes of a message, inflated */
    int fragments_max;    /* of a message */
    size_t answers_max;   /* bytes of all answers to requests that are not taken yet */
    int http_seconds;     /* for a request's head, and between two requests */
    int answer_seconds;   /* until the owner has answered one */
    int ping_seconds;     /* of silence until a WebSocket is asked for a sign of life */
    int hangup_seconds;   /* of silence until it is cut */
    int close_seconds;    /* until a closed one that does not read is cut */
} gw_settings;

/* Why a connection without a WebSocket was cut. */
typedef enum {
    gw_cut_room = 0, /* it was the oldest, and another one came */
    gw_cut_late = 1, /* it sent no request in time */
    gw_cut_slow = 2, /* it did not take its answer in time, or the answers of others need room */
} gw_cut;

/* `owner` is passed through. A connection that was opened ends with one `closed`. */
typedef struct {
    void *owner;
    /* The head of a request, with its empty line; without it, where none can come any more. Answer
     * it, now or later, by `gw_respond`, or by `gw_upgrade` at once. */
    void (*requested)(void *owner, uint64_t connection, const uint8_t *head, size_t count);
    void (*opened)(void *owner, uint64_t connection);
    /* `cost` is the larger one of the bytes that came and those that they stand for. */
    void (*received)(
        void *owner, uint64_t connection, const uint8_t *bytes, size_t count, size_t cost);
    /* So many bytes are held for messages that are arriving or wait; told where they are many. */
    void (*holds)(void *owner, uint64_t connection, size_t count);
    /* There is room for one `gw_send`, and for more while `gw_has_room`. */
    void (*writable)(void *owner, uint64_t connection);
    void (*closed)(void *owner, uint64_t connection);
    /* A message broke a bound of the settings and its connection is being closed. */
    void (*broken)(void *owner, uint64_t connection, int code);
    /* A connection was refused, since there are `connections_max` and none may be cut. */
    void (*refused)(void *owner);
    void (*cut)(void *owner, gw_cut why);
    /* A descriptor of `gw_watch` is readable. */
    void (*readable)(void *owner, int descriptor);
    void (*ticked)(void *owner);
} gw_calls;

/* Returns NULL and one line in `reason` if it cannot listen: `strerror` of what the system says. */
gw_server *gw_open(
    const gw_settings *settings, const gw_calls *calls, char *reason, size_t reason_size);
void gw_close_server(gw_server *server);
int gw_port(const gw_server *server);

/* The address by which other machines find this one, as text; 127.0.0.1 where there is none. */
void gw_own_address(char *text, size_t size);

/* Wakes the server when a descriptor is readable. It keeps a copy. Returns 0 if it does. */
int gw_watch(gw_server *server, int descriptor);
/* Calls `ticked` every so many milliseconds. */
void gw_tick(gw_server *server, int milliseconds);

/* Waits for something to happen, and does it. Returns other than 0 if it cannot go on. */
int gw_serve(gw_server *server);
/* Makes the next `gw_serve` return without waiting. */
void gw_hurry(gw_server *server);

/* Says before an answer whether its body is left out, and whether it is the connection's last. */
void gw_expect(gw_server *server, uint64_t connection, int is_head, int is_last);
/* Answers a request. The head has no `connection` and no empty line: both are added. */
void gw_respond(
    gw_server *server, uint64_t connection, const uint8_t *head, size_t head_count,
    const uint8_t *body, size_t count);
/* Opens a WebSocket. The head is a request for libwebsockets, which sees nothing of the peer's. */
void gw_upgrade(gw_server *server, uint64_t connection, const uint8_t *head, size_t count);

/* Asks for `writable`. */
void gw_want_writable(gw_server *server, uint64_t connection);
/* Sends one whole text message, from `writable` alone. Returns other than 0 if it failed. */
int gw_send(gw_server *server, uint64_t connection, const uint8_t *bytes, size_t count);
/* Whether the kernel takes one more message at once. */
int gw_has_room(gw_server *server, uint64_t connection);
/* Closes a WebSocket with a code and a reason of at most 120 bytes. */
void gw_close(gw_server *server, uint64_t connection, int code, const char *reason);

/* HTTP and WebSocket connections that are open. */
int gw_connections(const gw_server *server);
/* Whether the messages of a connection are deflated. */
int gw_is_deflated(gw_server *server, uint64_t connection);

#endif
