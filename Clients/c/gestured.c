/* Implements gestured.h: JSON, requests and events, the join rule, drawing; in this order. */
#include "gestured.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

enum { NAME = 65, TOPIC = GESTURED_TOPIC_BYTES + 1, EPOCH = GESTURED_EPOCH_BYTES, WAYS = 8, PAGE = 100 };
typedef gestured_span span;
static const span nothing = {NULL, 0};

static int in(char one, const char *set) { return one && strchr(set, one); }

static const char *space(const char *p, const char *end) {
    while (p < end && in(*p, " \t\r\n")) p++;
    return p;
}

/* The end of the value at p, or NULL. Texts and brackets match; `gestured_each` judges the rest. */
static const char *skip(const char *p, const char *end) {
    char open[GESTURED_DEPTH];
    int depth = 0;
    do {
        const char *start = p;
        if (p == end) return NULL;
        if (*p == '"') {
            for (p++; p < end && *p != '"'; p++)
                if (*p == '\\' && ++p == end) return NULL;
            if (p++ == end) return NULL;
        } else if (in(*p, "{[")) {
            if (depth == GESTURED_DEPTH) return NULL;
            open[depth++] = *p++;
        } else if (in(*p, "}]")) {
            if (!depth || open[--depth] + 2 != *p++) return NULL;
        } else if (depth && in(*p, ",: \t\r\n")) {
            p++;
        } else {
            while (p < end && in(*p, "+-.0123456789Eaeflnrstu")) p++;
            if (p == start) return NULL;
        }
    } while (depth);
    return p;
}

span gestured_json(const char *text, size_t size) {
    if (!text) return nothing;
    const char *end = text + size, *p = space(text, end), *behind = skip(p, end);
    if (!behind || space(behind, end) != end) return nothing;
    return (span){p, (size_t)(behind - p)};
}

int gestured_each(span whole, span *key, span *value) {
    const char *p = whole.at, *end = p ? p + whole.size : p, *behind;
    *key = nothing;
    if (!p || p == end || !in(*p, "{[")) return 0;
    if (value->at) p = space(value->at + value->size, end);
    if (p == end || (value->at && *p != ',')) return 0;
    p = space(p + 1, end);
    if (*whole.at == '{') {
        if (p == end || *p != '"' || !(behind = skip(p, end))) return 0;
        *key = (span){p, (size_t)(behind - p)};
        p = space(behind, end);
        if (p == end || *p != ':') return 0;
        p = space(p + 1, end);
    }
    if (!(behind = skip(p, end))) return 0;
    *value = (span){p, (size_t)(behind - p)};
    return 1;
}

/* The code of four hexadecimal digits at p, or -1. */
static long hex(const char *p, const char *end) {
    char text[5] = "";
    if (end - p < 4) return -1;
    memcpy(text, p, 4);
    return strspn(text, "0123456789abcdefABCDEF") == 4 ? strtol(text, NULL, 16) : -1;
}

int gestured_text(span value, char *text, size_t room) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    static const int lead[] = {0, 0xC0, 0xE0, 0xF0};
    size_t n = 0;
    if (!value.at || value.size < 2 || *value.at != '"' || value.size > room) return -1;
    for (const char *p = value.at + 1, *end = value.at + value.size - 1; p < end;) {
        if (*p != '\\') { text[n++] = *p++; continue; }
        if (++p < end && in(*p, from)) { text[n++] = to[strchr(from, *p++) - from]; continue; }
        long low, code = p < end && *p == 'u' ? hex(p + 1, end) : -1;
        if (code < 0) return -1;
        p += 5;
        if (code >> 10 == 0x36 && end - p > 5 && !memcmp(p, "\\u", 2) &&
            (low = hex(p + 2, end)) >> 10 == 0x37)
            code = 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF), p += 6;
        if (code >> 11 == 0x1B) code = 0xFFFD;
        int tail = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        for (text[n++] = (char)(lead[tail] | code >> 6 * tail); tail--;)
            text[n++] = (char)(0x80 | (code >> 6 * tail & 0x3F));
    }
    text[n] = 0;
    return (int)n;
}

int gestured_number(span value, double *number) {
    char text[GESTURED_NUMBER_BYTES + 1] = "", *point, *end;
    if (!value.at || value.size >= sizeof text || !in(*value.at, "-0123456789")) return 0;
    memcpy(text, value.at, value.size);
    if (strspn(text, "+-.0123456789eE") != value.size) return 0;
    if ((point = strchr(text, '.'))) *point = *localeconv()->decimal_point;
    *number = strtod(text, &end);
    return end == text + value.size && isfinite(*number);
}

