/* A client of gestured over libzmq alone: README.md shows it, docs/protocol is the contract.
 *
 * A client is for one thread at a time. Nothing here keeps a pointer that you pass, and no memory
 * grows: the enum names every bound. Texts that you pass end in a zero byte; a span does not. */
#ifndef GESTURED_H
#define GESTURED_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GESTURED_MESSAGE_BYTES = 16 << 20, /* of a message; libzmq drops what sends a larger one */
    GESTURED_BODY_BYTES = 64 << 10,    /* of the body of an event, the contract's bound */
    GESTURED_REQUEST_BYTES = 72 << 10, /* of a request: an event's 64 KiB and what is around it */
    GESTURED_TOPICS = 1024,            /* topics and sessions whose newest update is remembered */
    GESTURED_WAITING = 4096,           /* updates kept while it joins; more are lost: a gap */
    GESTURED_WAITING_BYTES = 32 << 20, /* of these updates */
    GESTURED_DUE = 1024,               /* sessions that wait for a snapshot; more: all are asked */
    GESTURED_PREFIXES = 16,            /* of one watch */
    GESTURED_RUNS = 16,                /* former runs of the daemon whose late updates it drops */
    GESTURED_TOPIC_BYTES = 200,        /* of a topic or a prefix, the contract's own bound */
    GESTURED_EPOCH_BYTES = 96,         /* of an epoch; an update with a longer one is dropped */
    GESTURED_TRIES = 3,                /* of a read, and of an event that has an id */
    GESTURED_DEPTH = 64,               /* of nesting in JSON */
    GESTURED_NUMBER_BYTES = 400,       /* of a number in JSON */
    GESTURED_COMPONENTS = 32,          /* of a scene, the contract's bound */
    GESTURED_NESTING = 8,              /* components that hold one another, above the innermost */
    GESTURED_VIEWS = 320,              /* of a component, above the 257 of a list */
    GESTURED_CERTIFICATE_BYTES = 16 << 10, /* of a certificate's file */
    GESTURED_KEY_CHARACTERS = 40       /* of a key: 32 bytes in Z85 */
};

/* The result of a call, where it is no count. `gestured_error` says more. */
enum {
    GESTURED_OK = 0,
    GESTURED_REFUSED = -1,   /* the daemon refused: `gestured_code` has the contract's code */
    GESTURED_NO_ANSWER = -2, /* nothing came in time: perhaps no daemon runs there */
    GESTURED_BAD_INPUT = -3  /* what you passed is too long or is not JSON */
};

/* A part of a text that it does not own; `at` is NULL where there is none. */
typedef struct {
    const char *at;
    size_t size;
} gestured_span;

typedef struct gestured gestured;

/* Connects to a daemon. An endpoint that is NULL comes from GESTURED_EVENTS, GESTURED_UPDATES or
 * GESTURED_CONTROL, else it is the daemon's default. Events without an answer are pushed to
 * GESTURED_PUSH or the default, unless `events` is given, or GESTURED_EVENTS alone. `timeout` is in
 * milliseconds, for each wait; the tries of a request share it. Where GESTURED_KEY or
 * GESTURED_SERVER_KEY is set, tcp endpoints get these keys. NULL: no memory, a bad endpoint, or bad
 * keys; `gestured_error(NULL)` and errno tell which. */
gestured *gestured_connect(
    const char *events, const char *updates, const char *control, int timeout);
void gestured_close(gestured *client);

/* The keys of CURVE, each as its 40 characters of Z85 and a zero byte. */
typedef struct {
    char public_key[GESTURED_KEY_CHARACTERS + 1], secret_key[GESTURED_KEY_CHARACTERS + 1];
    char server_key[GESTURED_KEY_CHARACTERS + 1]; /* the daemon's public key */
} gestured_keys;

/* Reads keys: `key` is the file of the client's secret certificate, or NULL for GESTURED_KEY;
 * `server_key` the file of the daemon's certificate or its key's 40 characters, or NULL for
 * GESTURED_SERVER_KEY, else for the metadata `server-key` of the client's certificate.
 * GESTURED_BAD_INPUT: `gestured_error(NULL)` names the file and the line. */
int gestured_load_keys(gestured_keys *keys, const char *key, const char *server_key);

