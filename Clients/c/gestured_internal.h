/* The files of this client share this. It is no part of the interface: include gestured.h alone.
 *
 * gestured.c             the client: connect, close, wait, errors
 * gestured_connection.c  sockets, and what becomes of their handshakes
 * gestured_keys.c        certificates
 * gestured_requests.c    requests and their replies, events
 * gestured_join.c        the join rule: which snapshots are needed, and how they are asked for
 * gestured_history.c     what was received, and whether an update is newer
 * gestured_updates.c     watches and the next update
 *
 * JSON, scenes and curves (gestured_json.c, gestured_scene.c, gestured_curve.c) need none of it. */
#ifndef GESTURED_INTERNAL_H
#define GESTURED_INTERNAL_H

#include "gestured.h"

#include <zmq.h>

/* The characters of an operation, and of a name in a topic. */
#define GESTURED_NAME_CHARACTERS \
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-"

/* Bytes of texts, each with the zero that ends it. */
enum {
    NAME_ROOM = 64 + 1, /* of a session, an operation or a code: the contract's bound */
    TOPIC_ROOM = GESTURED_TOPIC_BYTES + 1,
    EPOCH_ROOM = GESTURED_EPOCH_BYTES,
    ERROR_ROOM = 256,            /* of a message for a person */
    RANDOM_DIGITS_ROOM = 32 + 1, /* of a random number of 128 bits, in hexadecimal digits */
    NUMBER_ROOM = 24             /* of the id of a request: a number of 64 bits has 20 digits */
};

/* Connections. */

struct gestured_connection {
    void *socket;
    void *monitor;          /* of handshakes, only where the socket has keys */
    long handshakes;        /* that succeeded: one for each connection that libzmq makes */
    long refusals;          /* how often the daemon refused the key in words */
    long refusals_told;     /* how many of them the user knows */
    int gave_up;            /* libzmq connects no more, as the server refused in words */
    long reconnects;        /* that this client made because libzmq gave up, or for another port */
    long reconnected_at;    /* ms */
    long endpoint_asked_at; /* ms */
    long subscriptions;     /* of the daemon to events that are published */
    int is_push;            /* events are pushed: they need no subscription */
};

/* The type of the socket for events: they are pushed, unless an endpoint for published events is
 * given, or is in its variable and none for pushed ones is. */
int gestured_event_socket_type(const char *given);

/* Opens a socket of a type (XPUB or PUSH: events; SUB: updates; DEALER: requests), at its usual
 * endpoint where none is given: 0, or -1 with errno and an explanation. Keys are for tcp alone. */
int gestured_connection_open(
    struct gestured_connection *connection, void *context, int type, const char *given,
    int timeout, const gestured_keys *keys);
void gestured_connection_close(struct gestured_connection *connection);

/* Reads what became of handshakes; where libzmq gave up, connects again, each second at most. */
void gestured_connection_read_handshakes(struct gestured_connection *connection, long now);

/* Whether the daemon takes an event now. */
int gestured_connection_takes_events(struct gestured_connection *events);

/* Whether the daemon refused the key since the last call. */
int gestured_connection_was_refused(struct gestured_connection *connection);

/* For a person: why no answer came, and that the daemon refused. Valid until the next call. */
const char *gestured_connection_silence(const struct gestured_connection *connection);
const char *gestured_connection_refusal(const struct gestured_connection *connection);

/* A key that may read some sessions only has an updates endpoint of its own. While requests are
 * let in and updates are not, asks for it, each 3 s at most, and connects to it. This may take as
 * long as a request. */
void gestured_find_updates_endpoint(gestured *client);

/* History. */

/* The last update of a topic; under "/<session>", the newest epoch of that session. */
struct gestured_received {
    char topic[TOPIC_ROOM];
    char epoch[EPOCH_ROOM];
    double seq, t;
    unsigned long used; /* grows with each use: the smallest is the oldest */
    int has_ended;      /* the session is closed, parked or expired */
    int is_whole;       /* it came with a snapshot, so a frame has all that it shows */
};

