/* The join rule of the contract: subscribe, wait until the subscriptions are in force, keep what
 * comes meanwhile, and ask for the snapshots of all sessions that are watched. Each step makes one
 * request at most, so that a failure leaves the rest for the next call. */
#include "gestured_internal.h"

#include <stdio.h>
#include <string.h>

enum {
    SESSIONS_OF_A_PAGE = 100,     /* of the list of sessions, the contract's bound */
    FIELDS_ROOM = NAME_ROOM + 32, /* bytes of `{"session":"…"}` and the like, and a zero */
    SYNC_TOPIC_ROOM = 5 + RANDOM_DIGITS_ROOM /* bytes of `sync/…`, and a zero */
};

static const gestured_span nothing = {NULL, 0};

/* The snapshots that a prefix needs. */
enum scope { NO_SESSION, ONE_SESSION, ALL_SESSIONS };

/* Finds what a prefix needs; where it is one session, copies its name. Only these kinds of topics
 * have snapshots. A prefix without a slash may be the beginning of a kind. */
static enum scope scope_of(const char *prefix, char session[NAME_ROOM]) {
    static const char *const kinds[] = {"badge",   "frame", "rows",    "scene",
                                        "session", "state", "touches", "variables"};
    size_t kind_size = strcspn(prefix, "/");
    int has_slash = prefix[kind_size] == '/';
    const char *name = has_slash ? prefix + kind_size + 1 : "";
    size_t name_size = strcspn(name, "/");
    if (name_size >= NAME_ROOM) {
        return NO_SESSION;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        int begins = strncmp(prefix, kinds[i], kind_size) == 0;
        if (begins && (!has_slash || strlen(kinds[i]) == kind_size)) {
            snprintf(session, NAME_ROOM, "%.*s", (int)name_size, name);
            return name_size > 0 ? ONE_SESSION : ALL_SESSIONS;
        }
    }
    return NO_SESSION;
}

void gestured_need_snapshot(gestured *client, const char *session) {
    int is_name = *session != '\0' && strspn(session, GESTURED_NAME_CHARACTERS) == strlen(session);
    if (!is_name) {
        return;
    }
    for (int i = 0; i < client->pending_count; i++) {
        if (strcmp(client->pending[i], session) == 0) {
            return;
        }
    }
    if (client->pending_count < GESTURED_DUE) {
        gestured_copy(client->pending[client->pending_count], NAME_ROOM, session);
        client->pending_count++;
    } else if (!client->is_listing) {
        client->needs_join = 1; /* Too many wait: the list of all begins again. */
    }
}

static void remove_first_pending(gestured *client) {
    client->pending_count--;
    memmove(&client->pending[0], &client->pending[1],
            (size_t)client->pending_count * sizeof client->pending[0]);
}

/* Keeps an update for later; where there is no room for it, its session will show a gap. */
static void keep(gestured *client, zmq_msg_t update[2]) {
    size_t bytes = client->kept_bytes + zmq_msg_size(&update[1]);
    if (client->kept_count == GESTURED_WAITING || bytes > GESTURED_WAITING_BYTES) {
        return;
    }
    zmq_msg_t *kept = client->kept[client->kept_count];
    zmq_msg_move(&kept[0], &update[0]);
    zmq_msg_move(&kept[1], &update[1]);
    client->kept_count++;
    client->kept_bytes = bytes;
}

/* Notes the run of the daemon that answers: kept updates of another one are late. */
static void note_run_of_sync(gestured *client, zmq_msg_t *body) {
    char epoch[EPOCH_ROOM];
    gestured_span value = gestured_json(zmq_msg_data(body), zmq_msg_size(body));
    if (gestured_text(gestured_find(value, "epoch"), epoch, sizeof epoch) > 0) {
        gestured_is_current(client, epoch, "", 1);
    }
}

/* Reads updates until one of this topic comes, and keeps the others. */
static int await_sync(gestured *client, const char *topic) {
    zmq_msg_t *update = client->received;
    long end = gestured_now(client) + client->timeout;
    while (gestured_wait(client, &client->updates, end)) {
        if (gestured_connection_was_refused(&client->updates)) {
            return gestured_fail_unauthorized(client, &client->updates);
        }
        gestured_find_updates_endpoint(client);
        if (!gestured_receive(client, update)) {
            continue;
        }
        size_t size = zmq_msg_size(&update[0]);
        if (size == strlen(topic) && memcmp(zmq_msg_data(&update[0]), topic, size) == 0) {
            note_run_of_sync(client, &update[1]);
            return GESTURED_OK;
        }
        keep(client, update);
    }
    return gestured_fail_unanswered(client);
}

/* Waits until all subscriptions are in force. The daemon answers a subscription to `sync/` with an
 * update of that topic, and takes subscriptions in their order. */
