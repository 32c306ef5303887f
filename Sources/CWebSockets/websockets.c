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
/* Bytes of the heads that the owner writes. */
static const unsigned short head_max = 8192;
/* Bytes of an offer of extensions: browsers offer them in 50. */
enum { offer_room = 256 };
/* Bytes of a line that says why the server cannot start. */
enum { error_room = 200 };
/* Bytes that are read of a connection before the next one's turn: 700 of the smallest frames, which
 * are answered or dropped before anybody counts them. */
enum { piece_room = 4096 };
/* Without pings of libwebsockets; without a policy it has one of its own. */
static const lws_retry_bo_t no_policy;
/* Content of a ping. */
static const unsigned char ping_content[] = {'g', 'w'};
/* Bytes that libwebsockets reads and writes through, for one thread. */
enum { service_room = 2 * 65536 };
/* Descriptors beside those of connections: the door's, libwebsockets' own, the bridge's. */
enum { spare_descriptors = 64 };
/* Microseconds between two looks at what is late. */
static const lws_usec_t expiry_pause = 250000;

gw_connection *gw_find(gw_server *server, uint64_t number) {
    uint64_t slot = number % (uint64_t)server->settings.connections_max;
    gw_connection *found = &server->connections[slot];
    return found->state != gw_free && found->number == number ? found : NULL;
}

gw_connection *gw_take_slot(gw_server *server) {
    int max = server->settings.connections_max, slot = 0;
    while (slot < max - 1 && server->connections[slot].state != gw_free) slot++;
    gw_connection *taken = &server->connections[slot];
    memset(taken, 0, sizeof *taken);
    taken->descriptor = -1;
    taken->number = ++server->rounds * (uint64_t)max + (uint64_t)slot;
    server->count++;
    return taken;
}

void gw_free_slot(gw_server *server, gw_connection *gone) {
    uint64_t number = gone->number;
    int is_known = gone->is_known;
    gw_drop_answer(server, gone);
    server->waiting -= gone->is_waiting + gone->is_writable;
    server->light -= (gone->is_waiting && !gone->is_long) + gone->is_writable;
    free(gone->head);
    free(gone->message);
    gw_deflate_free(gone->deflate);
    memset(gone, 0, sizeof *gone);
    server->count--;
    if (is_known) server->calls.closed(server->calls.owner, number);
}

static void header(struct lws *wsi, enum lws_token_indexes name, char *text, size_t size) {
    int length = lws_hdr_copy(wsi, text, (int)size, name);
    if (length < 0) text[0] = 0;
}

static void open_socket(gw_server *server, gw_connection *opened) {
    int one = 1;
    int descriptor = lws_get_socket_fd(opened->wsi);
    (void)setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    (void)setsockopt(descriptor, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent_max, sizeof unsent_max);
    opened->heard = gw_now();
    opened->is_known = 1;
    opened->is_open = 1;
    server->calls.opened(server->calls.owner, opened->number);
}

static void hold_while_choked(gw_connection *to);

/* Asks a peer for a sign of life. It has some content, for libwebsockets tells of no empty pong. */
static int ping(gw_connection *to) {
    unsigned char room[LWS_PRE + sizeof ping_content];
    memcpy(room + LWS_PRE, ping_content, sizeof ping_content);
    to->is_pinged = 1;
    if (lws_write(to->wsi, room + LWS_PRE, sizeof ping_content, LWS_WRITE_PING) < 0) return -1;
    /* The rest that is to be written follows. */
    lws_callback_on_writable(to->wsi);
    return 0;
}

/* Asks peers that were silent for a while, and cuts those that stay silent.
 *
 * libwebsockets could do it, but puts a timer in order at each pong, among those of all clients:
 * pongs that nothing asked for took seconds from everybody. */
