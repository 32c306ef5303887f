/* The client: connects, closes, waits, and says what failed. */
#include "gestured_internal.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_WAIT = 50,      /* ms until all connections are looked at again */
    MICROSECONDS = 1000,    /* in a millisecond */
    EXPLANATION_ROOM = 512  /* bytes of what failed without a client, and a zero */
};

/* The failure of a call that has no client; each thread has its own where the compiler can. */
#if defined(__GNUC__)
static __thread char explanation[EXPLANATION_ROOM];
#else
static char explanation[EXPLANATION_ROOM];
#endif

/* Errors. */

const char *gestured_error(const gestured *client) {
    return client != NULL ? client->error : explanation;
}

const char *gestured_code(const gestured *client) {
    return client->code;
}

int gestured_explain(const char *place, int line, const char *message) {
    if (line > 0) {
        snprintf(explanation, sizeof explanation, "%.300s:%d: %s", place, line, message);
    } else if (*place != '\0') {
        snprintf(explanation, sizeof explanation, "%.300s: %s", place, message);
    } else {
        snprintf(explanation, sizeof explanation, "%s", message);
    }
    return GESTURED_BAD_INPUT;
}

int gestured_fail(gestured *client, int status, const char *code, const char *message) {
    gestured_copy(client->code, sizeof client->code, code);
    gestured_copy(client->error, sizeof client->error, message);
    return status;
}

int gestured_fail_unanswered(gestured *client) {
    const char *message = gestured_connection_silence(&client->control);
    return gestured_fail(client, GESTURED_NO_ANSWER, "no-answer", message);
}

int gestured_fail_unauthorized(
    gestured *client, const struct gestured_connection *connection) {
    const char *message = gestured_connection_refusal(connection);
    return gestured_fail(client, GESTURED_REFUSED, "unauthorized", message);
}

/* Helpers. */

const char *gestured_environment(const char *name) {
    const char *value = getenv(name);
    return value != NULL ? value : "";
}

int gestured_begins_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

void gestured_copy(char *to, size_t room, const char *text) {
    snprintf(to, room, "%s", text);
}

void gestured_random_digits(const gestured *client, char digits[RANDOM_DIGITS_ROOM]) {
    /* Without a source of random numbers, the clock and an address have to do. */
    uint64_t clock = zmq_stopwatch_intermediate(client->stopwatch);
    uint64_t numbers[2] = {clock, (uintptr_t)digits};
    FILE *source = fopen("/dev/urandom", "rb");
    if (source != NULL) {
        if (fread(numbers, sizeof numbers, 1, source) != 1) {
            numbers[1] ^= clock;
        }
        fclose(source);
    }
    snprintf(digits, RANDOM_DIGITS_ROOM, "%016llx%016llx",
             (unsigned long long)numbers[0], (unsigned long long)numbers[1]);
}

/* Waiting. */

long gestured_now(const gestured *client) {
    return (long)(zmq_stopwatch_intermediate(client->stopwatch) / MICROSECONDS);
}

void gestured_read_handshakes(gestured *client) {
    struct gestured_connection *updates = &client->updates;
    long now = gestured_now(client);
    long handshakes_before = updates->handshakes;
    gestured_connection_read_handshakes(&client->events, now);
    gestured_connection_read_handshakes(updates, now);
    gestured_connection_read_handshakes(&client->control, now);
    int is_first = handshakes_before == 0 && updates->reconnects == 0;
    if (updates->handshakes > handshakes_before && !is_first) {
        client->was_disconnected = 1;
    }
}

int gestured_wait(gestured *client, const struct gestured_connection *connection, long end) {
    long left = end - gestured_now(client);
    long wait = left;
    if (wait < 0) {
        wait = 0;
    } else if (wait > LONGEST_WAIT) {
        wait = LONGEST_WAIT;
    }
    /* libzmq sends subscriptions to a new connection only where their socket is looked at. */
    int state;
    size_t size = sizeof state;
    zmq_getsockopt(client->updates.socket, ZMQ_EVENTS, &state, &size);
    zmq_pollitem_t item;
    item.socket = connection->socket;
    item.fd = 0;
    item.events = connection->is_push ? ZMQ_POLLOUT : ZMQ_POLLIN;
    item.revents = 0;
    zmq_poll(&item, 1, wait);
    gestured_read_handshakes(client);
    return left > 0;
}

/* Connecting and closing. */

/* libzmq reads into messages that are initialized, and wants each closed in the end. */
static void initialize_messages(gestured *client) {
    zmq_msg_init(&client->reply);
    zmq_msg_init(&client->snapshot);
    for (int part = 0; part < 2; part++) {
        zmq_msg_init(&client->received[part]);
        for (int i = 0; i < GESTURED_WAITING; i++) {
            zmq_msg_init(&client->kept[i][part]);
        }
    }
}

static void close_messages(gestured *client) {
    zmq_msg_close(&client->reply);
    zmq_msg_close(&client->snapshot);
    for (int part = 0; part < 2; part++) {
        zmq_msg_close(&client->received[part]);
        for (int i = 0; i < GESTURED_WAITING; i++) {
            zmq_msg_close(&client->kept[i][part]);
        }
    }
}

/* Opens the three connections: 0, or -1 with errno. */
static int open_connections(
    gestured *client, const char *events, const char *updates, const char *control,
    const gestured_keys *keys) {
    static const char heartbeat[] = "heartbeat"; /* its epoch tells each run of the daemon */
    void *context = client->context;
    int timeout = client->timeout;
    int type = gestured_event_socket_type(events);
    int status = gestured_connection_open(&client->events, context, type, events, timeout, keys);
    if (status == 0) {
        status = gestured_connection_open(
            &client->updates, context, ZMQ_SUB, updates, timeout, keys);
    }
    if (status == 0) {
        status = gestured_connection_open(
            &client->control, context, ZMQ_DEALER, control, timeout, keys);
    }
    if (status == 0) {
        status = zmq_setsockopt(
            client->updates.socket, ZMQ_SUBSCRIBE, heartbeat, strlen(heartbeat));
    }
    return status;
}

gestured *gestured_connect_with_keys(
    const char *events, const char *updates, const char *control, int timeout,
    const gestured_keys *keys) {
    gestured *client = calloc(1, sizeof *client);
    if (client == NULL) {
        gestured_explain("", 0, "no memory");
        return NULL;
    }
    initialize_messages(client);
    client->timeout = timeout;
    client->context = zmq_ctx_new();
    client->stopwatch = zmq_stopwatch_start();
    if (open_connections(client, events, updates, control, keys) != 0) {
        int reason = zmq_errno();
        gestured_close(client);
        errno = reason;
        return NULL;
    }
    return client;
}

gestured *gestured_connect(
    const char *events, const char *updates, const char *control, int timeout) {
    gestured_keys keys;
    int has_keys = *gestured_environment("GESTURED_KEY") != '\0' ||
        *gestured_environment("GESTURED_SERVER_KEY") != '\0';
    if (!has_keys) {
        return gestured_connect_with_keys(events, updates, control, timeout, NULL);
    }
    if (gestured_load_keys(&keys, NULL, NULL) != GESTURED_OK) {
        errno = EINVAL;
        return NULL;
    }
    return gestured_connect_with_keys(events, updates, control, timeout, &keys);
}

void gestured_close(gestured *client) {
    if (client == NULL) {
        return;
    }
    close_messages(client);
    gestured_connection_close(&client->events);
    gestured_connection_close(&client->updates);
    gestured_connection_close(&client->control);
    zmq_ctx_term(client->context);
    zmq_stopwatch_stop(client->stopwatch);
    free(client);
}