static int synchronize(gestured *client) {
    char topic[SYNC_TOPIC_ROOM];
    char digits[RANDOM_DIGITS_ROOM];
    gestured_random_digits(client, digits);
    snprintf(topic, sizeof topic, "sync/%s", digits);
    zmq_setsockopt(client->updates.socket, ZMQ_SUBSCRIBE, topic, strlen(topic));
    int status = await_sync(client, topic);
    zmq_setsockopt(client->updates.socket, ZMQ_UNSUBSCRIBE, topic, strlen(topic));
    return status;
}

/* Begins the join: what the prefixes need, once their subscriptions are in force. */
static int begin_join(gestured *client) {
    char session[NAME_ROOM];
    int status = synchronize(client);
    if (status != GESTURED_OK) {
        return status;
    }
    client->needs_join = 0;
    client->is_listing = 0;
    client->pending_count = 0;
    for (int i = 0; i < client->prefix_count; i++) {
        enum scope scope = scope_of(client->prefixes[i], session);
        if (scope == ALL_SESSIONS) {
            client->is_listing = 1;
            client->listed_to[0] = '\0';
            client->pending_count = 0;
        } else if (scope == ONE_SESSION && !client->is_listing) {
            gestured_need_snapshot(client, session);
        }
    }
    return GESTURED_OK;
}

/* Whether the key may not read what was asked for: asking again would not mend it. */
static int is_denied(const gestured *client, int status) {
    return status == GESTURED_REFUSED && !client->control.gave_up &&
        strcmp(client->code, "unauthorized") == 0;
}

/* Whether a prefix of the user names the session. */
static int is_named(const gestured *client, const char *session) {
    char name[NAME_ROOM];
    for (int i = 0; i < client->prefix_count; i++) {
        if (scope_of(client->prefixes[i], name) == ONE_SESSION && strcmp(name, session) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Whether a session of the list cannot be read: the others are shown nevertheless. */
static int is_unreadable(const gestured *client, int status, const char *session) {
    return status == GESTURED_REFUSED && !client->control.gave_up &&
        strcmp(client->code, "busy") != 0 && strcmp(client->code, "unauthorized") != 0 &&
        !is_named(client, session);
}

/* Asks for the next page of the list of sessions. */
static int list_sessions(gestured *client) {
    char fields[FIELDS_ROOM] = "{}";
    char name[NAME_ROOM];
    gestured_span reply, key;
    gestured_span session = nothing;
    if (*client->listed_to != '\0') {
        snprintf(fields, sizeof fields, "{\"after\":\"%s\"}", client->listed_to);
    }
    int status = gestured_request(client, "sessions", fields, &reply);
    if (status != GESTURED_OK) {
        if (is_denied(client, status)) {
            client->is_listing = 0;
        }
        return status;
    }
    gestured_span sessions = gestured_find(reply, "sessions");
    while (gestured_each(sessions, &key, &session)) {
        if (gestured_text(session, name, sizeof name) > 0) {
            gestured_need_snapshot(client, name);
        }
    }
    /* Pages follow each other in order; one that goes back would never end. */
    int has_next = gestured_text(gestured_find(reply, "next"), name, sizeof name) > 0 &&
        strcmp(name, client->listed_to) > 0;
    client->is_listing = has_next;
    gestured_copy(client->listed_to, sizeof client->listed_to, has_next ? name : "");
    return GESTURED_OK;
}

/* Asks for the first snapshot that is pending. */
static int fetch_snapshot(gestured *client) {
    const char *session = client->pending[0];
    char fields[FIELDS_ROOM];
    gestured_span reply;
    snprintf(fields, sizeof fields, "{\"session\":\"%s\"}", session);
    int status = gestured_request(client, "snapshot", fields, &reply);
    if (status == GESTURED_OK) {
        /* The next request overwrites the reply. A short message moves with its bytes, so the
         * spans of the reply count no more. */
        zmq_msg_move(&client->snapshot, &client->reply);
        reply = gestured_json(zmq_msg_data(&client->snapshot), zmq_msg_size(&client->snapshot));
        client->snapshot_updates = gestured_find(reply, "updates");
        client->snapshot_update = nothing;
    } else if (status == GESTURED_REFUSED && strcmp(client->code, "unknown-session") == 0) {
        char key[1 + NAME_ROOM];
        snprintf(key, sizeof key, "/%s", session);
        gestured_last_received(client, key)->has_ended = 1;
        status = GESTURED_OK;
    } else if (is_unreadable(client, status, session)) {
        status = GESTURED_OK;
    }
    if (status == GESTURED_OK || is_denied(client, status)) {
        remove_first_pending(client);
    }
    return status;
}

int gestured_is_joining(const gestured *client) {
    return client->needs_join || client->is_listing || client->pending_count > 0;
}

int gestured_join_step(gestured *client) {
    if (client->needs_join) {
        return begin_join(client);
    }
    /* A page is asked for once all of its sessions have room. */
    int has_room = client->pending_count + SESSIONS_OF_A_PAGE <= GESTURED_DUE;
    if (client->is_listing && has_room) {
        return list_sessions(client);
    }
    if (client->pending_count > 0) {
        return fetch_snapshot(client);
    }
    return GESTURED_OK;
}
