/* The part of gestured.h about keys: certificates, and sockets that have them. */
#include "gestured_link.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

/* Milliseconds and bytes. */
enum { PAUSE = 1000, LEAD = 3000, SOON = 500, SAID = 512, PLACE = 512 };
enum { KEY = GESTURED_KEY_CHARACTERS };
/* None of these repeats while nobody looks, but the first, once for each connection. */
enum { EVENTS = ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH |
                ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL };
enum { NO_SECTION, METADATA, CURVE, OTHER };

#if defined(__GNUC__)
static __thread char said[SAID];
#else
static char said[SAID];
#endif

struct certificate {
    char public_key[KEY + 1], secret_key[KEY + 1];
    char server_key[KEY + 2]; /* of the metadata; a longer one is cut, and is no key then */
};

const char *gestured_said(void) { return said; }

int gestured_say(const char *path, int line, const char *message) {
    if (line) snprintf(said, sizeof said, "%.300s:%d: %s", path, line, message);
    else snprintf(said, sizeof said, "%.300s%s%s", path, *path ? ": " : "", message);
    return GESTURED_BAD_INPUT;
}

static const char *environment(const char *name) {
    const char *found = getenv(name);
    return found ? found : "";
}

static int is_space(char one) { return one == ' ' || one == '\t' || one == '\r'; }

static char *trimmed(char *text) {
    while (is_space(*text)) text++;
    for (size_t n = strlen(text); n && is_space(text[n - 1]);) text[--n] = 0;
    return text;
}

/* Whether a text is the 40 characters of a key: eight numbers of 32 bits, each in five digits. */
static int is_key(const char *text) {
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 ".-:+=^!/*?&<>()[]{}@%$#";
    uint64_t value = 0;
    if (strlen(text) != KEY) return 0;
    for (int i = 0; i < KEY; i++) {
        const char *digit = strchr(digits, text[i]);
        if (!digit) return 0;
        value = (i % 5 ? value * 85 : 0) + (uint64_t)(digit - digits);
        if (value > UINT32_MAX) return 0;
    }
    return 1;
}

/* The line without its comment and the space around it. */
static char *content_of(char *line) {
    char quote = 0;
    char *p = line;
    for (; *p && (quote || *p != '#'); p++)
        if (quote) quote = *p == quote ? 0 : quote;
        else if (*p == '"' || *p == '\'') quote = *p;
    *p = 0;
    return trimmed(line);
}

/* One `name = "value"` of a section. */
static int take_entry(
    struct certificate *all, const char *path, int number, int section, char *content) {
    char *equals = strchr(content, '='), *value = trimmed(equals + 1);
    size_t size = strlen(value);
    *equals = 0;
    const char *name = trimmed(content);
    if (*value == '"' || *value == '\'') {
        if (size < 2 || value[size - 1] != *value)
            return gestured_say(path, number, "the value's quotation mark is not closed");
        value[size - 1] = 0, value++;
    }
    if (section == METADATA && !strcmp(name, "server-key") && !*all->server_key)
        snprintf(all->server_key, sizeof all->server_key, "%.*s", KEY + 1, value);
    if (section != CURVE) return GESTURED_OK;
    int is_public = !strcmp(name, "public-key");
    char *key = is_public ? all->public_key : all->secret_key;
    if (!is_public && strcmp(name, "secret-key"))
        return gestured_say(path, number, "curve has public-key and secret-key alone");
    if (*key) return gestured_say(path, number, "this key stands here a second time");
    /* The value stays out of the message: it may be most of a secret key. */
    if (!is_key(value)) return gestured_say(path, number, "a key has 40 characters of Z85");
    memcpy(key, value, KEY + 1);
    return GESTURED_OK;
}

