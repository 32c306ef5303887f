#define _GNU_SOURCE
#include "include/websockets.h"

#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes that the kernel may hold unsent: more would only be stale when it is read. */
static const int unsent_max = 16384;
/* Bytes of a request's head. */
static const unsigned short head_max = 8192;
/* Bytes of a head's parts, with their ends. A longer path names no file; a host has at most 253
 * bytes and an origin its scheme and port beside; tags of files have some 40; browsers offer
 * extensions in 50. */
enum { path_room = 1024, authority_room = 300, tag_room = 200, offer_room = 256 };
/* Bytes of a line that says why the server cannot start. */
enum { error_room = 200 };
/* Bytes that one callback gets of a message: one read of most messages. */
enum { piece_room = 16384 };
/* Bytes that libwebsockets reads and writes through, for one thread: two pieces of an answer. */
enum { service_room = 2 * 65536 };
/* Descriptors beside those of connections: listening sockets, libwebsockets' own, the bridge's. */
enum { spare_descriptors = 64 };

gw_connection *gw_find(gw_server *server, uint64_t number) {
    uint64_t slot = number % (uint64_t)server->settings.connections_max;
    gw_connection *found = &server->connections[slot];
    return found->wsi && found->number == number ? found : NULL;
}

static gw_connection *take_slot(gw_server *server, struct lws *wsi) {
    int max = server->settings.connections_max;
    for (int slot = 0; slot < max; slot++) {
        gw_connection *free_one = &server->connections[slot];
        if (free_one->wsi) continue;
        memset(free_one, 0, sizeof *free_one);
        free_one->wsi = wsi;
        free_one->number = ++server->rounds * (uint64_t)max + (uint64_t)slot;
        server->count++;
        lws_set_opaque_user_data(wsi, free_one);
        return free_one;
    }
    return NULL;
}

static void free_slot(gw_server *server, gw_connection *gone) {
    uint64_t number = gone->number;
    int is_known = gone->is_known;
    free(gone->message);
    free(gone->body);
    gw_deflate_free(gone->deflate);
    memset(gone, 0, sizeof *gone);
    server->count--;
    if (is_known) server->calls.closed(server->calls.owner, number);
}

static void header(struct lws *wsi, enum lws_token_indexes name, char *text, size_t size) {
    int length = lws_hdr_copy(wsi, text, (int)size, name);
    if (length < 0) text[0] = 0;
}

/* Passes a request on; returns what `requested` returned, or -1 to hang up. */
static int request(gw_server *server, gw_connection *from, int is_upgrade) {
    static char path[path_room], host[authority_room], origin[authority_room];
    static char none_match[tag_room];
    char *uri = NULL;
    int length = 0;
    int method = lws_http_get_uri_and_method(from->wsi, &uri, &length);
    path[0] = 0;
    if (method >= 0 && uri && length > 0 && (size_t)length < sizeof path) {
        memcpy(path, uri, (size_t)length);
        path[length] = 0;
    }
    header(from->wsi, WSI_TOKEN_HOST, host, sizeof host);
    header(from->wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin);
    header(from->wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, none_match, sizeof none_match);
    /* One that is too long must not count as absent. */
    if (!origin[0] && lws_hdr_total_length(from->wsi, WSI_TOKEN_ORIGIN) > 0) {
        snprintf(origin, sizeof origin, "too-long");
    }
    gw_request asked = {
        .method = method == LWSHUMETH_GET    ? gw_get
                  : method == LWSHUMETH_HEAD ? gw_head
                                             : gw_other,
        .is_upgrade = is_upgrade,
        .path = path,
        .host = host,
        .origin = origin,
        .none_match = none_match,
    };
    from->is_known = 1;
    from->is_head = method == LWSHUMETH_HEAD;
    from->is_upgrade = is_upgrade;
    return server->calls.requested(server->calls.owner, from->number, &asked);
}

static void open_socket(gw_server *server, gw_connection *opened) {
    int one = 1;
    int descriptor = lws_get_socket_fd(opened->wsi);
    (void)setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    (void)setsockopt(descriptor, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent_max, sizeof unsent_max);
    opened->is_known = 1;
    opened->is_open = 1;
    server->calls.opened(server->calls.owner, opened->number);
}

