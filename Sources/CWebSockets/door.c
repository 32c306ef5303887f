#define _GNU_SOURCE
#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* The door: it accepts connections and reads the heads of their requests, which libwebsockets would
 * decode before anybody can look at them. A connection that becomes a WebSocket goes on to it. */

/* Bytes of a request's head. */
enum { head_max = 8192 };
/* Connections that one turn accepts, and those that it serves, so that WebSockets come between. */
enum { accepted_max = 32, served_max = 32 };
/* Bytes of answers after which a turn ends: the owner reads files for them. */
enum { answered_max = 1024 * 1024 };
/* Microseconds after which a turn ends: a head of 8 KiB can take its owner long. */
static const int64_t turn_max = 4000;
/* Connections that may wait in the kernel. */
enum { backlog = 512 };
/* Reads in one turn of a connection whose bytes are dropped. */
enum { drained_max = 8 };
/* Seconds for a peer to end a connection whose last answer is out. */
enum { linger_seconds = 2 };
/* Places of the table that counts connections by network: a power of two. */
enum { networks_room = 2048 };

int64_t gw_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

void gw_wait_until(gw_connection *waiting, int64_t microseconds) {
    waiting->deadline = gw_now() + microseconds;
}

static void listen_for(gw_server *server, gw_connection *to, uint32_t events) {
    struct epoll_event wanted = {.events = events, .data.u64 = to->number};
    (void)epoll_ctl(server->door, EPOLL_CTL_MOD, to->descriptor, &wanted);
}

void gw_turn(gw_server *server, gw_connection *to, gw_state state) {
    to->state = state;
    to->since = ++server->waits;
    listen_for(
        server, to,
        state == gw_writing ? EPOLLOUT : state == gw_asking ? 0 : (uint32_t)EPOLLIN);
}

void gw_hang_up(gw_server *server, gw_connection *gone) {
    if (gone->descriptor >= 0) close(gone->descriptor);
    gone->descriptor = -1;
    gw_free_slot(server, gone);
}

static void cut(gw_server *server, gw_connection *gone, gw_cut why) {
    gw_hang_up(server, gone);
    server->calls.cut(server->calls.owner, why);
}

/* The network of a peer: its address, or the first half of one of IPv6. */
static uint64_t network(const struct sockaddr_storage *address) {
    if (address->ss_family == AF_INET) {
        return 0xFFFFull << 32 | ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr);
    }
    const uint8_t *bytes = ((const struct sockaddr_in6 *)address)->sin6_addr.s6_addr;
    uint64_t found = 0;
    int is_mapped = IN6_IS_ADDR_V4MAPPED(&((const struct sockaddr_in6 *)address)->sin6_addr);
    for (int place = 0; place < 8; place++) {
        found = found << 8 | bytes[is_mapped ? place + 8 : place];
    }
    return found;
}

static int may_be_cut(const gw_connection *one, gw_cut why) {
    if (why == gw_cut_slow) return one->state == gw_writing;
    return one->state == gw_reading || one->state == gw_lingering;
}

/* The oldest one that may be cut, of the network that has most of them; NULL: there is none. */
static gw_connection *oldest(gw_server *server, gw_cut why, const gw_connection *but) {
    static struct { uint64_t network; int count; gw_connection *oldest; } table[networks_room];
    memset(table, 0, sizeof table);
    int most = 0;
    gw_connection *found = NULL;
    for (int slot = 0; slot < server->settings.connections_max; slot++) {
        gw_connection *one = &server->connections[slot];
        if (one == but || !may_be_cut(one, why)) continue;
        size_t place = (one->network * 0x9E3779B97F4A7C15ull >> 32) % networks_room;
        while (table[place].count && table[place].network != one->network) {
            place = (place + 1) % networks_room;
        }
        table[place].network = one->network;
        if (!table[place].count++ || one->since < table[place].oldest->since) {
            table[place].oldest = one;
        }
    }
    for (size_t place = 0; place < networks_room; place++) {
        int count = table[place].count;
        if (!count || count < most) continue;
        if (count == most && found && found->since < table[place].oldest->since) continue;
        most = count;
        found = table[place].oldest;
    }
    return found;
}

int gw_make_room(gw_server *server, gw_cut why, const gw_connection *but) {
    gw_connection *found = oldest(server, why, but);
    if (!found) return 0;
    cut(server, found, why);
    return 1;
}