/* The sections of ZPL (ZeroMQ RFC 4) that a certificate has. */
static int parse(struct certificate *all, const char *path, char *text) {
    int section = NO_SECTION, number = 0, status;
    for (char *line = text, *next; line; line = next) {
        number++;
        if ((next = strchr(line, '\n'))) *next++ = 0;
        int is_indented = is_space(*line);
        char *content = content_of(line);
        if (!*content) continue;
        if (strchr(content, '=')) {
            if (!is_indented || section == NO_SECTION)
                return gestured_say(path, number, "stands in no section, which its indent shows");
            if ((status = take_entry(all, path, number, section, content))) return status;
        } else {
            if (is_indented) return gestured_say(path, number, "is no `name = \"value\"`");
            section = !strcmp(content, "curve") ? CURVE
                : !strcmp(content, "metadata") ? METADATA : OTHER;
        }
    }
    return *all->public_key ? GESTURED_OK : gestured_say(path, 0, "has no curve with a public-key");
}

static int read_certificate(struct certificate *all, const char *path) {
    char text[GESTURED_CERTIFICATE_BYTES + 2];
    FILE *file = fopen(path, "rb");
    int is_text = 1, reason = errno;
    size_t size = 0;
    memset(all, 0, sizeof *all);
    errno = 0;
    if (file) {
        size = fread(text, 1, sizeof text - 1, file), reason = ferror(file) ? errno : 0;
        fclose(file);
    }
    if (reason || !file) {
        snprintf(text, sizeof text, "cannot be read: %.99s", strerror(reason));
        return gestured_say(path, 0, text);
    }
    text[size] = 0;
    if (size > GESTURED_CERTIFICATE_BYTES)
        return gestured_say(path, 0, "a certificate has at most 16384 bytes");
    /* A file of another kind would be quoted in messages. */
    for (size_t i = 0; i < size; i++)
        is_text &= text[i] == 127 ? 0 : (unsigned char)text[i] >= 32 || strchr("\t\n\r", text[i]);
    if (!is_text || strlen(text) != size) return gestured_say(path, 0, "is no text");
    return parse(all, path, text);
}

int gestured_load_keys(gestured_keys *keys, const char *key, const char *server_key) {
    struct certificate own, server;
    char fits[KEY + 1];
    if (!key) key = environment("GESTURED_KEY");
    if (!server_key) server_key = environment("GESTURED_SERVER_KEY");
    memset(keys, 0, sizeof *keys);
    if (!*key) return gestured_say("", 0, "no key: give the client's secret certificate");
    if (read_certificate(&own, key)) return GESTURED_BAD_INPUT;
    if (!*own.secret_key)
        return gestured_say(key, 0, "has no secret-key: give the client's secret certificate");
    if (zmq_curve_public(fits, own.secret_key))
        return gestured_say(key, 0, "cannot be used: this libzmq was built without CURVE");
    if (strcmp(fits, own.public_key))
        return gestured_say(key, 0, "its public-key is not that of its secret-key");
    if (!*server_key && !*own.server_key)
        return gestured_say(key, 0, "has no server-key in its metadata, and none is given");
    const char *theirs = *server_key ? server_key : own.server_key;
    /* A file's path may look like a key. */
    FILE *file = *server_key ? fopen(server_key, "rb") : NULL;
    if (file) fclose(file);
    if (!is_key(theirs) || file) {
        if (!*server_key)
            return gestured_say(key, 0, "its server-key must be the 40 characters of a key");
        if (read_certificate(&server, server_key)) return GESTURED_BAD_INPUT;
        theirs = server.public_key;
    }
    memcpy(keys->public_key, own.public_key, KEY + 1);
    memcpy(keys->secret_key, own.secret_key, KEY + 1);
    memcpy(keys->server_key, theirs, KEY + 1);
    return GESTURED_OK;
}

gestured *gestured_connect(const char *events, const char *updates, const char *control, int ms) {
    gestured_keys keys;
    int has_keys = *environment("GESTURED_KEY") || *environment("GESTURED_SERVER_KEY");
    if (has_keys && gestured_load_keys(&keys, NULL, NULL)) return errno = EINVAL, NULL;
    return gestured_connect_with_keys(events, updates, control, ms, has_keys ? &keys : NULL);
}

