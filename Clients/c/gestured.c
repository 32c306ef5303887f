/* The part of gestured.h over libzmq: requests and events, then the join rule. */
#include "gestured_link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

#define IN_NAMES "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-"
enum { NAME = 65, TOPIC = GESTURED_TOPIC_BYTES + 1, EPOCH = GESTURED_EPOCH_BYTES, PAGE = 100 };
enum { REPLY, SNAPSHOT, TAKEN, KEPT = TAKEN + 2, MESSAGES = KEPT + 2 * GESTURED_WAITING };
typedef gestured_span span;
static const span nothing = {NULL, 0};

/* The last update of a topic; or, under "/<session>", the newest epoch of a session. */
struct seen {
    char topic[TOPIC], epoch[EPOCH];
    double seq, t;
    unsigned long used;
    int has_ended, is_whole;
};

struct gestured {
    void *context, *clock;
    struct gestured_link events, updates, control;
    long timeout, was_away, prefix_count, due_count, joins_all, is_paging, dead_count;
    unsigned long last_id, uses;
    char code[NAME], error[256], after[NAME], request[GESTURED_REQUEST_BYTES];
    char prefixes[GESTURED_PREFIXES][TOPIC], due[GESTURED_DUE][NAME];
    char run[EPOCH], dead[GESTURED_RUNS][EPOCH];
    struct seen seen[GESTURED_TOPICS];
    zmq_msg_t messages[MESSAGES];
    size_t first_kept, kept_count, kept_bytes;
    span entries, entry;
};

const char *gestured_error(const gestured *c) { return c ? c->error : gestured_said(); }
const char *gestured_code(const gestured *c) { return c->code; }
static long now(gestured *c) { return (long)(zmq_stopwatch_intermediate(c->clock) / 1000); }

static int fail(gestured *c, int status, const char *code, const char *message) {
    snprintf(c->code, sizeof c->code, "%s", code);
    snprintf(c->error, sizeof c->error, "%s", message);
    return status;
}

static int no_answer(gestured *c) {
    return fail(c, GESTURED_NO_ANSWER, "no-answer", gestured_link_trouble(&c->control));
}

static int unauthorized(gestured *c, struct gestured_link *link) {
    return fail(c, GESTURED_REFUSED, "unauthorized", gestured_link_refusal(link));
}

static void look(gestured *c) {
    long at = now(c), joins = c->updates.joins;
    gestured_link_look(&c->events, at), gestured_link_look(&c->updates, at);
    gestured_link_look(&c->control, at);
    if (c->updates.joins > joins && (joins || c->updates.dials)) c->was_away = 1;
}

/* Waits a while for something to read; 0 where the instant has come. A subscription is sent again
 * to a new connection only where its socket is looked at. */
static int wait_for(gestured *c, struct gestured_link *link, long end) {
    int events;
    long left = end - now(c);
    zmq_getsockopt(c->updates.socket, ZMQ_EVENTS, &events, &(size_t){sizeof events});
    zmq_poll(&(zmq_pollitem_t){link->socket, 0, link->pushes ? ZMQ_POLLOUT : ZMQ_POLLIN, 0}, 1,
             left < 0 ? 0 : left > 50 ? 50 : left);
    look(c);
    return left > 0;
}

gestured *gestured_connect_with_keys(
    const char *events, const char *updates, const char *control, int ms, const gestured_keys *k) {
    gestured *c = calloc(1, sizeof *c);
    if (!c) return gestured_say("", 0, "no memory"), NULL;
    for (int i = 0; i < MESSAGES; i++) zmq_msg_init(&c->messages[i]);
    c->timeout = ms, c->context = zmq_ctx_new(), c->clock = zmq_stopwatch_start();
    int type = gestured_link_type_of_events(events);
    if (!gestured_link_open(&c->events, c->context, type, events, ms, k) &&
        !gestured_link_open(&c->updates, c->context, ZMQ_SUB, updates, ms, k) &&
        !gestured_link_open(&c->control, c->context, ZMQ_DEALER, control, ms, k) &&
        !zmq_setsockopt(c->updates.socket, ZMQ_SUBSCRIBE, "heartbeat", 9)) return c;
    int reason = zmq_errno();
    gestured_close(c), errno = reason;
    return NULL;
}

void gestured_close(gestured *c) {
    if (!c) return;
    for (int i = 0; i < MESSAGES; i++) zmq_msg_close(&c->messages[i]);
    gestured_link_close(&c->events), gestured_link_close(&c->updates);
    gestured_link_close(&c->control);
    zmq_ctx_term(c->context), zmq_stopwatch_stop(c->clock);
    free(c);
}

