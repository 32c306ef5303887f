/* The history of what was received: the last update of each topic, the epochs of sessions and the
 * runs of the daemon. From it follows whether an update is newer, and what was missed. */
#include "gestured_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gestured_received *gestured_last_received(gestured *client, const char *topic) {
    struct gestured_received *oldest = &client->last[0];
    client->uses++;
    for (int i = 0; i < GESTURED_TOPICS; i++) {
        struct gestured_received *entry = &client->last[i];
        if (strcmp(entry->topic, topic) == 0) {
            entry->used = client->uses;
            return entry;
        }
        if (entry->used < oldest->used) {
            oldest = entry;
        }
    }
    memset(oldest, 0, sizeof *oldest);
    gestured_copy(oldest->topic, sizeof oldest->topic, topic);
    oldest->used = client->uses;
    return oldest;
}

/* An epoch is a run of the daemon, a dot and a number that grows. */
struct epoch_parts {
    size_t run_size; /* how many bytes of the text are the run */
    unsigned long long number;
};

static struct epoch_parts parts_of(const char *epoch) {
    struct epoch_parts parts = {strlen(epoch), 0};
    const char *dot = strrchr(epoch, '.');
    if (dot != NULL) {
        parts.run_size = (size_t)(dot - epoch);
        parts.number = strtoull(dot + 1, NULL, 10);
    }
    return parts;
}

/* Whether two epochs are of the same run of the daemon. */
static int is_same_run(const char *one, const char *other) {
    size_t size = parts_of(one).run_size;
    return parts_of(other).run_size == size && memcmp(one, other, size) == 0;
}

/* Notes the run of the daemon: 0 where it is a former one, so that its updates are late. */
static int note_run(gestured *client, const char *run) {
    for (int i = 0; i < GESTURED_RUNS; i++) {
        if (strcmp(run, client->former_runs[i]) == 0) {
            return 0;
        }
    }
    if (*client->run != '\0' && strcmp(run, client->run) != 0) {
        char *former = client->former_runs[client->former_run_count % GESTURED_RUNS];
        gestured_copy(former, EPOCH_ROOM, client->run);
        client->former_run_count++;
        client->needs_join = 1;
    }
    gestured_copy(client->run, sizeof client->run, run);
    return 1;
}

/* Notes the epoch of a session: 0 where it is older than the newest one. */
static int note_epoch(
    gestured *client, struct gestured_received *newest, const char *epoch, const char *session,
    int is_from_snapshot) {
    if (strcmp(newest->epoch, epoch) == 0) {
        return 1;
    }
    if (is_same_run(newest->epoch, epoch)) {
        if (parts_of(epoch).number < parts_of(newest->epoch).number) {
            return 0;
        }
        /* Where the former epoch has not ended, its end was missed, and more may have been. */
        if (!newest->has_ended && !is_from_snapshot) {
            gestured_need_snapshot(client, session);
        }
    }
    gestured_copy(newest->epoch, sizeof newest->epoch, epoch);
    newest->has_ended = 0;
    return 1;
}

int gestured_is_current(
    gestured *client, const char *epoch, const char *session, int is_from_snapshot) {
    char run[EPOCH_ROOM];
    char key[1 + TOPIC_ROOM]; /* the slash and the session */
    /* Updates were lost while it was away, and the last one of a session shows no gap. */
    if (client->was_disconnected && !is_from_snapshot) {
        client->was_disconnected = 0;
        client->needs_join = 1;
    }
    /* The epoch of an update that is of no session is the run itself. */
    size_t run_size = *session != '\0' ? parts_of(epoch).run_size : strlen(epoch);
    snprintf(run, sizeof run, "%.*s", (int)run_size, epoch);
    if (!note_run(client, run)) {
        return 0;
    }
    snprintf(key, sizeof key, "/%s", session);
    struct gestured_received *newest = gestured_last_received(client, key);
    return *session == '\0' || note_epoch(client, newest, epoch, session, is_from_snapshot);
}

/* The parts of an update that decide whether it is news. */
struct update {
    char topic[TOPIC_ROOM];
    char session[TOPIC_ROOM]; /* "": it is of none */
    char epoch[EPOCH_ROOM];
    double seq, t;
    int is_from_snapshot;
};

/* The second part of a topic, which is the session; "-" stands for none. */
static void read_session(const char *topic, char *session, size_t room) {
    const char *slash = strchr(topic, '/');
    *session = '\0';
    if (slash == NULL || slash == topic) {
        return;
    }
    const char *name = slash + 1;
    size_t size = strcspn(name, "/");
    if (size == 1 && *name == '-') {
        return;
    }
    snprintf(session, room, "%.*s", (int)size, name);
}

/* Reads an update: 0 where the contract has none like it, or it is of the client itself. */
static int read_update(struct update *update, gestured_span topic, gestured_span body) {
    if (gestured_text(gestured_find(body, "epoch"), update->epoch, sizeof update->epoch) <= 0 ||
        !gestured_number(gestured_find(body, "seq"), &update->seq) ||
        !gestured_number(gestured_find(body, "t"), &update->t) ||
        topic.size >= sizeof update->topic) {
        return 0;
    }
    snprintf(update->topic, sizeof update->topic, "%.*s", (int)topic.size, topic.at);
    read_session(update->topic, update->session, sizeof update->session);
    return *update->topic != '\0' && !gestured_begins_with(update->topic, "sync/") &&
        strlen(update->session) < NAME_ROOM;
}

/* Whether an update is newer than the last one of its topic and epoch; notes what was missed
 * between them. */
static int is_newer(
    gestured *client, const struct update *update, const struct gestured_received *last) {
    if (update->is_from_snapshot) {
        /* A frame that was published has what changed, one of a snapshot has all. */
        int is_completed = gestured_begins_with(update->topic, "frame/") && !last->is_whole &&
            update->t == last->t;
        return update->seq >= last->seq && (update->t > last->t || is_completed);
    }
    if (update->seq <= last->seq) {
        return 0;
    }
    if (update->seq > last->seq + 1 && *update->session != '\0') {
        gestured_need_snapshot(client, update->session);
    }
    return 1;
}

/* Notes whether a session has ended, from an update of `session/`. */
static void note_end(gestured *client, const struct update *update, gestured_span body) {
    gestured_span event = gestured_find(body, "event");
    const char *key = update->topic + strlen("session");
    gestured_last_received(client, key)->has_ended = gestured_is(event, "closed") ||
        gestured_is(event, "parked") || gestured_is(event, "expired");
}

static int is_watched(const gestured *client, const char *topic) {
    for (int i = 0; i < client->prefix_count; i++) {
        if (gestured_begins_with(topic, client->prefixes[i])) {
            return 1;
        }
    }
    return 0;
}

int gestured_is_news(
    gestured *client, gestured_span topic, gestured_span body, int is_from_snapshot) {
    struct update update;
    update.is_from_snapshot = is_from_snapshot;
    if (!read_update(&update, topic, body) ||
        !gestured_is_current(client, update.epoch, update.session, is_from_snapshot)) {
        return 0;
    }
    struct gestured_received *last = gestured_last_received(client, update.topic);
    if (strcmp(last->epoch, update.epoch) == 0 && !is_newer(client, &update, last)) {
        return 0;
    }
    gestured_copy(last->epoch, sizeof last->epoch, update.epoch);
    last->seq = update.seq;
    last->t = update.t;
    last->is_whole = is_from_snapshot;
    if (gestured_begins_with(update.topic, "session/")) {
        note_end(client, &update, body);
    }
    return is_watched(client, update.topic);
}