/* Takes one connection in. Returns whether there may be another. */
static int accept_one(gw_server *server) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    int descriptor = accept4(
        server->listener, (struct sockaddr *)&address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) {
        int is_full = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
        /* The kernel tells of it again at the next turn. */
        if (is_full) (void)gw_make_room(server, gw_cut_room, NULL);
        return errno == EINTR || errno == ECONNABORTED;
    }
    if (server->count >= server->settings.connections_max
        && !gw_make_room(server, gw_cut_room, NULL)
        && !gw_make_room(server, gw_cut_slow, NULL)) {
        close(descriptor);
        server->calls.refused(server->calls.owner);
        return 1;
    }
    int one = 1;
    (void)setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    gw_connection *made = gw_take_slot(server);
    made->descriptor = descriptor;
    made->network = network(&address);
    made->state = gw_reading;
    made->since = ++server->waits;
    gw_wait_until(made, (int64_t)server->settings.http_seconds * 1000000);
    struct epoll_event wanted = {.events = EPOLLIN, .data.u64 = made->number};
    if (epoll_ctl(server->door, EPOLL_CTL_ADD, descriptor, &wanted)) gw_hang_up(server, made);
    return 1;
}

/* Bytes up to the end of a head; 0: it is not there yet. */
static size_t head_end(const gw_connection *of) {
    if (of->head_count < 4) return 0;
    const uint8_t *end = memmem(of->head, of->head_count, "\r\n\r\n", 4);
    return end ? (size_t)(end - of->head) + 4 : 0;
}

/* Whether no head begins so: it need not be waited for. */
static int is_hopeless(const gw_connection *of) {
    if (of->head_count == head_max) return 1;
    if (of->head_count && (of->head[0] < 'A' || of->head[0] > 'Z')) return 1;
    for (size_t place = 0; place < of->head_count; place++) {
        uint8_t byte = of->head[place];
        if (byte < ' ' && byte != '\r' && byte != '\n' && byte != '\t') return 1;
    }
    return 0;
}

/* Gives a connection to libwebsockets, with the head that the owner wrote for it and what the peer
 * has sent behind its own. */
static void open_socket(gw_server *server, gw_connection *opening) {
    size_t count = opening->answer_count + opening->head_count;
    uint8_t *bytes = malloc(count ? count : 1);
    int descriptor = opening->descriptor;
    if (!bytes) return gw_hang_up(server, opening);
    memcpy(bytes, opening->answer, opening->answer_count);
    if (opening->head_count) {
        memcpy(bytes + opening->answer_count, opening->head, opening->head_count);
    }
    (void)epoll_ctl(server->door, EPOLL_CTL_DEL, descriptor, NULL);
    gw_drop_answer(server, opening);
    free(opening->head);
    opening->head = NULL;
    opening->head_count = 0;
    opening->descriptor = -1;
    opening->state = gw_socket;
    uint64_t number = opening->number;
    server->adopting = opening;
    (void)lws_adopt_socket_vhost_readbuf(server->vhost, descriptor, (const char *)bytes, count);
    server->adopting = NULL;
    free(bytes);
    /* It has closed the descriptor where it made no connection of it. */
    gw_connection *left = gw_find(server, number);
    if (left && !left->wsi) gw_free_slot(server, left);
}

/* Hands on a head that is there, or one that cannot come any more. */
static void look(gw_server *server, gw_connection *at) {
    size_t end = head_end(at);
    if (!end && !is_hopeless(at)) return;
    size_t count = end ? end : at->head_count;
    uint64_t number = at->number;
    gw_turn(server, at, gw_asking);
    gw_wait_until(at, (int64_t)server->settings.answer_seconds * 1000000);
    server->calls.requested(server->calls.owner, number, at->head, count);
    if (!(at = gw_find(server, number))) return;
    at->head_count -= count;
    memmove(at->head, at->head + count, at->head_count);
    if (at->state == gw_opening) open_socket(server, at);
}

static void read_head(gw_server *server, gw_connection *from) {
    if (!from->head && !(from->head = malloc(head_max))) return gw_hang_up(server, from);
    ssize_t count = recv(
        from->descriptor, from->head + from->head_count, head_max - from->head_count, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) return gw_hang_up(server, from);
    from->head_count += (size_t)count;
    look(server, from);
}

