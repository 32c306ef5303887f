#define _GNU_SOURCE
#include "server.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

const size_t gw_kept_max = 65536;
/* Bytes from which on a message may take long; deflated, they may stand for a thousand times as
 * many. */
enum { long_min = 16384, long_deflated_min = 128 };
/* Microseconds of a turn for messages of all connections and for writing to them. Beyond it they
 * wait, and everything else has its turn before. */
static const int64_t turn_max = 4000;
/* Microseconds of one connection before another one, which took less, has its turn. */
static const int64_t piece_max = 1000;
/* Bytes of a message that take about a microsecond: of two that wait the shorter one comes first. */
enum { microsecond_bytes = 256 };

int gw_close_now(gw_connection *closing, int code, const char *reason) {
    lws_close_reason(
        closing->wsi, (enum lws_close_status)code, (unsigned char *)(uintptr_t)reason,
        strlen(reason));
    return -1;
}

static int break_off(gw_server *server, gw_connection *at, int code, const char *reason) {
    server->calls.broken(server->calls.owner, at->number, code);
    if (!at->is_waiting) return gw_close_now(at, code, reason);
    /* No callback of libwebsockets could return that it is to close. */
    gw_close(server, at->number, code, reason);
    return 0;
}

/* Tells the owner what is held of a message, where that is much and has changed. */
static void tell_held(gw_server *server, gw_connection *of) {
    size_t held = of->message_room + gw_inflating(of->deflate);
    if (held <= gw_kept_max) held = 0;
    if (held == of->told) return;
    of->told = held;
    server->calls.holds(server->calls.owner, of->number, held);
}

/* Fair queueing by start times: a connection begins where it ended the last time, but not before
 * those that are served now. So one that sends a little now and then comes next, and one that sends
 * without end comes after each other one. Before anything waited nothing counts. */
static int64_t start_of(const gw_server *server, const gw_connection *of) {
    int64_t taken = of->rush == server->rush ? of->taken : 0;
    return taken > server->begun ? taken : server->begun;
}

/* Microseconds of the processor that this thread has had: the system may let it wait at any time,
 * and no connection is to pay for that. */
