/* Echoes every message through the shim over libwebsockets, for test_web_shim.py. It stands in for
 * gesture-web, so that the sanitizers watch the C code alone. */
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

static int requested(void *owner, uint64_t connection, const gw_request *request) {
    (void)owner;
    if (request->is_upgrade && strcmp(request->path, "/no") != 0) return 1;
    if (strcmp(request->path, "/never") == 0) return 0;
    char body[256];
    int count = snprintf(
        body, sizeof body, "%d %d %d %d %d\n", opened_count, closed_count, broken_count,
        refused_count, gw_connections(server));
    const char *head[] = {"content-type:", "text/plain", NULL};
    if (strcmp(request->path, "/large") == 0) {
        size_t large = 3 * 1000 * 1000;
        uint8_t *bytes = malloc(large);
        for (size_t place = 0; place < large; place++) bytes[place] = (uint8_t)(place * 7);
        gw_respond(server, connection, 200, head, bytes, large);
        free(bytes);
        return 0;
    }
    gw_respond(
        server, connection, request->is_upgrade ? 403 : 200, head, (uint8_t *)body, (size_t)count);
    return 0;
}

static void opened(void *owner, uint64_t connection) {
    (void)owner, (void)connection;
    opened_count++;
}

static void received(void *owner, uint64_t connection, const uint8_t *bytes, size_t count) {
    (void)owner;
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

static void readable(void *owner, int descriptor) { (void)owner, (void)descriptor; }
static void ticked(void *owner) { (void)owner; }
static void end(int number) { (void)number, is_ending = 1; }

int main(void) {
    gw_settings settings = {
        .address = "127.0.0.1", .connections_max = 64, .message_max = 1048576,
        .fragments_max = 64, .http_seconds = 3, .ping_seconds = 2, .hangup_seconds = 4,
        .close_seconds = 2};
    gw_calls calls = {NULL,   requested, opened,  received, writable,
                      closed, broken,    refused, readable, ticked};
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