void gw_go_on(gw_server *server, gw_connection *from) {
    if (from->is_last) {
        (void)shutdown(from->descriptor, SHUT_WR);
        gw_turn(server, from, gw_lingering);
        gw_wait_until(from, linger_seconds * 1000000);
        return;
    }
    gw_turn(server, from, gw_reading);
    gw_wait_until(from, (int64_t)server->settings.http_seconds * 1000000);
    if (!from->head_count) {
        free(from->head);
        from->head = NULL;
        return;
    }
    /* The next request has come with the former one. */
    look(server, from);
}

static void drain(gw_server *server, gw_connection *from) {
    uint8_t bytes[4096];
    for (int turn = 0; turn < drained_max; turn++) {
        ssize_t count = recv(from->descriptor, bytes, sizeof bytes, 0);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (count <= 0) return gw_hang_up(server, from);
    }
}

static void serve_one(gw_server *server, gw_connection *at) {
    switch (at->state) {
    case gw_reading: read_head(server, at); break;
    case gw_writing: gw_write_answer(server, at); break;
    case gw_lingering: drain(server, at); break;
    /* Nothing is asked for, so the peer has gone. */
    case gw_asking: gw_hang_up(server, at); break;
    case gw_opening:
    case gw_socket:
    case gw_free: break;
    }
}

void gw_serve_door(gw_server *server) {
    int64_t end = gw_now() + turn_max;
    server->answered = 0;
    for (int served = 0; served < served_max; served++) {
        if (served && (server->answered >= answered_max || gw_now() >= end)) return;
        /* One at a time: the kernel tells of those first again that it has not told of, and of the
         * others behind all. */
        struct epoll_event event;
        if (epoll_wait(server->door, &event, 1, 0) < 1) return;
        gw_connection *at = event.data.u64 ? gw_find(server, event.data.u64) : NULL;
        if (at) {
            serve_one(server, at);
        } else if (!event.data.u64) {
            for (int turn = 0; turn < accepted_max && accept_one(server); turn++) continue;
        }
    }
}

void gw_expire(gw_server *server) {
    int64_t now = gw_now();
    for (int slot = 0; slot < server->settings.connections_max; slot++) {
        gw_connection *at = &server->connections[slot];
        if (at->state == gw_free || at->state == gw_socket || at->deadline > now) continue;
        if (at->state == gw_lingering) {
            gw_hang_up(server, at);
        } else {
            cut(server, at, at->state == gw_reading ? gw_cut_late : gw_cut_slow);
        }
    }
}

/* Opens the listening socket. Returns 0, or −1 with `errno`. */
int gw_open_door(gw_server *server, const char *address, int port) {
    struct sockaddr_in6 of6 = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    struct sockaddr_in of4 = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int is_6 = !address || strchr(address, ':');
    if (address && inet_pton(
                       is_6 ? AF_INET6 : AF_INET, address,
                       is_6 ? (void *)&of6.sin6_addr : (void *)&of4.sin_addr) != 1) {
        errno = EINVAL;
        return -1;
    }
    int kind = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, one = 1, none = 0;
    server->listener = socket(is_6 ? AF_INET6 : AF_INET, kind, 0);
    if (server->listener < 0 && !address) {
        /* A machine without IPv6. */
        is_6 = 0;
        server->listener = socket(AF_INET, kind, 0);
    }
    if (server->listener < 0) return -1;
    (void)setsockopt(server->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (is_6) {
        (void)setsockopt(
            server->listener, IPPROTO_IPV6, IPV6_V6ONLY, address ? &one : &none, sizeof one);
    }
    const struct sockaddr *place = is_6 ? (void *)&of6 : (void *)&of4;
    if (bind(server->listener, place, is_6 ? sizeof of6 : sizeof of4)
        || listen(server->listener, backlog)) {
        return -1;
    }
    server->door = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event wanted = {.events = EPOLLIN};
    return server->door < 0 ? -1
                            : epoll_ctl(server->door, EPOLL_CTL_ADD, server->listener, &wanted);
}

int gw_port(const gw_server *server) {
    struct sockaddr_in6 place = {0};
    socklen_t size = sizeof place;
    if (getsockname(server->listener, (struct sockaddr *)&place, &size)) return 0;
    /* Both families have it at the same place. */
    return ntohs(place.sin6_port);
}