/* Sends c->request, and again where no answer comes. */
static int exchange(gestured *c, int size, int tries, span *reply) {
    zmq_msg_t *got = &c->messages[REPLY];
    char id[24], code[NAME] = "bad-answer", message[200] = "the reply has no code";
    span unread;
    if (!reply) reply = &unread;
    if (size < 0 || size >= GESTURED_REQUEST_BYTES)
        return fail(c, GESTURED_BAD_INPUT, "too-large", "the request is too large");
    snprintf(id, sizeof id, "%lu", c->last_id);
    look(c); /* A refusal of before is none of this request. */
    for (long all = now(c) + c->timeout, end; tries; tries--) { /* Each try has its share. */
        while (c->control.is_lost && wait_for(c, &c->control, all)) continue;
        zmq_send(c->control.socket, c->request, (size_t)size, ZMQ_DONTWAIT);
        for (end = now(c) + (all - now(c)) / tries; wait_for(c, &c->control, end);) {
            if (gestured_link_refused(&c->control)) return unauthorized(c, &c->control);
            if (zmq_msg_recv(got, c->control.socket, ZMQ_DONTWAIT) < 0) continue;
            *reply = gestured_json(zmq_msg_data(got), zmq_msg_size(got));
            span theirs = gestured_find(*reply, "id"), ok = gestured_find(*reply, "ok");
            if (!ok.at || (theirs.at && !gestured_is(theirs, id))) continue;
            if (*ok.at == 't') return GESTURED_OK;
            gestured_text(gestured_find(*reply, "error.code"), code, sizeof code);
            gestured_text(gestured_find(*reply, "error.message"), message, sizeof message);
            return fail(c, GESTURED_REFUSED, code, message);
        }
    }
    return no_answer(c);
}

int gestured_request(gestured *c, const char *op, const char *fields, span *reply) {
    static const char reads[] = " export hello hit scene scenes sessions snapshot stats time ";
    char word[NAME + 2], name[16];
    if (!fields) fields = "{}";
    span key, one = nothing, given = gestured_json(fields, strlen(fields));
    if (strspn(op, IN_NAMES) != strlen(op) || strlen(op) >= NAME || !given.at || *given.at != '{')
        return fail(c, GESTURED_BAD_INPUT, "bad-json", "no operation, or fields are no object");
    while (gestured_each(given, &key, &one))
        if (gestured_text(key, name, sizeof name) == 2 &&
            (!strcmp(name, "id") || !strcmp(name, "op")))
            return fail(c, GESTURED_BAD_INPUT, "bad-value", "the client itself writes id and op");
    one = nothing;
    snprintf(word, sizeof word, " %s ", op);
    int size = snprintf(
        c->request, sizeof c->request, "{\"id\":\"%lu\",\"op\":\"%s\"%s%.*s", ++c->last_id, op,
        gestured_each(given, &key, &one) ? "," : "", (int)given.size - 1, given.at + 1);
    return exchange(c, size, strstr(reads, word) ? GESTURED_TRIES : 1, reply);
}

/* The body of an event as a value, or nothing where it cannot be sent. */
static span body_of(gestured *c, const char *topic, const char *text) {
    span body = gestured_json(text, strlen(text));
    if (body.at && *body.at == '{' && body.size <= GESTURED_BODY_BYTES && *topic &&
        strlen(topic) < TOPIC && strspn(topic, IN_NAMES "/") == strlen(topic)) return body;
    fail(c, GESTURED_BAD_INPUT, "bad-value", "no topic, or the body is no object or too large");
    return nothing;
}

int gestured_publish(gestured *c, const char *topic, const char *body) {
    int is_there;
    span sent = body_of(c, topic, body);
    long end = now(c) + c->timeout;
    if (!sent.at) return GESTURED_BAD_INPUT;
    void *socket = c->events.socket;
    look(c); /* A refusal of before is none of this event. */
    do {
        if (gestured_link_refused(&c->events)) return unauthorized(c, &c->events);
        is_there = gestured_link_is_heard(&c->events);
    } while (!is_there && wait_for(c, &c->events, end));
    int is_sent = is_there && zmq_send(socket, topic, strlen(topic), ZMQ_SNDMORE) >= 0;
    return is_sent && zmq_send(socket, sent.at, sent.size, 0) >= 0 ? GESTURED_OK : no_answer(c);
}