/* The options of a socket that has keys, and its monitor: 0, or -1 with errno. */
static int protect(struct gestured_link *link, void *context, const gestured_keys *keys) {
    char place[64];
    snprintf(place, sizeof place, "inproc://gestured-link-%p", link->socket);
    if (zmq_setsockopt(link->socket, ZMQ_CURVE_PUBLICKEY, keys->public_key, KEY + 1) ||
        zmq_setsockopt(link->socket, ZMQ_CURVE_SECRETKEY, keys->secret_key, KEY + 1) ||
        zmq_setsockopt(link->socket, ZMQ_CURVE_SERVERKEY, keys->server_key, KEY + 1) ||
        zmq_socket_monitor(link->socket, place, EVENTS) ||
        !(link->monitor = zmq_socket(context, ZMQ_PAIR))) return -1;
    return zmq_connect(link->monitor, place);
}

int gestured_link_type_of_events(const char *given) {
    int is_published = given || (!*environment("GESTURED_PUSH") && *environment("GESTURED_EVENTS"));
    return is_published ? ZMQ_XPUB : ZMQ_PUSH;
}

int gestured_link_open(
    struct gestured_link *link, void *context, int type, const char *given, int timeout,
    const gestured_keys *keys) {
    int is_events = type == ZMQ_XPUB || type == ZMQ_PUSH;
    const int options[][2] = { /* Events wait in a full socket, but never for a later daemon. */
        {ZMQ_RCVHWM, GESTURED_WAITING}, {ZMQ_RECONNECT_IVL_MAX, 1000}, {ZMQ_SNDTIMEO, timeout},
        {ZMQ_LINGER, is_events ? timeout : 0}, {ZMQ_IMMEDIATE, is_events}, {ZMQ_XPUB_NODROP, 1}};
    int64_t bytes = is_events ? 256 : GESTURED_MESSAGE_BYTES;
    const char *place = type == ZMQ_PUSH ? environment("GESTURED_PUSH")
        : type == ZMQ_XPUB ? environment("GESTURED_EVENTS")
        : type == ZMQ_SUB ? environment("GESTURED_UPDATES") : environment("GESTURED_CONTROL");
    if (given || !*place)
        place = given ? given : type == ZMQ_PUSH ? "tcp://127.0.0.1:7414"
            : type == ZMQ_XPUB ? "tcp://127.0.0.1:7411"
            : type == ZMQ_SUB ? "tcp://127.0.0.1:7412" : "tcp://127.0.0.1:7413";
    if (!(link->socket = zmq_socket(context, type))) return -1;
    link->pushes = type == ZMQ_PUSH;
    zmq_setsockopt(link->socket, ZMQ_MAXMSGSIZE, &bytes, sizeof bytes);
    for (int i = 0; i < 5 + is_events; i++)
        zmq_setsockopt(link->socket, options[i][0], &options[i][1], sizeof(int));
    int has_keys = keys && !strncmp(place, "tcp://", 6);
    link->led_at = SOON - LEAD; /* Half a second is enough for a handshake. */
    if ((!has_keys || !protect(link, context, keys)) && !zmq_connect(link->socket, place)) return 0;
    int reason = zmq_errno();
    gestured_say(place, 0, zmq_strerror(reason));
    gestured_link_close(link), errno = reason;
    return -1;
}

/* Connects anew, perhaps to another port; what waits in the connection is lost. */
static void dial(struct gestured_link *link, long now, const char *port) {
    char place[PLACE];
    size_t size = sizeof place - 8;
    link->is_lost = 0, link->dialed_at = now, link->told = link->refusals, link->dials++;
    if (zmq_getsockopt(link->socket, ZMQ_LAST_ENDPOINT, place, &size)) return;
    zmq_disconnect(link->socket, place);
    char *colon = strrchr(place, ':');
    if (port && colon) snprintf(colon + 1, 7, "%.6s", port);
    zmq_connect(link->socket, place);
}

/* The port of an endpoint of tcp in a JSON string, or an empty text. */
static void port_of(gestured_span place, char port[7]) {
    char text[PLACE];
    int is_tcp = gestured_text(place, text, sizeof text) > 0 && !strncmp(text, "tcp://", 6);
    const char *digits = is_tcp ? strrchr(text, ':') + 1 : "";
    int is_port = strspn(digits, "0123456789") == strlen(digits) && strlen(digits) < 6;
    snprintf(port, 7, "%.6s", is_port ? digits : "");
}

