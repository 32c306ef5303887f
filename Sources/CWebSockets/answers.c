#include "server.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of an answer's head. */
enum { head_room = 2048 };
/* Bytes of a body that are written at once. */
enum { body_piece = 65536 };
/* Until a connection that has no room is looked at again. */
static const lws_usec_t pause_microseconds = 10000;

/* A peer's next bytes stay in the kernel until its answer is out: libwebsockets would neither read
 * them nor wait, but look at them in circles. It does not tell of room meanwhile. */
void gw_hold(gw_connection *connection) {
    if (connection->is_held) return;
    connection->is_held = 1;
    (void)lws_rx_flow_control(connection->wsi, 0);
}

static void release(gw_connection *connection) {
    if (connection->is_held) {
        connection->is_held = 0;
        (void)lws_rx_flow_control(connection->wsi, 1);
    }
    lws_callback_on_writable(connection->wsi);
}

static int is_writable(const gw_connection *connection) {
    struct pollfd item = {.fd = lws_get_socket_fd(connection->wsi), .events = POLLOUT};
    return poll(&item, 1, 0) > 0;
}

/* Lets held connections go on that have room, and holds those that got stuck since. */
static void look_again(lws_sorted_usec_list_t *timer) {
    gw_server *server = lws_container_of(timer, gw_server, look);
    int is_any = 0;
    for (int slot = 0; slot < server->settings.connections_max; slot++) {
        gw_connection *each = &server->connections[slot];
        if (!each->wsi || !each->status || !each->body_sent) continue;
        is_any = 1;
        if (!each->is_held) {
            gw_hold(each);
        } else if (is_writable(each)) {
            release(each);
        }
    }
    if (is_any) {
        lws_sul_schedule(server->context, 0, &server->look, look_again, pause_microseconds);
    }
}

void gw_respond(
    gw_server *server, uint64_t connection, int status, const char *const *head,
    const uint8_t *body, size_t count) {
    gw_connection *to = gw_find(server, connection);
    if (!to || to->status || to->is_open) return;
    unsigned char *room = malloc(LWS_PRE + head_room + count);
    if (!room) {
        lws_set_timeout(to->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
        return;
    }
    unsigned char *place = room + LWS_PRE;
    unsigned char *end = place + head_room;
    int failed = lws_add_http_header_status(to->wsi, (unsigned)status, &place, end);
    if (to->is_upgrade && !failed) {
        /* libwebsockets has not looked at the request's version yet, and ends the connection. */
        room[LWS_PRE + strlen("HTTP/1.")] = '1';
        failed = lws_add_http_header_by_name(
            to->wsi, (const unsigned char *)"connection:", (const unsigned char *)"close", 5,
            &place, end);
    }
    for (; *head && !failed; head += 2) {
        failed = lws_add_http_header_by_name(
            to->wsi, (const unsigned char *)head[0], (const unsigned char *)head[1],
            (int)strlen(head[1]), &place, end);
    }
    failed = failed || lws_add_http_header_content_length(to->wsi, count, &place, end)
             || lws_finalize_http_header(to->wsi, &place, end);
    if (failed) {
        free(room);
        lws_set_timeout(to->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
        return;
    }
    to->status = status;
    to->body = room;
    to->head_count = (size_t)(place - (room + LWS_PRE));
    to->body_count = to->is_head ? 0 : count;
    to->body_sent = 0;
    if (to->body_count) memcpy(place, body, count);
    release(to);
}

int gw_write_answer(gw_connection *to) {
    unsigned char *start = to->body + LWS_PRE;
    if (to->head_count) {
        int wrote = lws_write(to->wsi, start, to->head_count, LWS_WRITE_HTTP_HEADERS);
        if (wrote < 0) return -1;
        /* The body has room for libwebsockets before it, for the head is gone. */
        to->body_sent = to->head_count;
        to->body_count += to->head_count;
        to->head_count = 0;
    }
    while (to->body_sent < to->body_count) {
        size_t piece = to->body_count - to->body_sent;
        if (piece > body_piece) piece = body_piece;
        int is_last = to->body_sent + piece == to->body_count;
        int wrote = lws_write(
            to->wsi, start + to->body_sent, piece,
            is_last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP);
        if (wrote < 0) return -1;
        to->body_sent += piece;
        if (!is_last && lws_send_pipe_choked(to->wsi)) return 0;
    }
    to->status = 0;
    free(to->body);
    to->body = NULL;
    return 0;
}

int gw_go_on(gw_server *server, gw_connection *to) {
    if (!to->status) return 0;
    lws_set_timeout(to->wsi, PENDING_TIMEOUT_HTTP_CONTENT, server->settings.http_seconds);
    if (gw_write_answer(to)) return -1;
    if (!to->status) return lws_http_transaction_completed(to->wsi) ? -1 : 0;
    gw_hold(to);
    lws_sul_schedule(server->context, 0, &server->look, look_again, pause_microseconds);
    return 0;
}