/* The entry of a topic, new and empty where it had none. The oldest one's place goes to it. */
struct gestured_received *gestured_last_received(gestured *client, const char *topic);

/* Whether an epoch is not older than the newest one of the daemon and of the session ("": it is
 * of none). A new epoch is noted, and the join that it needs. */
int gestured_is_current(
    gestured *client, const char *epoch, const char *session, int is_from_snapshot);

/* Whether the user watches an update, and it is newer than the last one of its topic. */
int gestured_is_news(
    gestured *client, gestured_span topic, gestured_span body, int is_from_snapshot);

/* Joining. */

/* Notes that a session's snapshot is needed. */
void gestured_need_snapshot(gestured *client, const char *session);

/* Whether snapshots are still to be asked for. */
int gestured_is_joining(const gestured *client);

/* Makes one step of the join: GESTURED_OK, or why it failed. */
int gestured_join_step(gestured *client);

/* Receives an update, its topic and its body: 0 where there is none, or it has not two frames. */
int gestured_receive(gestured *client, zmq_msg_t update[2]);

/* The client. */

struct gestured {
    void *context;
    void *stopwatch; /* runs since the client is connected */
    int timeout;     /* ms */
    struct gestured_connection events, updates, control;
    char code[NAME_ROOM];
    char error[ERROR_ROOM];

    /* Requests: the text of the newest one, and its reply. */
    unsigned long last_id;
    char request[GESTURED_REQUEST_BYTES];
    zmq_msg_t reply;

    /* The topics that are watched. */
    int prefix_count;
    char prefixes[GESTURED_PREFIXES][TOPIC_ROOM];

    /* The join: first all subscriptions are awaited, then the list of sessions is read page by
     * page where a prefix is of all sessions, then one snapshot after the other. */
    int needs_join;
    int was_disconnected;       /* so updates were lost, perhaps without a gap that shows it */
    int is_listing;             /* a page of the list of sessions is to be asked for */
    char listed_to[NAME_ROOM];  /* the last session of the last page; "": the list begins */
    int pending_count;          /* sessions whose snapshots are needed */
    char pending[GESTURED_DUE][NAME_ROOM];

    /* The updates of the snapshot that is being given out, and the last one that was. */
    zmq_msg_t snapshot;
    gestured_span snapshot_updates, snapshot_update;

    /* Updates that came during the join, topic and body; they come after the snapshots. */
    zmq_msg_t kept[GESTURED_WAITING][2];
    size_t kept_count, kept_bytes;
    size_t kept_taken; /* how many of them were given out */
    zmq_msg_t received[2];

    /* History. */
    char run[EPOCH_ROOM]; /* of the daemon */
    unsigned long former_run_count;
    char former_runs[GESTURED_RUNS][EPOCH_ROOM];
    unsigned long uses;
    struct gestured_received last[GESTURED_TOPICS];
};

/* Milliseconds since the client is connected. */
long gestured_now(const gestured *client);

/* Reads the handshakes of all connections, and whether updates were disconnected. */
void gestured_read_handshakes(gestured *client);

/* Waits a while until a connection can be read (written where it pushes), but not longer than to
 * an instant: 0 where that has come. Call it again where there is nothing yet. */
int gestured_wait(gestured *client, const struct gestured_connection *connection, long end);

/* Notes a failure of a client and returns its status. */
int gestured_fail(gestured *client, int status, const char *code, const char *message);
int gestured_fail_unanswered(gestured *client);
int gestured_fail_unauthorized(
    gestured *client, const struct gestured_connection *connection);

/* Notes a failure without a client, about a file or an endpoint ("": none) and its line (0:
 * none), for `gestured_error(NULL)`. Returns GESTURED_BAD_INPUT. */
int gestured_explain(const char *place, int line, const char *message);

/* A variable of the environment, or "". */
const char *gestured_environment(const char *name);

int gestured_begins_with(const char *text, const char *prefix);

/* Copies a text, cut to the room that there is. */
void gestured_copy(char *to, size_t room, const char *text);

/* Writes a random number in hexadecimal digits. */
void gestured_random_digits(const gestured *client, char digits[RANDOM_DIGITS_ROOM]);

#endif