static int64_t worked(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

/* Gives a connection its place among those that wait. */
static void line_up(const gw_server *server, gw_connection *at) {
    at->due = start_of(server, at);
    if (!at->is_writable) at->due += (int64_t)(at->message_count / microsecond_bytes);
}

static void end_waiting(gw_server *server, gw_connection *of) {
    server->waiting -= of->is_waiting;
    server->light -= of->is_waiting && !of->is_long;
    of->is_waiting = 0;
}

void gw_forget_message(gw_server *server, gw_connection *of) {
    if (of->is_passing) return;
    end_waiting(server, of);
    if (gw_inflating(of->deflate)) gw_inflate_end(of->deflate);
    of->message_count = 0;
    of->fragments = 0;
    if (of->message_room > gw_kept_max) {
        free(of->message);
        of->message = NULL;
        of->message_room = 0;
    }
    tell_held(server, of);
}

static int break_inflating(gw_server *server, gw_connection *from, gw_inflate_result result) {
    switch (result) {
    case gw_inflate_large:
        return break_off(
            server, from, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "message too large");
    case gw_inflate_padded:
        return break_off(
            server, from, LWS_CLOSE_STATUS_PROTOCOL_ERR, "deflated to more than its content");
    case gw_inflate_memory:
        return break_off(server, from, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "no memory");
    case gw_inflate_bad:
    case gw_inflate_more:
    case gw_inflated: break;
    }
    return break_off(server, from, LWS_CLOSE_STATUS_INVALID_PAYLOAD, "not deflated");
}

/* Passes the content of a whole message on, as valid UTF-8. */
static int pass_content(
    gw_server *server, gw_connection *from, const uint8_t *bytes, size_t count) {
    if (!gw_is_utf8(bytes, count)) {
        return break_off(server, from, LWS_CLOSE_STATUS_INVALID_PAYLOAD, "not UTF-8");
    }
    size_t cost = count > from->message_count ? count : from->message_count;
    server->calls.received(server->calls.owner, from->number, bytes, count, cost);
    return 0;
}

/* Passes a whole message on, inflated. `*is_over` says whether it was before the instant. */
static int pass_on(gw_server *server, gw_connection *from, int64_t end, int *is_over) {
    *is_over = 1;
    if (!from->is_deflated) {
        return pass_content(server, from, from->message, from->message_count);
    }
    uint8_t *bytes = NULL;
    size_t count = 0;
    gw_inflate_result result;
    do {
        result = gw_inflate_piece(
            from->deflate, from->message, from->message_count, server->settings.message_max,
            &bytes, &count);
        *is_over = result != gw_inflate_more;
    } while (!*is_over && gw_now() < end);
    if (!*is_over) return 0;
    if (result != gw_inflated) return break_inflating(server, from, result);
    int closing = pass_content(server, from, bytes, count);
    free(bytes);
    return closing;
}

/* The same with its time counted, and the message forgotten at its end. */
static int pass(gw_server *server, gw_connection *from, int64_t end) {
    int64_t began = gw_now();
    int is_over;
    from->is_passing = 1;
    int closing = pass_on(server, from, end, &is_over);
    from->is_passing = 0;
    server->spent += gw_now() - began;
    if (is_over || from->close_code) {
        gw_forget_message(server, from);
    } else {
        tell_held(server, from);
    }
    return closing;
}

/* Reads what has come of a connection behind a message, until its time is over. */
static void read_more(gw_server *server, gw_connection *from, int64_t end) {
    struct lws_pollfd readable = {
        .fd = lws_get_socket_fd(from->wsi), .events = POLLIN, .revents = POLLIN};
    server->served = from;
    server->served_until = end;
    /* It may be gone afterwards. */
    (void)lws_service_fd(server->context, &readable);
    server->served = NULL;
}

/* Writes to a connection, or passes its messages on. It may be gone afterwards. */
static void serve_one(gw_server *server, gw_connection *at, int64_t end) {
    if (at->is_writable) {
        at->is_writable = 0;
        server->waiting--;
        server->light--;
        if (at->close_code || at->is_leaving) return;
        server->calls.writable(server->calls.owner, at->number);
        /* libwebsockets ends it from its own callback alone. */
        if (at->has_failed) lws_callback_on_writable(at->wsi);
        return;
    }
    (void)pass(server, at, end);
    if (at->is_waiting) return;
    gw_hold(at);
    if (!at->is_held && gw_now() < end) read_more(server, at, end);
}

static void serve(gw_server *server, gw_connection *at, int64_t end) {
    uint64_t number = at->number;
    int64_t began = worked();
    server->begun = start_of(server, at);
    serve_one(server, at, end);
    at = gw_find(server, number);
    if (!at) return;
    at->taken = server->begun + worked() - began;
    at->rush = server->rush;
    line_up(server, at);
}

/* The next one that waits: with a message that may take long, or with all else. */
static gw_connection *next_waiting(gw_server *server, int is_long) {
    gw_connection *found = NULL;
    for (int slot = 0; slot < server->settings.connections_max; slot++) {
        gw_connection *at = &server->connections[slot];
        int is_light = at->is_writable || (at->is_waiting && !at->is_long);
        if (is_long ? !at->is_waiting || !at->is_long : !is_light) continue;
        if (!found || at->due < found->due) found = at;
    }
    return found;
}

void gw_serve_waiting(gw_server *server) {
    int64_t now = gw_now(), end = now + turn_max;
    while (server->light && now < end) {
        gw_connection *at = next_waiting(server, 0);
        if (!at) break;
        serve(server, at, now + piece_max);
        now = gw_now();
    }
    /* Messages that may take long have what is left, and one piece of each turn at least. */
    for (int served = 0; server->waiting > server->light && (!served || now < end); served++) {
        gw_connection *at = next_waiting(server, 1);
        if (!at) break;
        serve(server, at, now + piece_max);
        now = gw_now();
    }
    if (server->waiting) gw_hurry(server);
}

/* Whether it is not a connection's turn yet. */
static int must_wait(const gw_server *server, const gw_connection *at) {
    if (server->served == at) return gw_now() >= server->served_until;
    return server->light || server->spent >= turn_max;
}

void gw_let_write(gw_server *server, gw_connection *to) {
    if (to->is_writable) return;
    if (must_wait(server, to)) {
        to->is_writable = 1;
        if (!to->is_waiting || to->is_long) line_up(server, to);
        server->waiting++;
        server->light++;
        return;
    }
    int64_t began = gw_now();
    server->calls.writable(server->calls.owner, to->number);
    server->spent += gw_now() - began;
}

/* Makes room for a message that grows. Returns other than 0 if there is none. */
static int grow(gw_server *server, gw_connection *from, size_t total) {
    if (total <= from->message_room) return 0;
    size_t room = total < 1024 ? 1024 : total * 2;
    if (room > server->settings.message_max) room = server->settings.message_max;
    uint8_t *larger = realloc(from->message, room);
    if (!larger) return -1;
    from->message = larger;
    from->message_room = room;
    tell_held(server, from);
    return 0;
}

int gw_receive(gw_server *server, gw_connection *from, const uint8_t *bytes, size_t count) {
    from->heard = server->instant;
    /* One at a time waits. */
    if (from->is_waiting) {
        (void)pass(server, from, INT64_MAX);
        gw_hold(from);
    }
    if (from->close_code) return 0;
    if (lws_frame_is_binary(from->wsi)) {
        return break_off(server, from, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "text only");
    }
    if (lws_is_first_fragment(from->wsi)) {
        from->message_count = 0;
        from->fragments = 0;
        from->is_deflated = from->deflate && (lws_get_reserved_bits(from->wsi) & 0x40);
    }
    size_t total = from->message_count + count;
    if (total > server->settings.message_max) {
        return break_off(server, from, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "message too large");
    }
    if (grow(server, from, total)) return -1;
    /* Room for all of them may have been found at this one's cost. */
    if (from->close_code) return 0;
    if (count) memcpy(from->message + from->message_count, bytes, count);
    from->message_count = total;
    if (lws_remaining_packet_payload(from->wsi)) return 0;
    if (!lws_is_final_fragment(from->wsi)) {
        if (++from->fragments <= server->settings.fragments_max) return 0;
        return break_off(
            server, from, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too many fragments");
    }
    from->is_long = total >= (size_t)(from->is_deflated ? long_deflated_min : long_min);
    if (from->is_long || must_wait(server, from)) {
        /* Many may come at once, and everybody would wait for all of them. */
        if (!from->is_writable) line_up(server, from);
        from->is_waiting = 1;
        server->waiting++;
        server->light += !from->is_long;
        gw_hold(from);
        return 0;
    }
    return pass(server, from, INT64_MAX);
}
