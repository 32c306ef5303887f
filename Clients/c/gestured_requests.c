/* Requests and their replies, and events: published ones, and those that are acknowledged. */
#include "gestured_internal.h"

#include <stdio.h>
#include <string.h>

enum {
    REASON_ROOM = 200,   /* bytes of a message of the daemon, and a zero */
    STILL_WAITING = 1,   /* beside the results of gestured.h, which are not positive */
    ID_MEMBER_ROOM = 48, /* bytes of `"id":"…",` with 32 digits, and a zero */
    KEY_ROOM = 16        /* bytes of a key with its quotes: `id` in escapes has 14 */
};

static const gestured_span nothing = {NULL, 0};

/* Whether a text has no other characters than these. */
static int has_only(const char *text, const char *characters) {
    return strspn(text, characters) == strlen(text);
}

/* Notes what the daemon says where it refuses a request. */
static int fail_refused(gestured *client, gestured_span reply) {
    char code[NAME_ROOM] = "bad-answer";
    char message[REASON_ROOM] = "the reply has no code";
    gestured_text(gestured_find(reply, "error.code"), code, sizeof code);
    gestured_text(gestured_find(reply, "error.message"), message, sizeof message);
    return gestured_fail(client, GESTURED_REFUSED, code, message);
}

/* Reads a message, if there is one: the result of the newest request, or STILL_WAITING. Replies to
 * former requests may come late; one without an id is to a request that the daemon could not
 * read. */
static int read_reply(gestured *client, gestured_span *reply) {
    char id[NUMBER_ROOM];
    zmq_msg_t *message = &client->reply;
    if (zmq_msg_recv(message, client->control.socket, ZMQ_DONTWAIT) < 0) {
        return STILL_WAITING;
    }
    *reply = gestured_json(zmq_msg_data(message), zmq_msg_size(message));
    gestured_span their_id = gestured_find(*reply, "id");
    gestured_span ok = gestured_find(*reply, "ok");
    snprintf(id, sizeof id, "%lu", client->last_id);
    if (ok.at == NULL || (their_id.at != NULL && !gestured_is(their_id, id))) {
        return STILL_WAITING;
    }
    if (*ok.at == 't') {
        return GESTURED_OK;
    }
    return fail_refused(client, *reply);
}

/* Waits for the reply to the newest request until an instant. */
static int await_reply(gestured *client, long end, gestured_span *reply) {
    while (gestured_wait(client, &client->control, end)) {
        if (gestured_connection_was_refused(&client->control)) {
            return gestured_fail_unauthorized(client, &client->control);
        }
        int status = read_reply(client, reply);
        if (status != STILL_WAITING) {
            return status;
        }
    }
    return STILL_WAITING;
}

/* Sends `client->request`, and again where no reply comes, up to a number of tries, which share
 * the client's timeout. */
static int exchange(gestured *client, int size, int tries, gestured_span *reply) {
    gestured_span unread;
    if (reply == NULL) {
        reply = &unread;
    }
    if (size < 0 || size >= GESTURED_REQUEST_BYTES) {
        return gestured_fail(client, GESTURED_BAD_INPUT, "too-large", "the request is too large");
    }
    gestured_read_handshakes(client); /* An earlier refusal is none of this request. */
    long end = gestured_now(client) + client->timeout;
    for (int left = tries; left > 0; left--) {
        int goes_on = 1;
        while (goes_on && client->control.gave_up) {
            goes_on = gestured_wait(client, &client->control, end);
        }
        zmq_send(client->control.socket, client->request, (size_t)size, ZMQ_DONTWAIT);
        long now = gestured_now(client);
        int status = await_reply(client, now + (end - now) / left, reply);
        if (status != STILL_WAITING) {
            return status;
        }
    }
    return gestured_fail_unanswered(client);
}

