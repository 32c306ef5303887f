/* Connections: a socket each for events, updates and requests, perhaps with keys, and what
 * becomes of its handshakes. libzmq connects again by itself, but gives up where a server refuses
 * the client in words; then this file connects again. */
#include "gestured_internal.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zmq.h>

enum {
    ENDPOINT_ROOM = 512,      /* bytes of an endpoint, and a zero */
    MONITOR_ROOM = 64,        /* bytes of the endpoint of a monitor, and a zero */
    PORT_DIGITS = 5,          /* of a port in tcp */
    SUBSCRIPTION_BYTES = 256, /* of a subscription of the daemon, far more than it sends */
    RECONNECT_PAUSE = 1000,   /* ms: libzmq's longest pause, and ours where it gave up */
    ENDPOINT_PAUSE = 3000,    /* ms between two questions for the endpoint of updates */
    HANDSHAKE_TIME = 500      /* ms: enough for a handshake, so the first question waits */
};

/* While nothing reads the monitor, only the first of these repeats, once for each connection that
 * libzmq makes: what waits in the monitor stays small. */
enum {
    MONITORED = ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH |
        ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
};

/* A monitor sends the event and its value first; the endpoint comes behind it. */
enum { MONITOR_EVENT_BYTES = 2 + 4 };

static int is_for_events(int type) {
    return type == ZMQ_XPUB || type == ZMQ_PUSH;
}

int gestured_event_socket_type(const char *given) {
    if (given != NULL) {
        return ZMQ_XPUB;
    }
    int names_push = *gestured_environment("GESTURED_PUSH") != '\0';
    int names_events = *gestured_environment("GESTURED_EVENTS") != '\0';
    return names_events && !names_push ? ZMQ_XPUB : ZMQ_PUSH;
}

static const char *named_or(const char *variable, const char *otherwise) {
    const char *named = gestured_environment(variable);
    return *named != '\0' ? named : otherwise;
}

/* The endpoint of a socket: what is given, else its variable, else the daemon's default. */
static const char *endpoint_of(int type, const char *given) {
    if (given != NULL) {
        return given;
    }
    switch (type) {
    case ZMQ_PUSH:
        return named_or("GESTURED_PUSH", "tcp://127.0.0.1:7414");
    case ZMQ_XPUB:
        return named_or("GESTURED_EVENTS", "tcp://127.0.0.1:7411");
    case ZMQ_SUB:
        return named_or("GESTURED_UPDATES", "tcp://127.0.0.1:7412");
    default:
        return named_or("GESTURED_CONTROL", "tcp://127.0.0.1:7413");
    }
}

static void set_number(void *socket, int option, int number) {
    zmq_setsockopt(socket, option, &number, sizeof number);
}

static void set_options(void *socket, int type, int timeout) {
    int is_events = is_for_events(type);
    int64_t largest_message = is_events ? SUBSCRIPTION_BYTES : GESTURED_MESSAGE_BYTES;
    zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &largest_message, sizeof largest_message);
    set_number(socket, ZMQ_RCVHWM, GESTURED_WAITING);
    set_number(socket, ZMQ_RECONNECT_IVL_MAX, RECONNECT_PAUSE);
    /* Events wait while the socket is full, but never for a daemon that comes later. */
    set_number(socket, ZMQ_SNDTIMEO, timeout);
    set_number(socket, ZMQ_LINGER, is_events ? timeout : 0);
    set_number(socket, ZMQ_IMMEDIATE, is_events);
    if (is_events) {
        set_number(socket, ZMQ_XPUB_NODROP, 1);
    }
}

/* Gives a socket its keys, and a monitor of its handshakes: 0, or -1 with errno. */
static int secure(
    struct gestured_connection *connection, void *context, const gestured_keys *keys) {
    const size_t size = GESTURED_KEY_CHARACTERS + 1;
    void *socket = connection->socket;
    char endpoint[MONITOR_ROOM];
    snprintf(endpoint, sizeof endpoint, "inproc://gestured-connection-%p", socket);
    if (zmq_setsockopt(socket, ZMQ_CURVE_PUBLICKEY, keys->public_key, size) != 0 ||
        zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, keys->secret_key, size) != 0 ||
        zmq_setsockopt(socket, ZMQ_CURVE_SERVERKEY, keys->server_key, size) != 0 ||
        zmq_socket_monitor(socket, endpoint, MONITORED) != 0) {
        return -1;
    }
    connection->monitor = zmq_socket(context, ZMQ_PAIR);
    if (connection->monitor == NULL) {
        return -1;
    }
    return zmq_connect(connection->monitor, endpoint);
}

