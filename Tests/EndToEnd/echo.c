/* Echoes every message through the shim over libwebsockets, for test_web_shim.py. It stands in for
 * gesture-web, so that the sanitizers watch the C code alone. */
#define _GNU_SOURCE
#include "websockets.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Messages that wait, in a ring; more are dropped. */
enum { waiting_max = 4096 };
typedef struct {
    uint64_t connection;
    uint8_t *bytes;
    size_t count;
} waiting_message;

static gw_server *server;
static waiting_message waiting[waiting_max];
static int waiting_count, is_ending;
static int opened_count, closed_count, broken_count, refused_count;

/* Whether the head asks for this path. */
static int asks(const uint8_t *head, size_t count, const char *path) {
    char line[64];
    int length = snprintf(line, sizeof line, "GET %s HTTP/1.1\r\n", path);
    return count >= (size_t)length && memcmp(head, line, (size_t)length) == 0;
}

static void requested(void *owner, uint64_t connection, const uint8_t *head, size_t count) {
    (void)owner;
    int is_upgrade = memmem(head, count, "Upgrade: websocket", 18) != NULL;
    int is_last =
        memmem(head, count, "Connection: close", 17) || memmem(head, count, "HTTP/1.0", 8);
    gw_expect(server, connection, count > 4 && memcmp(head, "HEAD", 4) == 0, is_last);
    if (is_upgrade && !asks(head, count, "/no")) {
        gw_upgrade(server, connection, head, count);
        return;
    }
    if (asks(head, count, "/never")) return;
    int is_large = asks(head, count, "/large");
    size_t room = is_large ? 3 * 1000 * 1000 : 256;
    uint8_t *body = malloc(room);
    for (size_t place = 0; is_large && place < room; place++) body[place] = (uint8_t)(place * 7);
    size_t length = is_large ? room
                             : (size_t)snprintf(
                                   (char *)body, room, "%d %d %d %d %d\n", opened_count,
                                   closed_count, broken_count, refused_count,
                                   gw_connections(server));
    char text[128];
    int head_count = snprintf(
        text, sizeof text, "HTTP/1.1 %s\r\ncontent-type: text/plain\r\ncontent-length: %zu\r\n",
        is_upgrade ? "403 Forbidden" : "200 OK", length);
    gw_respond(server, connection, (uint8_t *)text, (size_t)head_count, body, length);
    free(body);
}

static void opened(void *owner, uint64_t connection) {
    (void)owner, (void)connection;
    opened_count++;
}

static void received(
    void *owner, uint64_t connection, const uint8_t *bytes, size_t count, size_t cost) {
    (void)owner, (void)cost;
    if (count == 4 && memcmp(bytes, "stop", 4) == 0) {
        gw_close(server, connection, 1001, "told to stop");
        return;
    }
    if (waiting_count == waiting_max) return;
    waiting_message *last = &waiting[waiting_count++];
    last->connection = connection;
    last->bytes = malloc(count ? count : 1);
    last->count = count;
    if (count) memcpy(last->bytes, bytes, count);
    gw_want_writable(server, connection);
}

static void holds(void *owner, uint64_t connection, size_t count) {
    (void)owner, (void)connection, (void)count;
}

static void writable(void *owner, uint64_t connection) {
    (void)owner;
    for (int place = 0; place < waiting_count; place++) {
        if (waiting[place].connection != connection) continue;
        (void)gw_send(server, connection, waiting[place].bytes, waiting[place].count);
        free(waiting[place].bytes);
        memmove(
            &waiting[place], &waiting[place + 1],
            sizeof waiting[0] * (size_t)(--waiting_count - place));
        gw_want_writable(server, connection);
        return;
    }
}

static void closed(void *owner, uint64_t connection) {
    (void)owner;
    closed_count++;
    for (int place = waiting_count - 1; place >= 0; place--) {
        if (waiting[place].connection != connection) continue;
        free(waiting[place].bytes);
        memmove(
            &waiting[place], &waiting[place + 1],
            sizeof waiting[0] * (size_t)(--waiting_count - place));
    }
}

static void broken(void *owner, uint64_t connection, int code) {
    (void)owner, (void)connection, (void)code;
    broken_count++;
}

static void refused(void *owner) {
    (void)owner;
    refused_count++;
}

static void cut(void *owner, gw_cut why) {
    (void)owner;
    refused_count += why == gw_cut_room;
}

static void readable(void *owner, int descriptor) { (void)owner, (void)descriptor; }
static void ticked(void *owner) { (void)owner; }
static void end(int number) { (void)number, is_ending = 1; }

int main(void) {
    gw_settings settings = {
        .address = "127.0.0.1", .connections_max = 64, .message_max = 1048576,
        .fragments_max = 64, .answers_max = 32000000,
        .http_seconds = 3, .answer_seconds = 5, .ping_seconds = 2, .hangup_seconds = 4,
        .close_seconds = 2};
    gw_calls calls = {NULL,   requested, opened,  received, holds, writable,
                      closed, broken,    refused, cut,      readable, ticked};
    char reason[256] = "";
    server = gw_open(&settings, &calls, reason, sizeof reason);
    if (!server) {
        fprintf(stderr, "%s\n", reason);
        return 1;
    }
    signal(SIGTERM, end);
    gw_tick(server, 100);
    printf("%d\n", gw_port(server));
    fflush(stdout);
    while (!is_ending && gw_serve(server) == 0) {}
    gw_close_server(server);
    return 0;
}
