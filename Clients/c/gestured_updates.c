/* Updates: watches, and the next update by the join rule. Those of a snapshot come first, then
 * those that were kept during the join, then those that come. */
#include "gestured_internal.h"

#include <string.h>

enum outcome { NOTHING_YET, RECEIVED, TIMED_OUT };

static const gestured_span nothing = {NULL, 0};

int gestured_watch(gestured *client, const char *prefix) {
    if (client->prefix_count == GESTURED_PREFIXES || strlen(prefix) >= TOPIC_ROOM) {
        return gestured_fail(
            client, GESTURED_BAD_INPUT, "too-large", "too many prefixes, or too long a one");
    }
    gestured_copy(client->prefixes[client->prefix_count], TOPIC_ROOM, prefix);
    client->prefix_count++;
    zmq_setsockopt(client->updates.socket, ZMQ_SUBSCRIBE, prefix, strlen(prefix));
    client->needs_join = 1;
    return GESTURED_OK;
}

/* Reads all frames of a message, so that the next one begins with its topic. */
int gestured_receive(gestured *client, zmq_msg_t update[2]) {
    void *socket = client->updates.socket;
    zmq_msg_t *topic = &update[0];
    zmq_msg_t *body = &update[1];
    if (zmq_msg_recv(topic, socket, ZMQ_DONTWAIT) < 0) {
        return 0;
    }
    int frames = 1;
    int has_more = zmq_msg_more(topic);
    while (has_more && zmq_msg_recv(body, socket, ZMQ_DONTWAIT) >= 0) {
        frames++;
        has_more = zmq_msg_more(body);
    }
    return frames == 2;
}

/* The next update of the snapshot: 1, or 0 at its end. */
static int next_of_snapshot(gestured *client, gestured_span *topic, gestured_span *body) {
    char text[TOPIC_ROOM];
    gestured_span key;
    while (gestured_each(client->snapshot_updates, &key, &client->snapshot_update)) {
        *topic = gestured_find(client->snapshot_update, "topic");
        *body = gestured_find(client->snapshot_update, "body");
        if (gestured_text(*topic, text, sizeof text) < 0) {
            continue;
        }
        /* The topic is given out without its quotes. */
        topic->at++;
        topic->size -= 2;
        if (gestured_is_news(client, *topic, *body, 1)) {
            return 1;
        }
    }
    client->snapshot_updates = nothing;
    return 0;
}

/* Reads the received update. */
static void read_received(gestured *client, gestured_span *topic, gestured_span *body) {
    zmq_msg_t *update = client->received;
    topic->at = zmq_msg_data(&update[0]);
    topic->size = zmq_msg_size(&update[0]);
    *body = gestured_json(zmq_msg_data(&update[1]), zmq_msg_size(&update[1]));
}

/* Whether a kept update is of this run of the daemon. One without an epoch is no update, which
 * shows later. */
static int is_of_this_run(const gestured *client, gestured_span body) {
    gestured_span epoch = gestured_find(body, "epoch");
    size_t size = strlen(client->run);
    size_t quote = 1;
    return epoch.size <= quote + size || memcmp(epoch.at + quote, client->run, size) == 0;
}

/* The next update that was kept: RECEIVED, or NOTHING_YET where it is late. */
static enum outcome next_kept(gestured *client, gestured_span *topic, gestured_span *body) {
    zmq_msg_t *kept = client->kept[client->kept_taken];
    zmq_msg_move(&client->received[0], &kept[0]);
    zmq_msg_move(&client->received[1], &kept[1]);
    client->kept_taken++;
    read_received(client, topic, body);
    return is_of_this_run(client, *body) ? RECEIVED : NOTHING_YET;
}

/* Waits a while for an update. */
static enum outcome next_received(
    gestured *client, gestured_span *topic, gestured_span *body, long end) {
    client->kept_taken = 0;
    client->kept_count = 0;
    client->kept_bytes = 0;
    int has_time = gestured_wait(client, &client->updates, end);
    if (!gestured_receive(client, client->received)) {
        return has_time ? NOTHING_YET : TIMED_OUT;
    }
    read_received(client, topic, body);
    return RECEIVED;
}

int gestured_next(gestured *client, gestured_span *topic, gestured_span *body, int timeout) {
    long end = gestured_now(client) + timeout;
    for (;;) {
        if (next_of_snapshot(client, topic, body)) {
            return 1;
        }
        if (gestured_connection_was_refused(&client->updates)) {
            return gestured_fail_unauthorized(client, &client->updates);
        }
        gestured_find_updates_endpoint(client);
        if (gestured_is_joining(client)) {
            int status = gestured_join_step(client);
            if (status != GESTURED_OK) {
                return status;
            }
            continue;
        }
        enum outcome outcome;
        if (client->kept_taken < client->kept_count) {
            outcome = next_kept(client, topic, body);
        } else {
            outcome = next_received(client, topic, body, end);
        }
        if (outcome == TIMED_OUT) {
            return 0;
        }
        if (outcome == RECEIVED && gestured_is_news(client, *topic, *body, 0)) {
            return 1;
        }
    }
}