int gestured_connection_open(
    struct gestured_connection *connection, void *context, int type, const char *given,
    int timeout, const gestured_keys *keys) {
    const char *endpoint = endpoint_of(type, given);
    int is_tcp = gestured_begins_with(endpoint, "tcp://");
    connection->socket = zmq_socket(context, type);
    if (connection->socket == NULL) {
        return -1;
    }
    connection->is_push = type == ZMQ_PUSH;
    connection->endpoint_asked_at = HANDSHAKE_TIME - ENDPOINT_PAUSE;
    set_options(connection->socket, type, timeout);
    int status = 0;
    if (keys != NULL && is_tcp) {
        status = secure(connection, context, keys);
    }
    if (status == 0) {
        status = zmq_connect(connection->socket, endpoint);
    }
    if (status != 0) {
        int reason = zmq_errno();
        gestured_explain(endpoint, 0, zmq_strerror(reason));
        gestured_connection_close(connection);
        errno = reason;
        return -1;
    }
    return 0;
}

void gestured_connection_close(struct gestured_connection *connection) {
    /* The monitor first: an event that is left in it would hold libzmq up. */
    if (connection->monitor != NULL) {
        zmq_socket_monitor(connection->socket, NULL, 0);
        zmq_close(connection->monitor);
    }
    if (connection->socket != NULL) {
        zmq_close(connection->socket);
    }
    connection->monitor = NULL;
    connection->socket = NULL;
}

/* The endpoint that a socket has connected to last: 0, or -1 where there is none. */
static int last_endpoint(void *socket, char *endpoint, size_t size) {
    return zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, endpoint, &size);
}

/* Connects again, to another port where one is given. Messages that wait in the old connection are
 * lost. */
static void reconnect(struct gestured_connection *connection, long now, const char *port) {
    char endpoint[ENDPOINT_ROOM];
    size_t room_beside_a_port = sizeof endpoint - PORT_DIGITS - 1;
    connection->gave_up = 0;
    connection->reconnected_at = now;
    connection->refusals_told = connection->refusals;
    connection->reconnects++;
    if (last_endpoint(connection->socket, endpoint, room_beside_a_port) != 0) {
        return;
    }
    zmq_disconnect(connection->socket, endpoint);
    char *colon = strrchr(endpoint, ':');
    if (port != NULL && colon != NULL) {
        snprintf(colon + 1, PORT_DIGITS + 1, "%s", port);
    }
    zmq_connect(connection->socket, endpoint);
}

void gestured_connection_read_handshakes(struct gestured_connection *connection, long now) {
    unsigned char event_and_value[MONITOR_EVENT_BYTES];
    char endpoint[ENDPOINT_ROOM];
    uint16_t event;
    if (connection->monitor == NULL) {
        return;
    }
    while (zmq_recv(connection->monitor, event_and_value, MONITOR_EVENT_BYTES, ZMQ_DONTWAIT) ==
           MONITOR_EVENT_BYTES) {
        zmq_recv(connection->monitor, endpoint, sizeof endpoint, ZMQ_DONTWAIT);
        memcpy(&event, event_and_value, sizeof event);
        connection->gave_up = event != ZMQ_EVENT_HANDSHAKE_SUCCEEDED;
        if (event == ZMQ_EVENT_HANDSHAKE_SUCCEEDED) {
            connection->handshakes++;
        } else if (event == ZMQ_EVENT_HANDSHAKE_FAILED_AUTH) {
            connection->refusals++;
        }
    }
    if (connection->gave_up && now - connection->reconnected_at >= RECONNECT_PAUSE) {
        reconnect(connection, now, NULL);
    }
}