static int write_more(gw_server *server, gw_connection *to) {
    if (to->close_code) return gw_close_now(to, to->close_code, to->close_reason);
    server->calls.writable(server->calls.owner, to->number);
    return to->has_failed ? -1 : 0;
}

static int accept_one(gw_server *server) {
    if (server->count < server->settings.connections_max) return 0;
    server->calls.refused(server->calls.owner);
    return 1;
}

static int upgrade(gw_server *server, gw_connection *from, const char *protocol) {
    if (strcasecmp(protocol, "websocket") != 0) return -1;
    int answer = request(server, from, 1);
    if (answer > 0) return 0;
    /* libwebsockets itself goes on to the next request. */
    return from->status && gw_write_answer(from) == 0 && !from->status ? 1 : -1;
}

static int refuse_extension(struct lws *wsi) {
    char offer[offer_room];
    header(wsi, WSI_TOKEN_EXTENSIONS, offer, sizeof offer);
    return !offer[0] || !gw_deflate_can_accept(offer);
}

static int called(
    struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t count) {
    (void)user;
    gw_server *server = lws_context_user(lws_get_context(wsi));
    gw_connection *self = wsi ? lws_get_opaque_user_data(wsi) : NULL;
    switch (reason) {
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
        return accept_one(server);
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        return take_slot(server, wsi) ? 0 : -1;
    case LWS_CALLBACK_WSI_DESTROY:
        if (self) free_slot(server, self);
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return self ? upgrade(server, self, in) : -1;
    case LWS_CALLBACK_HTTP:
        if (!self) return -1;
        (void)request(server, self, 0);
        if (!self->status) gw_hold(self);
        return 0;
    case LWS_CALLBACK_HTTP_WRITEABLE:
        if (!self) return -1;
        return gw_go_on(server, self);
    case LWS_CALLBACK_CONFIRM_EXTENSION_OKAY:
        return refuse_extension(wsi);
    case LWS_CALLBACK_ESTABLISHED:
        if (!self) return -1;
        open_socket(server, self);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        return self ? gw_receive(server, self, in, count) : -1;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return self ? write_more(server, self) : -1;
    case LWS_CALLBACK_RAW_RX_FILE:
        server->calls.readable(server->calls.owner, (int)(intptr_t)lws_get_opaque_parent_data(wsi));
        return 0;
    default:
        return 0;
    }
}