int gestured_acknowledged(gestured *c, const char *topic, const char *body, span *reply) {
    int takes_id = !strncmp(topic, "notification/", 13) || !strncmp(topic, "command/", 8);
    span key, one = nothing, sent = body_of(c, topic, body);
    char id[33], given[48] = "";
    if (!sent.at) return GESTURED_BAD_INPUT;
    const char *comma = gestured_each(sent, &key, &one) ? "," : "";
    gestured_draw_lots(id, zmq_stopwatch_intermediate(c->clock));
    if (takes_id && !gestured_member(sent, "id", 2).at)
        snprintf(given, sizeof given, "\"id\":\"%s\"%s", id, comma);
    int size = snprintf(
        c->request, sizeof c->request,
        "{\"id\":\"%lu\",\"op\":\"publish\",\"topic\":\"%s\",\"body\":{%s%.*s}", ++c->last_id,
        topic, given, (int)sent.size - 1, sent.at + 1);
    return exchange(c, size, takes_id ? GESTURED_TRIES : 1, reply);
}

/* The last update of a topic or a session; where all places are taken, the oldest one's goes. */
static struct seen *last_seen(gestured *c, const char *topic) {
    struct seen *one = c->seen;
    for (int i = 0; i < GESTURED_TOPICS && strcmp(one->topic, topic); i++)
        if (!strcmp(c->seen[i].topic, topic) || c->seen[i].used < one->used) one = &c->seen[i];
    if (strcmp(one->topic, topic)) memset(one, 0, sizeof *one), strcpy(one->topic, topic);
    one->used = ++c->uses;
    return one;
}

/* The snapshots that a prefix needs: 0: none, 1: of the session that it copies, 2: of all. */
static int scope(const char *prefix, char name[NAME]) {
    static const char *const kinds[] = {"badge", "frame", "scene", "session", "state"};
    size_t size = strcspn(prefix, "/"), length = prefix[size] ? strcspn(prefix + size + 1, "/") : 0;
    for (int i = 0; i < 5 && length < NAME; i++) {
        if (strncmp(prefix, kinds[i], size) || (prefix[size] && kinds[i][size])) continue;
        snprintf(name, NAME, "%.*s", (int)length, prefix[size] ? prefix + size + 1 : "");
        return length ? 1 : 2;
    }
    return 0;
}

static void join_session(gestured *c, const char *session) {
    int is_due = !*session || strspn(session, IN_NAMES) != strlen(session);
    for (long i = 0; i < c->due_count; i++) is_due |= !strcmp(c->due[i], session);
    if (is_due) return;
    if (c->due_count == GESTURED_DUE) c->joins_all |= !c->is_paging;
    else snprintf(c->due[c->due_count++], NAME, "%s", session);
}

/* The text before the last dot of an epoch is a run of the daemon; the number behind it grows. */
static size_t run_of(const char *epoch, unsigned long long *number) {
    const char *dot = strrchr(epoch, '.');
    *number = dot ? strtoull(dot + 1, NULL, 10) : 0;
    return dot ? (size_t)(dot - epoch) : strlen(epoch);
}

/* Whether an epoch is not older than the newest one of the daemon and of the session. */
static int is_current(gestured *c, const char *epoch, const char *session, int is_snapshot) {
    unsigned long long number, last;
    size_t size = run_of(epoch, &number);
    char run[EPOCH], key[TOPIC + 1];
    /* Updates were lost while it was away, and the last one of a session shows no gap. */
    if (c->was_away && !is_snapshot) c->was_away = 0, c->joins_all = 1;
    snprintf(run, sizeof run, "%.*s", *session ? (int)size : EPOCH - 1, epoch);
    for (int i = 0; i < GESTURED_RUNS; i++) if (!strcmp(run, c->dead[i])) return 0;
    if (*c->run && strcmp(run, c->run))
        c->joins_all = 1, strcpy(c->dead[c->dead_count++ % GESTURED_RUNS], c->run);
    strcpy(c->run, run);
    snprintf(key, sizeof key, "/%s", session);
    struct seen *life = last_seen(c, key);
    int is_same = !*session || !strcmp(life->epoch, epoch);
    if (!is_same && run_of(life->epoch, &last) == size && !memcmp(life->epoch, epoch, size)) {
        if (number < last) return 0;
        if (!life->has_ended && !is_snapshot) join_session(c, session);
    }
    if (!is_same) strcpy(life->epoch, epoch), life->has_ended = 0;
    return 1;
}