static int same(span value, const char *text, size_t size) {
    char plain[256];
    if (!value.at || *value.at != '"') return 0;
    if (!memchr(value.at, '\\', value.size))
        return value.size == size + 2 && !memcmp(value.at + 1, text, size);
    int n = gestured_text(value, plain, sizeof plain);
    return n >= 0 && (size_t)n == size && !memcmp(plain, text, size);
}

int gestured_is(span value, const char *text) { return same(value, text, strlen(text)); }

span gestured_member(span object, const char *name, size_t size) {
    span key, value = nothing, found = nothing;
    while (gestured_each(object, &key, &value))
        if (same(key, name, size)) found = value;
    return found;
}

span gestured_find(span value, const char *path) {
    while (value.at && *path) {
        size_t size = strcspn(path, ".");
        if (*value.at == '[' && size && strspn(path, "0123456789") == size) {
            span key, list = value;
            unsigned long index = strtoul(path, NULL, 10);
            value = nothing;
            do if (!gestured_each(list, &key, &value)) return nothing;
            while (index--);
        } else {
            value = gestured_member(value, path, size);
        }
        path += size + (path[size] == '.');
    }
    return value;
}

/* The last update of a topic, or the epoch of a session, under its name behind a slash. */
struct seen {
    char topic[TOPIC], epoch[EPOCH];
    double seq, t;
    unsigned long used;
    int has_ended;
};

struct gestured {
    void *context, *clock, *events, *updates, *control;
    long timeout, listeners, prefix_count, due_count, joins_all, is_paging, dead_count;
    unsigned long last_id, uses;
    char code[NAME], error[256], after[NAME], request[GESTURED_REQUEST_BYTES];
    char prefixes[GESTURED_PREFIXES][TOPIC], due[GESTURED_DUE][NAME];
    char run[EPOCH], dead[GESTURED_RUNS][EPOCH];
    struct seen seen[GESTURED_TOPICS];
    zmq_msg_t reply, snapshot, taken[2], waiting[GESTURED_WAITING][2];
    size_t first, waiting_count, waiting_bytes;
    span entries, entry;
};

const char *gestured_error(const gestured *c) { return c->error; }
const char *gestured_code(const gestured *c) { return c->code; }

static int fail(gestured *c, int status, const char *code, const char *message) {
    snprintf(c->code, sizeof c->code, "%s", code);
    snprintf(c->error, sizeof c->error, "%s", message);
    return status;
}

static int no_answer(gestured *c) {
    return fail(c, GESTURED_NO_ANSWER, "no-answer", "the daemon did not answer in time");
}

static long now(gestured *c) { return (long)(zmq_stopwatch_intermediate(c->clock) / 1000); }

/* Waits until a socket has something to read; 0 where the instant came first. */
static int ready(gestured *c, void *socket, long end) {
    zmq_pollitem_t item = {socket, 0, ZMQ_POLLIN, 0};
    long left = end - now(c);
    return zmq_poll(&item, 1, left > 0 ? left : 0) > 0;
}

static void *start(gestured *c, int type, const char *endpoint, const char *name, const char *usual) {
    int set[] = {GESTURED_WAITING, 1000, type == ZMQ_XPUB ? (int)c->timeout : 0, 1, (int)c->timeout};
    static const int keys[] = {ZMQ_RCVHWM, ZMQ_RECONNECT_IVL_MAX, ZMQ_LINGER};
    int64_t bytes = type == ZMQ_XPUB ? 256 : GESTURED_MESSAGE_BYTES;
    void *socket = zmq_socket(c->context, type);
    if (!endpoint) endpoint = getenv(name) ? getenv(name) : usual;
    zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &bytes, sizeof bytes);
    for (int i = 0; i < 3; i++) zmq_setsockopt(socket, keys[i], &set[i], sizeof set[i]);
    if (type == ZMQ_XPUB) { /* A full one waits, and nothing is queued for nobody. */
        zmq_setsockopt(socket, ZMQ_XPUB_NODROP, &set[3], sizeof set[3]);
        zmq_setsockopt(socket, ZMQ_IMMEDIATE, &set[3], sizeof set[3]);
        zmq_setsockopt(socket, ZMQ_SNDTIMEO, &set[4], sizeof set[4]);
    }
    if (socket && !zmq_connect(socket, endpoint)) return socket;
    if (socket) zmq_close(socket);
    return NULL;
}