/* The first one serves clients that ask for no protocol by name. */
static const struct lws_protocols protocols[] = {
    {"gestured", called, 0, piece_room, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

static const struct lws_extension extensions[] = {
    {"permessage-deflate", gw_deflate_extension, "permessage-deflate"},
    {NULL, NULL, NULL},
};

static char last_error[error_room];

/* Keeps the last line for `gw_open`; libwebsockets has no other way to say why it cannot listen. */
static void log_line(int level, const char *line) {
    (void)level;
    snprintf(last_error, sizeof last_error, "%s", line);
    last_error[strcspn(last_error, "\n")] = 0;
}

static void *failed(gw_server *server, const char *why, char *reason, size_t reason_size) {
    snprintf(reason, reason_size, "%s", why);
    gw_close_server(server);
    return NULL;
}

gw_server *gw_open(
    const gw_settings *settings, const gw_calls *calls, char *reason, size_t reason_size) {
    lws_set_log_level(LLL_ERR, log_line);
    gw_server *server = calloc(1, sizeof *server);
    if (!server) return NULL;
    server->settings = *settings;
    server->calls = *calls;
    server->connections = calloc((size_t)settings->connections_max, sizeof(gw_connection));
    if (!server->connections) return failed(server, strerror(ENOMEM), reason, reason_size);
    server->validity.secs_since_valid_ping = (uint16_t)settings->ping_seconds;
    server->validity.secs_since_valid_hangup = (uint16_t)settings->hangup_seconds;
    struct lws_context_creation_info info = {
        .port = settings->port,
        .iface = settings->address,
        .protocols = protocols,
        .extensions = extensions,
        .gid = -1,
        .uid = -1,
        .user = server,
        .max_http_header_pool = (unsigned short)settings->connections_max,
        .max_http_header_data = head_max,
        .pt_serv_buf_size = service_room,
        .timeout_secs = (unsigned)settings->http_seconds,
        .keepalive_timeout = settings->http_seconds,
        .retry_and_idle_policy = &server->validity,
        .fd_limit_per_thread = (unsigned)settings->connections_max + spare_descriptors,
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS
                   | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND,
    };
    if (!strchr(settings->address ? settings->address : ":", ':')) {
        info.options |= LWS_SERVER_OPTION_DISABLE_IPV6;
    }
    server->context = lws_create_context(&info);
    if (!server->context) return failed(server, last_error, reason, reason_size);
    errno = 0;
    server->vhost = lws_create_vhost(server->context, &info);
    if (!server->vhost) {
        return failed(
            server, errno ? strerror(errno) : last_error, reason, reason_size);
    }
    return server;
}

void gw_close_server(gw_server *server) {
    if (server->context) lws_context_destroy(server->context);
    free(server->connections);
    free(server->buffer);
    free(server);
}

int gw_port(const gw_server *server) { return lws_get_vhost_listen_port(server->vhost); }

int gw_watch(gw_server *server, int descriptor) {
    /* It closes the descriptor in the end, so it gets one of its own. */
    lws_sock_file_fd_type copy = {.filefd = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)};
    if (copy.filefd < 0) return -1;
    struct lws *wsi = lws_adopt_descriptor_vhost(
        server->vhost, LWS_ADOPT_RAW_FILE_DESC, copy, "gestured", NULL);
    if (!wsi) return -1;
    lws_set_opaque_parent_data(wsi, (void *)(intptr_t)descriptor);
    return 0;
}

static void tick(lws_sorted_usec_list_t *timer) {
    gw_server *server = lws_container_of(timer, gw_server, timer);
    lws_sul_schedule(
        server->context, 0, &server->timer, tick, (lws_usec_t)server->tick_milliseconds * 1000);
    server->calls.ticked(server->calls.owner);
}

void gw_tick(gw_server *server, int milliseconds) {
    server->tick_milliseconds = milliseconds;
    lws_sul_schedule(
        server->context, 0, &server->timer, tick, (lws_usec_t)milliseconds * 1000);
}

int gw_serve(gw_server *server) { return lws_service(server->context, 0) < 0; }

static void hurried(lws_sorted_usec_list_t *timer) { (void)timer; }

void gw_hurry(gw_server *server) {
    lws_sul_schedule(server->context, 0, &server->hurry, hurried, 1);
}

void gw_want_writable(gw_server *server, uint64_t connection) {
    gw_connection *found = gw_find(server, connection);
    if (found) lws_callback_on_writable(found->wsi);
}

int gw_send(gw_server *server, uint64_t connection, const uint8_t *bytes, size_t count) {
    gw_connection *to = gw_find(server, connection);
    if (!to || !to->is_open || to->has_failed) return -1;
    size_t room = gw_deflated_max(count);
    if (room > server->buffer_room) {
        unsigned char *larger = realloc(server->buffer, LWS_PRE + room);
        if (!larger) return -1;
        server->buffer = larger;
        server->buffer_room = room;
    }
    uint8_t *payload = server->buffer + LWS_PRE;
    size_t length = to->deflate ? gw_deflate_message(to->deflate, bytes, count, payload) : 0;
    if (length) {
        gw_deflate_mark(to->deflate);
    } else {
        length = count;
        if (count) memcpy(payload, bytes, count);
    }
    to->has_failed = lws_write(to->wsi, payload, length, LWS_WRITE_TEXT) < 0;
    if (server->buffer_room > gw_kept_max) {
        free(server->buffer);
        server->buffer = NULL;
        server->buffer_room = 0;
    }
    return to->has_failed;
}

int gw_has_room(gw_server *server, uint64_t connection) {
    gw_connection *to = gw_find(server, connection);
    return to && to->is_open && !to->has_failed && !lws_send_pipe_choked(to->wsi);
}

void gw_close(gw_server *server, uint64_t connection, int code, const char *reason) {
    gw_connection *found = gw_find(server, connection);
    if (!found || found->close_code) return;
    found->close_code = code;
    snprintf(found->close_reason, sizeof found->close_reason, "%s", reason);
    lws_set_timeout(found->wsi, PENDING_TIMEOUT_USER_OK, server->settings.close_seconds);
    lws_callback_on_writable(found->wsi);
}

int gw_connections(const gw_server *server) { return server->count; }

int gw_is_deflated(gw_server *server, uint64_t connection) {
    gw_connection *found = gw_find(server, connection);
    return found && found->deflate;
}