/* Whether a user wants an update, and it is newer than the last one of its topic. */
static int is_news(gestured *c, span topic, span body, int is_snapshot) {
    char name[TOPIC], epoch[EPOCH], session[TOPIC] = "", event[NAME] = "-";
    double seq, t;
    int is_read = gestured_text(gestured_find(body, "epoch"), epoch, EPOCH) > 0 &&
        gestured_number(gestured_find(body, "seq"), &seq) &&
        gestured_number(gestured_find(body, "t"), &t);
    snprintf(name, sizeof name, "%.*s", topic.size < TOPIC ? (int)topic.size : 0, topic.at);
    sscanf(name, "%*[^/]/%[^/]", session);
    if (!strcmp(session, "-")) *session = 0;
    if (!is_read || !*name || !strncmp(name, "sync/", 5) || strlen(session) >= NAME ||
        !is_current(c, epoch, session, is_snapshot)) return 0;
    struct seen *last = last_seen(c, name);
    if (!strcmp(last->epoch, epoch)) {
        /* A frame that was published has what changed, one of a snapshot has all. */
        int is_more = !strncmp(name, "frame/", 6) && !last->is_whole && t == last->t;
        int is_no_later = t <= last->t && !is_more;
        if (is_snapshot ? seq < last->seq || is_no_later : seq <= last->seq) return 0;
        if (!is_snapshot && seq > last->seq + 1 && *session) join_session(c, session);
    }
    strcpy(last->epoch, epoch), last->seq = seq, last->t = t, last->is_whole = is_snapshot;
    if (!strncmp(name, "session/", 8)) {
        gestured_text(gestured_find(body, "event"), event, sizeof event);
        last_seen(c, name + 7)->has_ended = strstr("closed parked expired", event) != NULL;
    }
    for (long i = 0; i < c->prefix_count; i++)
        if (!strncmp(name, c->prefixes[i], strlen(c->prefixes[i]))) return 1;
    return 0;
}

/* Takes the next message; 0 where there is none, or it has not two frames. */
static int take(gestured *c, zmq_msg_t *pair) {
    int frames = zmq_msg_recv(pair, c->updates.socket, ZMQ_DONTWAIT) >= 0;
    while (frames && zmq_msg_more(&pair[frames > 1]) &&
           zmq_msg_recv(&pair[1], c->updates.socket, ZMQ_DONTWAIT) >= 0) frames++;
    return frames == 2;
}

/* Waits until all subscriptions are in force, and keeps the updates that come meanwhile. */
static int synchronize(gestured *c) {
    char topic[48] = "sync/", epoch[EPOCH];
    int found = 0;
    zmq_msg_t *pair = &c->messages[TAKEN];
    gestured_draw_lots(topic + 5, zmq_stopwatch_intermediate(c->clock));
    zmq_setsockopt(c->updates.socket, ZMQ_SUBSCRIBE, topic, strlen(topic));
    for (long end = now(c) + c->timeout; !found && wait_for(c, &c->updates, end);) {
        if (gestured_link_refused(&c->updates)) return unauthorized(c, &c->updates);
        gestured_link_lead(c, &c->updates, &c->control, now(c));
        if (!take(c, pair)) continue;
        size_t size = zmq_msg_size(&pair[0]), bytes = c->kept_bytes + zmq_msg_size(&pair[1]);
        found = size == strlen(topic) && !memcmp(zmq_msg_data(&pair[0]), topic, size);
        if (found) { /* Updates that were kept are late where they are of another run. */
            span body = gestured_json(zmq_msg_data(&pair[1]), zmq_msg_size(&pair[1]));
            if (gestured_text(gestured_find(body, "epoch"), epoch, sizeof epoch) > 0)
                is_current(c, epoch, "", 1);
        }
        if (found || c->kept_count == GESTURED_WAITING || bytes > GESTURED_WAITING_BYTES) continue;
        zmq_msg_t *kept = &c->messages[KEPT + 2 * c->kept_count++];
        zmq_msg_move(&kept[0], &pair[0]), zmq_msg_move(&kept[1], &pair[1]);
        c->kept_bytes = bytes;
    }
    zmq_setsockopt(c->updates.socket, ZMQ_UNSUBSCRIBE, topic, strlen(topic));
    return found ? GESTURED_OK : no_answer(c);
}

/* Whether the key may not read what was asked for: asking again would not mend it. */
static int is_denied(gestured *c, int status) {
    return status == GESTURED_REFUSED && !c->control.is_lost && !strcmp(c->code, "unauthorized");
}