/* As `gestured_connect`, with these keys for endpoints that begin with tcp://; NULL: without. A
 * daemon that does not know the key, or has another one than `server_key`, does not answer; a
 * server that refuses it in words: GESTURED_REFUSED, `unauthorized`. It may be taken later. */
gestured *gestured_connect_with_keys(
    const char *events, const char *updates, const char *control, int timeout,
    const gestured_keys *keys);

/* About the last call that failed: one line for a person, and a code for programs. Without a
 * client: about the last call of this thread that gave none, or no keys. */
const char *gestured_error(const gestured *client);
const char *gestured_code(const gestured *client);

/* Sends one event once the daemon is there. It may still be refused, or lost if the daemon dies. */
int gestured_publish(gestured *client, const char *topic, const char *body);

/* Sends one event and waits until it is applied and durable. Notifications and commands without
 * an `id` get one, and go out again where no answer comes: nothing is lost or counted twice.
 * `reply` may be NULL. */
int gestured_acknowledged(
    gestured *client, const char *topic, const char *body, gestured_span *reply);

/* Sends a request of the contract. `fields` is a JSON object without `id` and `op`, or NULL. The
 * reply is valid until the next call with this client, and may be NULL where you do not read it.
 * Reads are tried again, others are not. */
int gestured_request(gestured *client, const char *op, const char *fields, gestured_span *reply);

/* Watches all topics that begin with a prefix; "" is all. Each call adds one. */
int gestured_watch(gestured *client, const char *prefix);

/* The next update by the join rule: snapshots first, then each newer update; it heals gaps and
 * joins again where a session or the daemon is opened again. 1: `topic` and `body` are valid until
 * the next call; 0: none came in `timeout` milliseconds. A failure leaves it watching: call again.
 * A call that joins may take the client's timeout for each request that it makes. */
int gestured_next(gestured *client, gestured_span *topic, gestured_span *body, int timeout);

/* JSON. A value's span has its whole text, also the quotes of a string. */

/* The whole text as a value, without the space around it; nothing where it is not JSON. */
gestured_span gestured_json(const char *text, size_t size);
/* The value at a path such as "states.0.views.item.x"; nothing where there is none. */
gestured_span gestured_find(gestured_span value, const char *path);
/* A member by its name, which may have dots; the last one where it is repeated. */
gestured_span gestured_member(gestured_span object, const char *name, size_t size);
/* Steps through an object or a list: 1 with the next value (and its key, with quotes), 0 at the
 * end. Begin with `value->at` NULL. */
int gestured_each(gestured_span whole, gestured_span *key, gestured_span *value);
/* 1 and the number, correct to the last bit up to 15 digits; 0 where it is none or not finite. */
int gestured_number(gestured_span value, double *number);
/* The bytes of a string, with a zero behind them, or -1: it is none, or has not `room`. */
int gestured_text(gestured_span value, char *text, size_t room);
/* Whether a value is this string. */
int gestured_is(gestured_span value, const char *text);

/* Drawing. `scene` is the body of `scene/`, `states` an object of states by component. */

typedef struct {
    gestured_span component, view; /* with quotes, in `scene` and `states` */
    /* From the view's coordinates, (0, 0) to (w, h), to the viewport's:
     * X = m[0]·u + m[2]·v + m[4], Y = m[1]·u + m[3]·v + m[5]. */
    double matrix[6];
    double w, h, alpha; /* alphas are multiplied through */
    int round;          /* a circle of radius w / 2 */
} gestured_layer;

/* The painted views, the rearmost first: how many; at most `room` are written. */
int gestured_layers(gestured_span scene, gestured_span states, gestured_layer *layers, int room);
/* 1 and who is touched at a point of the viewport (`view` may be nothing), or 0. */
int gestured_hit(
    gestured_span scene, gestured_span states, double x, double y,
    gestured_span *component, gestured_span *view);
/* The progress of a named curve at a share of its time, both 0 to 1; linear where it is unknown. */
double gestured_curve(const char *name, double x);
/* How far a spring is on its way from 0 to 1, where it may go beyond, after so many seconds: on a
 * mass of 1, in 1/s², 1/s, and ways per second at the beginning. */
double gestured_spring(double stiffness, double damping, double velocity, double seconds);
/* How far a transition is after so many seconds, by its `curve` (a name, a spring or null) and its
 * `duration`. */
double gestured_progress(gestured_span curve, double seconds, double duration);

#ifdef __cplusplus
}
#endif
#endif