/* Whether an operation only reads, so that it may go out twice. */
static int is_read(const char *op) {
    static const char *const reads[] = {"export", "hello", "hit", "scene", "scenes",
                                        "sessions", "snapshot", "stats", "time"};
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
        if (strcmp(reads[i], op) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Whether fields have a member that the client itself writes. */
static int has_reserved_member(gestured_span fields) {
    char name[KEY_ROOM];
    gestured_span key;
    gestured_span value = nothing;
    while (gestured_each(fields, &key, &value)) {
        if (gestured_text(key, name, sizeof name) >= 0 &&
            (strcmp(name, "id") == 0 || strcmp(name, "op") == 0)) {
            return 1;
        }
    }
    return 0;
}

/* The comma that a member needs before those of an object: none where it is empty. */
static const char *comma_before(gestured_span object) {
    gestured_span key;
    gestured_span value = nothing;
    return gestured_each(object, &key, &value) ? "," : "";
}

/* The members of an object and the bracket that closes it, which other members may precede. */
static gestured_span without_opening(gestured_span object) {
    gestured_span rest = {object.at + 1, object.size - 1};
    return rest;
}

int gestured_request(
    gestured *client, const char *op, const char *fields, gestured_span *reply) {
    if (fields == NULL) {
        fields = "{}";
    }
    gestured_span given = gestured_json(fields, strlen(fields));
    if (!has_only(op, GESTURED_NAME_CHARACTERS) || strlen(op) >= NAME_ROOM ||
        given.at == NULL || *given.at != '{') {
        return gestured_fail(
            client, GESTURED_BAD_INPUT, "bad-json", "no operation, or fields are no object");
    }
    if (has_reserved_member(given)) {
        return gestured_fail(
            client, GESTURED_BAD_INPUT, "bad-value", "the client itself writes id and op");
    }
    client->last_id++;
    gestured_span members = without_opening(given);
    int size = snprintf(
        client->request, sizeof client->request, "{\"id\":\"%lu\",\"op\":\"%s\"%s%.*s",
        client->last_id, op, comma_before(given), (int)members.size, members.at);
    return exchange(client, size, is_read(op) ? GESTURED_TRIES : 1, reply);
}

/* Reads the body of an event and looks at its topic: GESTURED_OK where it can be sent. */
static int read_event(
    gestured *client, const char *topic, const char *text, gestured_span *body) {
    *body = gestured_json(text, strlen(text));
    int is_object =
        body->at != NULL && *body->at == '{' && body->size <= GESTURED_BODY_BYTES;
    int is_topic = *topic != '\0' && strlen(topic) < TOPIC_ROOM &&
        has_only(topic, GESTURED_NAME_CHARACTERS "/");
    if (!is_object || !is_topic) {
        return gestured_fail(client, GESTURED_BAD_INPUT, "bad-value",
                             "no topic, or the body is no object or too large");
    }
    return GESTURED_OK;
}

/* Sends an event to a daemon that takes it, which waits while the socket is full. */
static int send_event(gestured *client, const char *topic, gestured_span body) {
    void *socket = client->events.socket;
    if (zmq_send(socket, topic, strlen(topic), ZMQ_SNDMORE) < 0 ||
        zmq_send(socket, body.at, body.size, 0) < 0) {
        return gestured_fail_unanswered(client);
    }
    return GESTURED_OK;
}

int gestured_publish(gestured *client, const char *topic, const char *body) {
    gestured_span sent;
    int status = read_event(client, topic, body, &sent);
    if (status != GESTURED_OK) {
        return status;
    }
    long end = gestured_now(client) + client->timeout;
    gestured_read_handshakes(client); /* An earlier refusal is none of this event. */
    do {
        if (gestured_connection_was_refused(&client->events)) {
            return gestured_fail_unauthorized(client, &client->events);
        }
        if (gestured_connection_takes_events(&client->events)) {
            return send_event(client, topic, sent);
        }
    } while (gestured_wait(client, &client->events, end));
    return gestured_fail_unanswered(client);
}

int gestured_acknowledged(
    gestured *client, const char *topic, const char *body, gestured_span *reply) {
    gestured_span sent;
    char digits[RANDOM_DIGITS_ROOM];
    char id[ID_MEMBER_ROOM] = "";
    int status = read_event(client, topic, body, &sent);
    if (status != GESTURED_OK) {
        return status;
    }
    /* By its id the daemon knows an event that it has, so it may go out twice. */
    int takes_id = gestured_begins_with(topic, "notification/") ||
        gestured_begins_with(topic, "command/");
    if (takes_id && gestured_member(sent, "id", strlen("id")).at == NULL) {
        gestured_random_digits(client, digits);
        snprintf(id, sizeof id, "\"id\":\"%s\"%s", digits, comma_before(sent));
    }
    client->last_id++;
    gestured_span members = without_opening(sent);
    int size = snprintf(
        client->request, sizeof client->request,
        "{\"id\":\"%lu\",\"op\":\"publish\",\"topic\":\"%s\",\"body\":{%s%.*s}",
        client->last_id, topic, id, (int)members.size, members.at);
    return exchange(client, size, takes_id ? GESTURED_TRIES : 1, reply);
}