gestured *gestured_connect(const char *events, const char *updates, const char *control, int ms) {
    gestured *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    zmq_msg_t *all[] = {&c->reply, &c->snapshot, &c->taken[0], &c->taken[1]};
    for (int i = 0; i < 4; i++) zmq_msg_init(all[i]);
    c->timeout = ms, c->context = zmq_ctx_new(), c->clock = zmq_stopwatch_start();
    c->events = start(c, ZMQ_XPUB, events, "GESTURED_EVENTS", "tcp://127.0.0.1:7411");
    c->updates = start(c, ZMQ_SUB, updates, "GESTURED_UPDATES", "tcp://127.0.0.1:7412");
    c->control = start(c, ZMQ_DEALER, control, "GESTURED_CONTROL", "tcp://127.0.0.1:7413");
    if (c->events && c->updates && c->control &&
        !zmq_setsockopt(c->updates, ZMQ_SUBSCRIBE, "heartbeat", 9)) return c;
    gestured_close(c);
    return NULL;
}

void gestured_close(gestured *c) {
    if (!c) return;
    zmq_msg_t *all[] = {&c->reply, &c->snapshot, &c->taken[0], &c->taken[1]};
    for (int i = 0; i < 4; i++) zmq_msg_close(all[i]);
    for (; c->waiting_count; c->waiting_count--, c->first = (c->first + 1) % GESTURED_WAITING)
        for (int i = 0; i < 2; i++) zmq_msg_close(&c->waiting[c->first][i]);
    void *sockets[] = {c->events, c->updates, c->control};
    for (int i = 0; i < 3; i++) if (sockets[i]) zmq_close(sockets[i]);
    zmq_stopwatch_stop(c->clock);
    zmq_ctx_term(c->context);
    free(c);
}

/* Sends c->request, and again while no answer comes; the reply is in c->reply. */
static int exchange(gestured *c, int size, int tries, span *reply) {
    char id[24];
    if (size < 0 || size >= GESTURED_REQUEST_BYTES)
        return fail(c, GESTURED_BAD_INPUT, "too-large", "the request is too large");
    snprintf(id, sizeof id, "%lu", c->last_id);
    for (; tries--;) {
        long end = now(c) + c->timeout;
        zmq_send(c->control, c->request, (size_t)size, ZMQ_DONTWAIT);
        while (ready(c, c->control, end) || now(c) < end) {
            if (zmq_msg_recv(&c->reply, c->control, ZMQ_DONTWAIT) < 0) continue;
            *reply = gestured_json(zmq_msg_data(&c->reply), zmq_msg_size(&c->reply));
            span theirs = gestured_find(*reply, "id"), ok = gestured_find(*reply, "ok");
            if (zmq_msg_more(&c->reply) || (theirs.at && !gestured_is(theirs, id))) continue;
            if (ok.at && *ok.at == 't') return GESTURED_OK;
            char code[NAME] = "bad-answer", message[200] = "the reply has no code";
            gestured_text(gestured_find(*reply, "error.code"), code, sizeof code);
            gestured_text(gestured_find(*reply, "error.message"), message, sizeof message);
            return fail(c, GESTURED_REFUSED, code, message);
        }
    }
    return no_answer(c);
}

int gestured_request(gestured *c, const char *op, const char *fields, span *reply) {
    static const char reads[] = " hello hit scene scenes sessions snapshot stats time export ";
    char word[NAME + 2];
    span given = gestured_json(fields ? fields : "{}", fields ? strlen(fields) : 2), key, value = nothing;
    if (strspn(op, "abcdefghijklmnopqrstuvwxyz-_") != strlen(op) || strlen(op) >= NAME ||
        !given.at || *given.at != '{')
        return fail(c, GESTURED_BAD_INPUT, "bad-json", "the fields are not a JSON object");
    snprintf(word, sizeof word, " %s ", op);
    int size = snprintf(
        c->request, sizeof c->request, "{\"id\":\"%lu\",\"op\":\"%s\"%s%.*s", ++c->last_id, op,
        gestured_each(given, &key, &value) ? "," : "", (int)given.size - 1, given.at + 1);
    return exchange(c, size, strstr(reads, word) ? GESTURED_TRIES : 1, reply);
}

