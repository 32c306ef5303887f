#define _GNU_SOURCE
#include "server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* Bytes of a line that says whether the connection goes on, and of the end of a head. */
enum { line_room = 64 };
/* Bytes of an answer that a peer must take in a second. */
enum { taken_min = 32768 };
/* Writes of one answer in a turn: others wait meanwhile. */
enum { writes_max = 4 };
/* Bytes of one write. */
enum { piece_max = 65536 };

void gw_expect(gw_server *server, uint64_t connection, int is_head, int is_last) {
    gw_connection *of = gw_find(server, connection);
    if (!of) return;
    of->is_head = is_head;
    of->is_last = is_last;
}

void gw_drop_answer(gw_server *server, gw_connection *of) {
    free(of->answer);
    server->answers -= of->answer_count;
    of->answer = NULL;
    of->answer_count = of->answer_sent = 0;
}

/* Makes room for an answer, beside those that others have not taken. Returns other than 0 if there
 * is none. */
static int take_room(gw_server *server, gw_connection *to, size_t count) {
    while (server->answers + count > server->settings.answers_max) {
        if (!gw_make_room(server, gw_cut_slow, to)) break;
    }
    gw_drop_answer(server, to);
    if (server->answers + count > server->settings.answers_max) return -1;
    to->answer = malloc(count);
    if (!to->answer) return -1;
    to->answer_count = count;
    server->answers += count;
    server->answered += count;
    return 0;
}

void gw_respond(
    gw_server *server, uint64_t connection, const uint8_t *head, size_t head_count,
    const uint8_t *body, size_t count) {
    gw_connection *to = gw_find(server, connection);
    if (!to || to->state != gw_asking) return;
    char line[line_room];
    int length = snprintf(
        line, sizeof line, "connection: %s\r\n\r\n", to->is_last ? "close" : "keep-alive");
    if (to->is_head) count = 0;
    if (take_room(server, to, head_count + (size_t)length + count)) {
        /* The loop ends it: the caller may still use it. */
        gw_wait_until(to, 0);
        return;
    }
    memcpy(to->answer, head, head_count);
    memcpy(to->answer + head_count, line, (size_t)length);
    if (count) memcpy(to->answer + head_count + length, body, count);
    gw_turn(server, to, gw_writing);
    gw_wait_until(
        to, (int64_t)server->settings.http_seconds * 1000000
                + (int64_t)(to->answer_count / taken_min) * 1000000);
}

void gw_upgrade(gw_server *server, uint64_t connection, const uint8_t *head, size_t count) {
    gw_connection *to = gw_find(server, connection);
    if (!to || to->state != gw_asking) return;
    if (take_room(server, to, count)) {
        gw_wait_until(to, 0);
        return;
    }
    memcpy(to->answer, head, count);
    to->state = gw_opening;
}

void gw_write_answer(gw_server *server, gw_connection *to) {
    for (int turn = 0; to->answer_sent < to->answer_count; turn++) {
        size_t left = to->answer_count - to->answer_sent;
        if (turn == writes_max) return;
        ssize_t count = send(
            to->descriptor, to->answer + to->answer_sent, left < piece_max ? left : piece_max,
            MSG_NOSIGNAL);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (count < 0) return gw_hang_up(server, to);
        to->answer_sent += (size_t)count;
    }
    gw_drop_answer(server, to);
    gw_go_on(server, to);
}