void gestured_link_lead(
    gestured *client, struct gestured_link *updates, const struct gestured_link *control,
    long now) {
    char place[PLACE] = "", port[7], first[7] = "";
    gestured_span reply, key, one = {NULL, 0};
    int is_in = updates->joins && updates->joins >= control->joins;
    if (!updates->monitor || is_in || now - updates->led_at < LEAD) return;
    updates->led_at = now;
    if (gestured_request(client, "hello", NULL, &reply)) return;
    zmq_getsockopt(updates->socket, ZMQ_LAST_ENDPOINT, place, &(size_t){sizeof place});
    const char *colon = strrchr(place, ':'), *own = colon ? colon + 1 : "";
    while (gestured_each(gestured_find(reply, "endpoints.updates"), &key, &one)) {
        port_of(one, port);
        if (!strcmp(port, own)) return;
        if (!*first) memcpy(first, port, sizeof first);
    }
    if (*first) dial(updates, now, first);
}

int gestured_link_is_heard(struct gestured_link *events) {
    char frame[256];
    int state = 0;
    if (events->pushes) {
        zmq_getsockopt(events->socket, ZMQ_EVENTS, &state, &(size_t){sizeof state});
        return state & ZMQ_POLLOUT;
    }
    while (zmq_recv(events->socket, frame, sizeof frame, ZMQ_DONTWAIT) > 0)
        events->listeners += *frame == 1 ? 1 : -(*frame == 0); /* The daemon has come, or left. */
    return events->listeners > 0;
}

void gestured_link_look(struct gestured_link *link, long now) {
    unsigned char first[6], place[PLACE];
    uint16_t event;
    if (!link->monitor) return;
    while (zmq_recv(link->monitor, first, sizeof first, ZMQ_DONTWAIT) == (int)sizeof first) {
        zmq_recv(link->monitor, place, sizeof place, ZMQ_DONTWAIT);
        memcpy(&event, first, sizeof event);
        link->is_lost = event != ZMQ_EVENT_HANDSHAKE_SUCCEEDED;
        link->joins += event == ZMQ_EVENT_HANDSHAKE_SUCCEEDED;
        link->refusals += event == ZMQ_EVENT_HANDSHAKE_FAILED_AUTH;
    }
    if (link->is_lost && now - link->dialed_at >= PAUSE) dial(link, now, NULL);
}

int gestured_link_refused(struct gestured_link *link) {
    int is_new = link->refusals != link->told;
    link->told = link->refusals;
    return is_new;
}

const char *gestured_link_trouble(const struct gestured_link *link) {
    /* A daemon that does not know the key closes the connection without a word. */
    return !link->monitor ? "the daemon did not answer in time"
        : "the daemon did not answer in time: perhaps it does not take this client's key, or its "
          "own is not the server key";
}

const char *gestured_link_refusal(const struct gestured_link *link) {
    char place[PLACE] = "";
    int type = 0;
    zmq_getsockopt(link->socket, ZMQ_LAST_ENDPOINT, place, &(size_t){sizeof place});
    zmq_getsockopt(link->socket, ZMQ_TYPE, &type, &(size_t){sizeof type});
    gestured_say(place, 0, type != ZMQ_SUB ? "the daemon does not take this client's key"
        : "the daemon does not take this client's key; one that may read some sessions only "
          "has an updates endpoint of its own, which hello tells");
    return gestured_said();
}

void gestured_link_close(struct gestured_link *link) {
    if (link->monitor) { /* First, as an event that nobody takes would hold libzmq up. */
        zmq_socket_monitor(link->socket, NULL, 0);
        zmq_close(link->monitor);
    }
    if (link->socket) zmq_close(link->socket);
    link->socket = link->monitor = NULL;
}

void gestured_draw_lots(char digits[33], unsigned long clock) {
    uint64_t lots[2] = {clock, (uintptr_t)digits};
    FILE *file = fopen("/dev/urandom", "rb");
    if (file && fread(lots, sizeof lots, 1, file) != 1) lots[1] ^= clock;
    if (file) fclose(file);
    snprintf(digits, 33, "%016llx%016llx", (unsigned long long)*lots, (unsigned long long)lots[1]);
}