/* A topic of names, and a body that is an object: where its members begin, or NULL. */
static const char *checked(gestured *c, const char *topic, const char *body, int *has_members) {
    span object = gestured_json(body, strlen(body)), key, value = nothing;
    *has_members = gestured_each(object, &key, &value);
    if (object.at && *object.at == '{' && strlen(topic) < TOPIC && strlen(topic) == strspn(topic,
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-/"))
        return object.at + 1;
    fail(c, GESTURED_BAD_INPUT, "bad-value", "no topic, or the body is not a JSON object");
    return NULL;
}

int gestured_publish(gestured *c, const char *topic, const char *body) {
    int any;
    char frame[256];
    if (!checked(c, topic, body, &any)) return GESTURED_BAD_INPUT;
    for (long end = now(c) + c->timeout, size;;) {
        while ((size = zmq_recv(c->events, frame, sizeof frame, ZMQ_DONTWAIT)) > 0)
            c->listeners += *frame == 1 ? 1 : *frame == 0 && c->listeners ? -1 : 0;
        if (c->listeners) break;
        if (!ready(c, c->events, end) && now(c) >= end) return no_answer(c);
    }
    if (zmq_send(c->events, topic, strlen(topic), ZMQ_SNDMORE) < 0 ||
        zmq_send(c->events, body, strlen(body), 0) < 0) return no_answer(c);
    return GESTURED_OK;
}

/* Sixteen bytes of chance as 32 digits; without them an id of the clock and the address. */
static void draw_lots(gestured *c, char digits[33]) {
    unsigned char bytes[16] = {0};
    FILE *file = fopen("/dev/urandom", "rb");
    if (!file || fread(bytes, 1, sizeof bytes, file) != sizeof bytes)
        snprintf((char *)bytes, sizeof bytes, "%p%lx", (void *)c, now(c) + (long)++c->last_id);
    if (file) fclose(file);
    for (int i = 0; i < 16; i++) snprintf(digits + 2 * i, 3, "%02x", bytes[i]);
}

int gestured_acknowledged(gestured *c, const char *topic, const char *body, span *reply) {
    int any, takes_id = !strncmp(topic, "notification/", 13) || !strncmp(topic, "command/", 8);
    const char *members = checked(c, topic, body, &any);
    char id[33], given[48] = "";
    if (!members) return GESTURED_BAD_INPUT;
    if (takes_id && !gestured_member(gestured_json(body, strlen(body)), "id", 2).at) {
        draw_lots(c, id);
        snprintf(given, sizeof given, "\"id\":\"%s\"%s", id, any ? "," : "");
    }
    int size = snprintf(
        c->request, sizeof c->request,
        "{\"id\":\"%lu\",\"op\":\"publish\",\"topic\":\"%s\",\"body\":{%s%s}", ++c->last_id, topic,
        given, members);
    return exchange(c, size, takes_id ? GESTURED_TRIES : 1, reply);
}

/* The join rule. */

static struct seen *last_seen(gestured *c, const char *topic) {
    size_t place = 5381;
    for (const char *p = topic; *p; p++) place = place * 33 + (unsigned char)*p;
    struct seen *set = c->seen + place % (GESTURED_TOPICS / WAYS) * WAYS, *one = set;
    for (int i = 0; i < WAYS && strcmp(one->topic, topic); i++)
        if (!strcmp(set[i].topic, topic) || set[i].used < one->used) one = &set[i];
    if (strcmp(one->topic, topic)) {
        memset(one, 0, sizeof *one);
        strcpy(one->topic, topic);
    }
    one->used = ++c->uses;
    return one;
}

/* What snapshots a prefix needs: 0: none, 1: that of a session, whose name it copies, 2: all. */
static int scope(const char *prefix, char name[NAME]) {
    static const char *const kinds[] = {"badge", "frame", "scene", "session", "state"};
    size_t size = strcspn(prefix, "/"), length = prefix[size] ? strcspn(prefix + size + 1, "/") : 0;
    for (int i = 0; i < 5; i++) {
        if (strncmp(prefix, kinds[i], size)) continue;
        if (!prefix[size]) return 2;
        if (kinds[i][size] || length >= NAME) continue;
        snprintf(name, NAME, "%.*s", (int)length, prefix + size + 1);
        return length ? 1 : 2;
    }
    return 0;
}

static void join_session(gestured *c, const char *session) {
    for (long i = 0; i < c->due_count; i++) if (!strcmp(c->due[i], session)) return;
    if (c->due_count == GESTURED_DUE) c->joins_all |= !c->is_paging;
    else snprintf(c->due[c->due_count++], NAME, "%s", session);
}

/* The text before the last dot of a session's epoch, and the number behind it. */
static size_t run_of(const char *epoch, double *number) {
    const char *dot = strrchr(epoch, '.');
    *number = dot ? strtod(dot + 1, NULL) : 0;
    return dot ? (size_t)(dot - epoch) : strlen(epoch);
}

/* Whether an epoch is not older than the newest one of the daemon and of the session. */
static int is_current(gestured *c, const char *epoch, const char *session) {
    double number, last;
    char run[EPOCH], key[NAME + 1];
    size_t size = run_of(epoch, &number);
    snprintf(run, sizeof run, "%.*s", *session ? (int)size : EPOCH - 1, epoch);
    if (strcmp(run, c->run)) {
        for (int i = 0; i < GESTURED_RUNS; i++) if (!strcmp(run, c->dead[i])) return 0;
        c->joins_all |= *c->run != 0;
        strcpy(c->dead[c->dead_count++ % GESTURED_RUNS], *c->run ? c->run : "-");
        strcpy(c->run, run);
    }
    if (!*session) return 1;
    snprintf(key, sizeof key, "/%s", session);
    struct seen *life = last_seen(c, key);
    if (!strcmp(life->epoch, epoch)) return 1;
    if (*life->epoch && run_of(life->epoch, &last) == size && !memcmp(life->epoch, epoch, size)) {
        if (number < last) return 0;
        if (!life->has_ended) join_session(c, session);
    }
    strcpy(life->epoch, epoch);
    return !(life->has_ended = 0);
}

/* Whether an update is newer than the last one of its topic, which it becomes then. */
static int is_news(gestured *c, span topic, span body, int is_snapshot) {
    char name[TOPIC], epoch[EPOCH], session[TOPIC] = "", event[NAME] = "";
    double seq, t;
    const char *slash;
    if (topic.size >= TOPIC || gestured_text(gestured_find(body, "epoch"), epoch, EPOCH) < 1 ||
        !gestured_number(gestured_find(body, "seq"), &seq) ||
        !gestured_number(gestured_find(body, "t"), &t)) return 0;
    snprintf(name, sizeof name, "%.*s", (int)topic.size, topic.at);
    if ((slash = strchr(name, '/'))) sscanf(slash + 1, "%[^/]", session);
    if (!strcmp(session, "-")) *session = 0;
    if (!strncmp(name, "sync/", 5) || strlen(session) >= NAME) return 0;
    if (!is_current(c, epoch, session)) return 0;
    struct seen *last = last_seen(c, name);
    if (!strcmp(last->epoch, epoch)) {
        if (is_snapshot ? seq < last->seq || t <= last->t : seq <= last->seq) return 0;
        if (!is_snapshot && seq > last->seq + 1 && *session) join_session(c, session);
    }
    strcpy(last->epoch, epoch);
    last->seq = seq, last->t = t;
    if (!strncmp(name, "session/", 8)) {
        gestured_text(gestured_find(body, "event"), event, sizeof event);
        last_seen(c, strrchr(name, '/'))->has_ended = *event && strstr("closed parked expired", event);
    }
    for (long i = 0; i < c->prefix_count; i++)
        if (topic.size >= strlen(c->prefixes[i]) &&
            !memcmp(topic.at, c->prefixes[i], strlen(c->prefixes[i]))) return 1;
    return 0;
}

/* The next message of two frames, if there is one. */
static int take(gestured *c) {
    if (zmq_msg_recv(&c->taken[0], c->updates, ZMQ_DONTWAIT) < 0) return 0;
    int frames = 1;
    while (zmq_msg_more(&c->taken[frames > 1]) && zmq_msg_recv(&c->taken[1], c->updates, 0) >= 0)
        frames++;
    return frames == 2;
}

/* Waits until all subscriptions are in force, and keeps the updates that come meanwhile. */
static int synchronize(gestured *c) {
    char topic[48] = "sync/";
    int found = 0;
    draw_lots(c, topic + 5);
    zmq_setsockopt(c->updates, ZMQ_SUBSCRIBE, topic, strlen(topic));
    for (long end = now(c) + c->timeout; !found && (ready(c, c->updates, end) || now(c) < end);) {
        if (!take(c)) continue;
        size_t bytes = zmq_msg_size(&c->taken[1]), n = c->waiting_count;
        found = zmq_msg_size(&c->taken[0]) == strlen(topic) &&
            !memcmp(zmq_msg_data(&c->taken[0]), topic, strlen(topic));
        if (found || n == GESTURED_WAITING || c->waiting_bytes + bytes > GESTURED_WAITING_BYTES)
            continue;
        zmq_msg_t *pair = c->waiting[(c->first + c->waiting_count++) % GESTURED_WAITING];
        for (int i = 0; i < 2; i++) zmq_msg_init(&pair[i]), zmq_msg_move(&pair[i], &c->taken[i]);
        c->waiting_bytes += bytes;
    }
    zmq_setsockopt(c->updates, ZMQ_UNSUBSCRIBE, topic, strlen(topic));
    return found ? GESTURED_OK : no_answer(c);
}

/* One step of joining: 1, or 0 where nothing is due, or why it failed. */
static int join(gestured *c) {
    char fields[NAME + 32], name[NAME];
    int status = GESTURED_OK;
    span reply, key, value = nothing;
    if (c->joins_all) {
        if ((status = synchronize(c))) return status;
        c->joins_all = c->due_count = c->is_paging = 0;
        for (long i = 0; i < c->prefix_count; i++) {
            int needs = scope(c->prefixes[i], name);
            if (needs == 1 && !c->is_paging) join_session(c, name);
            if (needs == 2) c->is_paging = 1, c->due_count = 0, *c->after = 0;
        }
    } else if (c->due_count && !(c->is_paging && c->due_count + PAGE <= GESTURED_DUE)) {
        const char *session = c->due[0];
        snprintf(fields, sizeof fields, "{\"session\":\"%s\"}", session);
        status = gestured_request(c, "snapshot", fields, &reply);
        if (status == GESTURED_OK) {
            zmq_msg_move(&c->snapshot, &c->reply);
            c->entries = gestured_find(reply, "updates"), c->entry = nothing;
        } else if (!strcmp(c->code, "unknown-session")) {
            snprintf(fields, sizeof fields, "/%s", session);
            status = !(last_seen(c, fields)->has_ended = 1);
        }
        if (!status) memmove(c->due, c->due + 1, (size_t)--c->due_count * sizeof *c->due);
    } else if (c->is_paging) {
        snprintf(fields, sizeof fields, *c->after ? "{\"after\":\"%s\"}" : "{}", c->after);
        if ((status = gestured_request(c, "sessions", fields, &reply))) return status;
        for (span list = gestured_find(reply, "sessions"); gestured_each(list, &key, &value);)
            if (gestured_text(value, name, sizeof name) > 0) join_session(c, name);
        c->is_paging = gestured_text(gestured_find(reply, "next"), name, NAME) > 0 &&
            strcmp(name, c->after) > 0;
        strcpy(c->after, c->is_paging ? name : "");
    } else {
        return 0;
    }
    return status ? status : 1;
}

int gestured_watch(gestured *c, const char *prefix) {
    if (c->prefix_count == GESTURED_PREFIXES || strlen(prefix) >= TOPIC)
        return fail(c, GESTURED_BAD_INPUT, "too-large", "too many prefixes, or too long a one");
    strcpy(c->prefixes[c->prefix_count++], prefix);
    c->joins_all = 1;
    return zmq_setsockopt(c->updates, ZMQ_SUBSCRIBE, prefix, strlen(prefix)) ?
        fail(c, GESTURED_TRANSPORT, "transport", zmq_strerror(zmq_errno())) : GESTURED_OK;
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
        int status = join(c);
        if (status < 0) return status;
        if (status) continue;
        if (c->waiting_count) {
            zmq_msg_t *pair = c->waiting[c->first];
            c->first = (c->first + 1) % GESTURED_WAITING, c->waiting_count--;
            c->waiting_bytes -= zmq_msg_size(&pair[1]);
            for (int i = 0; i < 2; i++) zmq_msg_move(&c->taken[i], &pair[i]), zmq_msg_close(&pair[i]);
        } else if (!ready(c, c->updates, end) || !take(c)) {
            if (now(c) >= end) return 0;
            continue;
        }
        *topic = (span){zmq_msg_data(&c->taken[0]), zmq_msg_size(&c->taken[0])};
        *body = gestured_json(zmq_msg_data(&c->taken[1]), zmq_msg_size(&c->taken[1]));
        if (is_news(c, *topic, *body, 0)) return 1;
    }
}

/* Drawing. */

struct component { span id, kind, phase, parent, slot, views, items; double frame[4]; int clips; };
struct view { span name; double x, y, w, h, rotation, scale, alpha, z; };
struct picture {
    struct component components[GESTURED_COMPONENTS];
    gestured_layer *layers;
    int count, room, looked, painted;
};

static double number(span object, const char *path, double otherwise) {
    double number = otherwise;
    gestured_number(gestured_find(object, path), &number);
    return number;
}

static int same_name(span a, span b) {
    return a.at && b.at && *a.at == '"' && a.size == b.size && !memcmp(a.at, b.at, a.size);
}

static void read_scene(struct picture *p, span scene, span states) {
    static const char *const sides[] = {"frame.0", "frame.1", "frame.2", "frame.3"};
    span key, one = nothing, list = gestured_find(scene, "components");
    char id[NAME];
    for (p->count = p->looked = 0; p->count < GESTURED_COMPONENTS && gestured_each(list, &key, &one);) {
        struct component *c = &p->components[p->count];
        int size = gestured_text(c->id = gestured_find(one, "id"), id, sizeof id);
        span state = size < 0 ? nothing : gestured_member(states, id, (size_t)size);
        if (!state.at) continue;
        c->kind = gestured_find(one, "kind"), c->phase = gestured_find(state, "phase");
        c->parent = gestured_find(one, "parent"), c->slot = gestured_find(one, "slot");
        c->views = gestured_find(state, "views"), c->items = gestured_find(one, "parameters.items");
        for (int i = 0; i < 4; i++) c->frame[i] = number(one, sides[i], 0);
        span clip = gestured_find(one, "clip");
        c->clips = clip.at && *clip.at == 't';
        p->count++;
    }
}

/* The views in the order of painting; at most GESTURED_VIEWS of a component, and in all as many as
 * a scene can have, whatever the texts repeat. */
static int read_views(struct picture *p, const struct component *c, struct view *views) {
    span key, value = nothing;
    int n = 0;
    for (; n < GESTURED_VIEWS && p->looked < GESTURED_COMPONENTS * GESTURED_VIEWS; n++, p->looked++) {
        if (!gestured_each(c->views, &key, &value)) break;
        struct view view = {
            key, number(value, "x", 0), number(value, "y", 0), number(value, "w", 0),
            number(value, "h", 0), number(value, "rotation", 0), number(value, "scale", 1),
            number(value, "alpha", 1), number(value, "z", 0)};
        int place = n;
        for (; place && views[place - 1].z > view.z; place--) views[place] = views[place - 1];
        views[place] = view;
    }
    return n;
}

static int stands_in(const struct component *c, const struct component *holder, span slot) {
    if (!holder) return !c->parent.at || *c->parent.at != '"';
    return same_name(c->parent, holder->id) && same_name(c->slot, slot);
}

static int is_circle(const struct component *c, span view) {
    span key, item = nothing;
    while (gestured_is(c->kind, "dynamics") && gestured_each(c->items, &key, &item))
        if (same_name(gestured_find(item, "id"), view))
            return gestured_is(gestured_find(item, "shape"), "circle");
    return 0;
}

static void paint(
    struct picture *p, const struct component *holder, span slot, const double m[6], double alpha,
    int depth) {
    struct view views[GESTURED_VIEWS];
    for (int i = 0; i < p->count && depth <= GESTURED_NESTING; i++) {
        const struct component *c = &p->components[i];
        int count = stands_in(c, holder, slot) ? read_views(p, c, views) : 0;
        for (int j = 0; j < count; j++) {
            const struct view *v = &views[j];
            double x = c->frame[0] + v->x, y = c->frame[1] + v->y;
            double kc = v->scale * cos(v->rotation), ks = v->scale * sin(v->rotation);
            double u = x - kc * v->w / 2 + ks * v->h / 2, w = y - ks * v->w / 2 - kc * v->h / 2;
            gestured_layer layer = {
                c->id, v->name, {
                    m[0] * kc + m[2] * ks, m[1] * kc + m[3] * ks, m[2] * kc - m[0] * ks,
                    m[3] * kc - m[1] * ks, m[0] * u + m[2] * w + m[4], m[1] * u + m[3] * w + m[5]},
                v->w, v->h, alpha * v->alpha, is_circle(c, v->name)};
            if (p->painted < p->room) p->layers[p->painted] = layer;
            p->painted++;
            paint(p, c, v->name, layer.matrix, layer.alpha, depth + 1);
        }
    }
}

int gestured_layers(span scene, span states, gestured_layer *layers, int room) {
    static const double identity[6] = {1, 0, 0, 1, 0, 0};
    struct picture p = {.layers = layers, .room = room};
    read_scene(&p, scene, states);
    paint(&p, NULL, nothing, identity, 1, 0);
    return p.painted;
}

/* Whether a finger can hit a view of this component itself. */
static int takes(const struct picture *p, const struct component *c, span view) {
    if (gestured_is(c->kind, "toss")) return gestured_is(view, "item");
    if (gestured_is(c->kind, "tips")) return gestured_is(view, "tip");
    if (!gestured_is(c->kind, "tabs")) return 1;
    for (int i = 0; i < p->count; i++)
        if (!strncmp(view.at, "\"page-", 6) && stands_in(&p->components[i], c, view)) return 1;
    return gestured_is(view, "bar") || !strncmp(view.at, "\"item-", 6);
}

static int is_in(double x, double y, double w, double h) {
    return x >= 0 && y >= 0 && x < w && y < h;
}

static int touch(
    struct picture *p, const struct component *holder, span slot, double x, double y, int depth,
    span found[2]) {
    struct view views[GESTURED_VIEWS];
    for (int i = p->count - 1; i >= 0 && depth <= GESTURED_NESTING; i--) {
        const struct component *c = &p->components[i];
        double left = x - c->frame[0], top = y - c->frame[1];
        int inside = is_in(left, top, c->frame[2], c->frame[3]), is_modal;
        if (!stands_in(c, holder, slot) || (c->clips && !inside)) continue;
        int is_closed = gestured_is(c->kind, "navigation") && !gestured_is(c->phase, "resting");
        found[0] = c->id;
        int count = read_views(p, c, views);
        is_modal = gestured_is(c->kind, "tips") && count;
        while (count--) {
            const struct view v = views[count];
            if (fabs(v.scale) <= 1e-9) continue;
            double kc = cos(v.rotation) / v.scale, ks = sin(v.rotation) / v.scale;
            double u = kc * (left - v.x) + ks * (top - v.y) + v.w / 2;
            double w = kc * (top - v.y) - ks * (left - v.x) + v.h / 2;
            if (!is_closed && touch(p, c, v.name, u, w, depth + 1, found)) return 1;
            found[0] = c->id, found[1] = v.name;
            if (takes(p, c, v.name) && (is_circle(c, v.name) ?
                    hypot(u - v.w / 2, w - v.h / 2) <= v.w / 2 : is_in(u, w, v.w, v.h))) return 1;
        }
        found[1] = is_modal ? (span){"\"backdrop\"", 10} : nothing;
        if (is_modal || is_closed || (inside && (gestured_is(c->kind, "list") ||
                gestured_is(c->kind, "profile") || gestured_is(c->kind, "reader")))) return 1;
    }
    return 0;
}

int gestured_hit(span scene, span states, double x, double y, span *component, span *view) {
    struct picture p = {.room = 0};
    span found[2] = {nothing, nothing};
    read_scene(&p, scene, states);
    int is_hit = touch(&p, NULL, nothing, x, y, 0, found);
    *component = is_hit ? found[0] : nothing, *view = is_hit ? found[1] : nothing;
    return is_hit;
}

double gestured_curve(const char *name, double x) {
    static const struct { const char *name; double x1, y1, x2, y2; } curves[] = {
        {"ease-in", 0.42, 0, 1, 1}, {"ease-out", 0, 0, 0.58, 1}, {"ease-in-out", 0.42, 0, 0.58, 1},
        {"default", 0.25, 0.1, 0.25, 1}};
    if (!(x > 0)) return 0;
    if (x >= 1) return 1;
    for (int i = 0; i < 4; i++) {
        if (strcmp(curves[i].name, name)) continue;
        double low = 0, high = 1, s = 0.5;
        for (int j = 0; j < 60; j++, s = (low + high) / 2) {
            double r = 1 - s, at = 3 * r * r * s * curves[i].x1 + 3 * r * s * s * curves[i].x2;
            if (at + s * s * s < x) low = s; else high = s;
        }
        return 3 * (1 - s) * (1 - s) * s * curves[i].y1 + 3 * (1 - s) * s * s * curves[i].y2 + s * s * s;
    }
    return x;
}
