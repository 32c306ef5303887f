#include "server.h"

#include <stdlib.h>
#include <string.h>

const size_t gw_kept_max = 65536;
/* Bytes from which on a message may take long; deflated, they may stand for a thousand times as
 * many. */
enum { long_min = 16384, long_deflated_min = 128 };
/* Microseconds for messages that may take long, before all others have their turn. */
static const int64_t piece_max = 4000;

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

/* Passes a whole message on, inflated and as valid UTF-8. */
static int pass_on(gw_server *server, gw_connection *from) {
    uint8_t *bytes = from->message, *inflated = NULL;
    size_t count = from->message_count;
    if (from->is_deflated) {
        gw_inflate_result result = gw_inflate(
            from->deflate, from->message, from->message_count, server->settings.message_max,
            &inflated, &count);
        if (result == gw_inflate_large) {
            return break_off(
                server, from, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "message too large");
        }
        if (result == gw_inflate_memory) {
            return break_off(server, from, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "no memory");
        }
        if (result == gw_inflate_bad) {
            return break_off(server, from, LWS_CLOSE_STATUS_INVALID_PAYLOAD, "not deflated");
        }
        bytes = inflated;
    }
    int is_bad = !gw_is_utf8(bytes, count);
    if (!is_bad) server->calls.received(server->calls.owner, from->number, bytes, count);
    free(inflated);
    return is_bad ? break_off(server, from, LWS_CLOSE_STATUS_INVALID_PAYLOAD, "not UTF-8") : 0;
}

static void forget_message(gw_connection *of) {
    of->message_count = 0;
    of->fragments = 0;
    if (of->message_room <= gw_kept_max) return;
    free(of->message);
    of->message = NULL;
    of->message_room = 0;
}

static void pass_waiting(gw_server *server, gw_connection *from) {
    if (!from->close_code) (void)pass_on(server, from);
    from->is_waiting = 0;
    server->waiting--;
    forget_message(from);
    gw_hold(from);
}

void gw_pass_waiting(gw_server *server) {
    int64_t end = gw_now() + piece_max;
    for (int left = server->settings.connections_max; server->waiting && left > 0; left--) {
        gw_connection *at = &server->connections[server->next];
        server->next = (server->next + 1) % server->settings.connections_max;
        if (!at->is_waiting) continue;
        pass_waiting(server, at);
        if (gw_now() >= end) break;
    }
    if (server->waiting) gw_hurry(server);
}

int gw_receive(gw_server *server, gw_connection *from, const uint8_t *bytes, size_t count) {
    if (from->is_waiting) pass_waiting(server, from);
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
    if (total > from->message_room) {
        size_t room = total < 1024 ? 1024 : total * 2;
        if (room > server->settings.message_max) room = server->settings.message_max;
        uint8_t *larger = realloc(from->message, room);
        if (!larger) return -1;
        from->message = larger;
        from->message_room = room;
    }
    if (count) memcpy(from->message + from->message_count, bytes, count);
    from->message_count = total;
    if (lws_remaining_packet_payload(from->wsi)) return 0;
    if (!lws_is_final_fragment(from->wsi)) {
        if (++from->fragments <= server->settings.fragments_max) return 0;
        return break_off(
            server, from, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too many fragments");
    }
    if (total >= (size_t)(from->is_deflated ? long_deflated_min : long_min)) {
        /* Many may come at once, and everybody would wait for all of them. */
        from->is_waiting = 1;
        server->waiting++;
        gw_hold(from);
        return 0;
    }
    int result = pass_on(server, from);
    forget_message(from);
    return result;
}