static void look_at_peers(gw_server *server) {
    int64_t pause = (int64_t)server->settings.ping_seconds * 1000000;
    int64_t end = (int64_t)server->settings.hangup_seconds * 1000000;
    for (int slot = 0; slot < server->settings.connections_max; slot++) {
        gw_connection *at = &server->connections[slot];
        if (at->state != gw_socket || !at->is_open) continue;
        int64_t silence = server->instant - at->heard;
        if (silence < pause) {
            at->is_asked = at->is_pinged = 0;
        } else if (silence >= end) {
            lws_set_timeout(at->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
        } else if (!at->is_asked) {
            at->is_asked = 1;
            lws_callback_on_writable(at->wsi);
        }
    }
}

static int write_more(gw_server *server, gw_connection *to) {
    hold_while_choked(to);
    if (to->has_failed) return -1;
    if (to->close_code) return gw_close_now(to, to->close_code, to->close_reason);
    if (to->is_asked && !to->is_pinged && !to->is_choked) return ping(to);
    gw_let_write(server, to);
    return to->has_failed ? -1 : 0;
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
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        if (!server->adopting) return -1;
        server->adopting->wsi = wsi;
        lws_set_opaque_user_data(wsi, server->adopting);
        server->adopting = NULL;
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        if (self) gw_free_slot(server, self);
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return self && !strcasecmp(in, "websocket") ? 0 : -1;
    case LWS_CALLBACK_HTTP:
        /* The door answers requests. */
        return -1;
    case LWS_CALLBACK_CONFIRM_EXTENSION_OKAY:
        return refuse_extension(wsi);
    case LWS_CALLBACK_ESTABLISHED:
        if (!self) return -1;
        open_socket(server, self);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        return self ? gw_receive(server, self, in, count) : -1;
    case LWS_CALLBACK_RECEIVE_PONG:
        if (self) self->heard = server->instant;
        return 0;
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        if (self) self->is_leaving = 1;
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return self ? write_more(server, self) : -1;
    case LWS_CALLBACK_RAW_RX_FILE: {
        int descriptor = (int)(intptr_t)lws_get_opaque_parent_data(wsi);
        if (descriptor == server->door) {
            gw_serve_door(server);
        } else {
            server->calls.readable(server->calls.owner, descriptor);
        }
        return 0;
    }
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

static void expire(lws_sorted_usec_list_t *timer) {
    gw_server *server = lws_container_of(timer, gw_server, expiry);
    server->instant = gw_now();
    gw_expire(server);
    look_at_peers(server);
    lws_sul_schedule(server->context, 0, &server->expiry, expire, expiry_pause);
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
    server->listener = server->door = -1;
    server->connections = calloc((size_t)settings->connections_max, sizeof(gw_connection));
    if (!server->connections) return failed(server, strerror(ENOMEM), reason, reason_size);
    server->instant = gw_now();
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .extensions = extensions,
        .gid = -1,
        .uid = -1,
        .user = server,
        .max_http_header_pool = (unsigned short)settings->connections_max,
        .max_http_header_data = head_max,
        .pt_serv_buf_size = service_room,
        .retry_and_idle_policy = &no_policy,
        .timeout_secs = (unsigned)settings->http_seconds,
        .keepalive_timeout = settings->http_seconds,
        .fd_limit_per_thread = (unsigned)settings->connections_max + spare_descriptors,
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS,
    };
    if (gw_open_door(server, settings->address, settings->port)) {
        return failed(server, strerror(errno), reason, reason_size);
    }
    server->context = lws_create_context(&info);
    if (!server->context) return failed(server, last_error, reason, reason_size);
    errno = 0;
    server->vhost = lws_create_vhost(server->context, &info);
    if (!server->vhost) {
        return failed(
            server, errno ? strerror(errno) : last_error, reason, reason_size);
    }
    if (gw_watch(server, server->door)) {
        return failed(server, "cannot watch the door", reason, reason_size);
    }
    expire(&server->expiry);
    return server;
}

void gw_close_server(gw_server *server) {
    if (server->context) lws_context_destroy(server->context);
    for (int slot = 0; server->connections && slot < server->settings.connections_max; slot++) {
        gw_connection *left = &server->connections[slot];
        if (left->state != gw_free) gw_hang_up(server, left);
    }
    if (server->door >= 0) close(server->door);
    if (server->listener >= 0) close(server->listener);
    free(server->connections);
    free(server->buffer);
    free(server);
}

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

int gw_serve(gw_server *server) {
    /* A timer that is due already would not do: it is served before libwebsockets waits. */
    int is_hurried = server->is_hurried;
    server->is_hurried = 0;
    server->spent = 0;
    if (!server->waiting) {
        server->rush++;
        server->begun = 0;
    }
    int result = lws_service(server->context, is_hurried ? -1 : 0);
    gw_serve_waiting(server);
    return result < 0;
}

void gw_hurry(gw_server *server) { server->is_hurried = 1; }

void gw_want_writable(gw_server *server, uint64_t connection) {
    gw_connection *found = gw_find(server, connection);
    if (found && found->is_open) lws_callback_on_writable(found->wsi);
}

/* Reads nothing of a connection while libwebsockets keeps a part of a message that the kernel has no
 * room for. If its peer has closed meanwhile, libwebsockets would find that in circles, within one
 * call: it waits for the part to leave before it closes, and looks at the connection again at once. */
static void hold_while_choked(gw_connection *to) {
    to->is_choked = !to->has_failed && lws_partial_buffered(to->wsi);
    gw_hold(to);
}

void gw_hold(gw_connection *one) {
    int is_held = one->is_choked || one->is_waiting;
    if (is_held == one->is_held) return;
    one->is_held = is_held;
    (void)lws_rx_flow_control(one->wsi, !is_held);
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
    /* Deflating takes twenty times as long as sending, and others would wait for it. */
    size_t max = server->waiting ? gw_deflatable_busy_max : gw_deflatable_max;
    int is_deflated = to->deflate && count <= max;
    size_t length = is_deflated ? gw_deflate_message(to->deflate, bytes, count, payload) : 0;
    if (length) {
        gw_deflate_mark(to->deflate);
    } else {
        length = count;
        if (count) memcpy(payload, bytes, count);
    }
    to->has_failed = lws_write(to->wsi, payload, length, LWS_WRITE_TEXT) < 0;
    hold_while_choked(to);
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
    if (!found || !found->is_open || found->close_code) return;
    found->close_code = code;
    snprintf(found->close_reason, sizeof found->close_reason, "%s", reason);
    gw_forget_message(server, found);
    gw_hold(found);
    lws_set_timeout(found->wsi, PENDING_TIMEOUT_USER_OK, server->settings.close_seconds);
    lws_callback_on_writable(found->wsi);
}

int gw_connections(const gw_server *server) { return server->count; }

int gw_is_deflated(gw_server *server, uint64_t connection) {
    gw_connection *found = gw_find(server, connection);
    return found && found->deflate;
}