/* Counts what the daemon is subscribed to: an XPUB gets each change as a message. */
static void read_subscriptions(struct gestured_connection *events) {
    enum { UNSUBSCRIBE = 0, SUBSCRIBE = 1 }; /* the first byte of such a message */
    char message[SUBSCRIPTION_BYTES];
    while (zmq_recv(events->socket, message, sizeof message, ZMQ_DONTWAIT) > 0) {
        if (message[0] == SUBSCRIBE) {
            events->subscriptions++;
        } else if (message[0] == UNSUBSCRIBE) {
            events->subscriptions--;
        }
    }
}

int gestured_connection_takes_events(struct gestured_connection *events) {
    if (events->is_push) {
        int state = 0;
        size_t size = sizeof state;
        zmq_getsockopt(events->socket, ZMQ_EVENTS, &state, &size);
        return (state & ZMQ_POLLOUT) != 0;
    }
    read_subscriptions(events);
    return events->subscriptions > 0;
}

int gestured_connection_was_refused(struct gestured_connection *connection) {
    int is_new = connection->refusals != connection->refusals_told;
    connection->refusals_told = connection->refusals;
    return is_new;
}

const char *gestured_connection_silence(const struct gestured_connection *connection) {
    if (connection->monitor == NULL) {
        return "the daemon did not answer in time";
    }
    /* A daemon that does not know the key closes the connection without a word. */
    return "the daemon did not answer in time: perhaps it does not take this client's key, or its "
           "own is not the server key";
}

const char *gestured_connection_refusal(const struct gestured_connection *connection) {
    const char *message = "the daemon does not take this client's key";
    char endpoint[ENDPOINT_ROOM] = "";
    int type = 0;
    size_t size = sizeof type;
    last_endpoint(connection->socket, endpoint, sizeof endpoint);
    zmq_getsockopt(connection->socket, ZMQ_TYPE, &type, &size);
    if (type == ZMQ_SUB) {
        message = "the daemon does not take this client's key; one that may read some sessions "
                  "only has an updates endpoint of its own, which hello tells";
    }
    gestured_explain(endpoint, 0, message);
    return gestured_error(NULL);
}

/* The port of an endpoint of tcp, which is a JSON string; "" where it has none. */
static void port_of(gestured_span endpoint, char port[PORT_DIGITS + 1]) {
    char text[ENDPOINT_ROOM];
    port[0] = '\0';
    if (gestured_text(endpoint, text, sizeof text) <= 0 ||
        !gestured_begins_with(text, "tcp://")) {
        return;
    }
    const char *digits = strrchr(text, ':') + 1;
    size_t size = strlen(digits);
    if (size <= PORT_DIGITS && strspn(digits, "0123456789") == size) {
        memcpy(port, digits, size + 1);
    }
}

/* Connects updates to the first of these endpoints, unless it is connected to one of them. The
 * host stays: the daemon does not know by which name the client reaches it. */
static void connect_to_one_of(
    struct gestured_connection *updates, gestured_span endpoints, long now) {
    char connected[ENDPOINT_ROOM] = "";
    char port[PORT_DIGITS + 1];
    char first_port[PORT_DIGITS + 1] = "";
    gestured_span key;
    gestured_span endpoint = {NULL, 0};
    last_endpoint(updates->socket, connected, sizeof connected);
    const char *colon = strrchr(connected, ':');
    const char *own_port = colon != NULL ? colon + 1 : "";
    while (gestured_each(endpoints, &key, &endpoint)) {
        port_of(endpoint, port);
        if (strcmp(port, own_port) == 0) {
            return;
        }
        if (*first_port == '\0') {
            memcpy(first_port, port, sizeof port);
        }
    }
    if (*first_port != '\0') {
        reconnect(updates, now, first_port);
    }
}

void gestured_find_updates_endpoint(gestured *client) {
    struct gestured_connection *updates = &client->updates;
    long now = gestured_now(client);
    int is_connected =
        updates->handshakes > 0 && updates->handshakes >= client->control.handshakes;
    if (updates->monitor == NULL || is_connected ||
        now - updates->endpoint_asked_at < ENDPOINT_PAUSE) {
        return;
    }
    updates->endpoint_asked_at = now;
    gestured_span reply;
    if (gestured_request(client, "hello", NULL, &reply) == GESTURED_OK) {
        connect_to_one_of(updates, gestured_find(reply, "endpoints.updates"), now);
    }
}