/* Asks for all sessions that a prefix means, or for a page of them, or for one's snapshot. */
static int join(gestured *c) {
    char fields[NAME + 32], name[NAME];
    int status = GESTURED_OK;
    span reply, key, one = nothing;
    if (c->joins_all) {
        if ((status = synchronize(c))) return status;
        c->joins_all = c->due_count = c->is_paging = 0;
        for (long i = 0; i < c->prefix_count; i++) {
            int needs = scope(c->prefixes[i], name);
            if (needs == 1 && !c->is_paging) join_session(c, name);
            if (needs == 2) c->is_paging = 1, c->due_count = 0, *c->after = 0;
        }
    } else if (c->is_paging && c->due_count + PAGE <= GESTURED_DUE) {
        snprintf(fields, sizeof fields, *c->after ? "{\"after\":\"%s\"}" : "{}", c->after);
        status = gestured_request(c, "sessions", fields, &reply);
        c->is_paging &= !is_denied(c, status);
        if (status) return status;
        for (span list = gestured_find(reply, "sessions"); gestured_each(list, &key, &one);)
            if (gestured_text(one, name, sizeof name) > 0) join_session(c, name);
        c->is_paging = gestured_text(gestured_find(reply, "next"), name, NAME) > 0 &&
            strcmp(name, c->after) > 0;
        strcpy(c->after, c->is_paging ? name : "");
    } else if (c->due_count) {
        snprintf(fields, sizeof fields, "{\"session\":\"%s\"}", c->due[0]);
        status = gestured_request(c, "snapshot", fields, &reply);
        if (status == GESTURED_OK) {
            zmq_msg_move(&c->messages[SNAPSHOT], &c->messages[REPLY]);
            c->entries = gestured_find(reply, "updates"), c->entry = nothing;
        } else if (status == GESTURED_REFUSED && !strcmp(c->code, "unknown-session")) {
            snprintf(fields, sizeof fields, "/%s", c->due[0]);
            last_seen(c, fields)->has_ended = 1, status = GESTURED_OK;
        }
        if (!status || is_denied(c, status))
            memmove(c->due, c->due + 1, (size_t)--c->due_count * sizeof *c->due);
    }
    return status;
}

int gestured_watch(gestured *c, const char *prefix) {
    if (c->prefix_count == GESTURED_PREFIXES || strlen(prefix) >= TOPIC)
        return fail(c, GESTURED_BAD_INPUT, "too-large", "too many prefixes, or too long a one");
    strcpy(c->prefixes[c->prefix_count++], prefix);
    zmq_setsockopt(c->updates.socket, ZMQ_SUBSCRIBE, prefix, strlen(prefix));
    c->joins_all = 1;
    return GESTURED_OK;
}

int gestured_next(gestured *c, span *topic, span *body, int timeout) {
    char name[TOPIC];
    span key;
    for (long end = now(c) + timeout;;) {
        while (gestured_each(c->entries, &key, &c->entry)) {
            *topic = gestured_find(c->entry, "topic"), *body = gestured_find(c->entry, "body");
            if (gestured_text(*topic, name, sizeof name) < 0) continue;
            topic->at++, topic->size -= 2;
            if (is_news(c, *topic, *body, 1)) return 1;
        }
        c->entries = nothing;
        if (gestured_link_refused(&c->updates)) return unauthorized(c, &c->updates);
        gestured_link_lead(c, &c->updates, &c->control, now(c));
        if (c->joins_all || c->is_paging || c->due_count) {
            int status = join(c);
            if (status) return status;
            continue;
        }
        zmq_msg_t *pair = &c->messages[TAKEN], *kept = &c->messages[KEPT + 2 * c->first_kept];
        int was_kept = c->first_kept < c->kept_count;
        if (was_kept) {
            zmq_msg_move(&pair[0], &kept[0]), zmq_msg_move(&pair[1], &kept[1]), c->first_kept++;
        } else {
            c->first_kept = c->kept_count = c->kept_bytes = 0;
            int is_late = !wait_for(c, &c->updates, end), is_taken = take(c, pair);
            if (is_late && !is_taken) return 0;
            if (!is_taken) continue;
        }
        *topic = (span){zmq_msg_data(&pair[0]), zmq_msg_size(&pair[0])};
        *body = gestured_json(zmq_msg_data(&pair[1]), zmq_msg_size(&pair[1]));
        span epoch = gestured_find(*body, "epoch");
        size_t size = strlen(c->run);
        if (was_kept && epoch.size > size + 1 && memcmp(epoch.at + 1, c->run, size)) continue;
        if (is_news(c, *topic, *body, 0)) return 1;
    }
}
