// Shared by the modes of `peer`: sockets, messages, and the ledger of arrivals.
#pragma once

#include <zmq.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace peer {

// The daemon's default, and five times the window, so no message is dropped.
constexpr int highWaterMark = 100'000;
// One step of the daemon's grid. A frame is late if it arrives this long after its time.
constexpr double lateMilliseconds = 1000.0 / 120;
// The longest wait for a message: a busy host may stand still for seconds.
constexpr int patienceMilliseconds = 30'000;

[[noreturn]] inline void fail(const char *what) {
    std::fprintf(stderr, "peer: %s: %s\n", what, zmq_strerror(zmq_errno()));
    std::exit(1);
}

inline int check(int result, const char *what) {
    if (result < 0) fail(what);
    return result;
}

inline double seconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

inline double monotonic() { return seconds(CLOCK_MONOTONIC); }

inline void *open(void *context, int type) {
    void *socket = zmq_socket(context, type);
    if (!socket) fail("zmq_socket");
    const int limit = highWaterMark;
    check(zmq_setsockopt(socket, ZMQ_SNDHWM, &limit, sizeof limit), "SNDHWM");
    check(zmq_setsockopt(socket, ZMQ_RCVHWM, &limit, sizeof limit), "RCVHWM");
    return socket;
}

/// The keys of a run with CURVE: its server's and its clients'.
struct Keys {
    std::string serverPublic, serverSecret, clientPublic, clientSecret;
};

/// PEER_KEYS has the four, with spaces between; without it, nothing is encrypted.
inline const Keys *keys() {
    static const char *const text = std::getenv("PEER_KEYS");
    static const Keys four = [] {
        std::istringstream words(text ? text : "");
        Keys keys;
        words >> keys.serverPublic >> keys.serverSecret >> keys.clientPublic >> keys.clientSecret;
        return keys;
    }();
    return text ? &four : nullptr;
}

inline void set(void *socket, int option, const std::string &key) {
    check(zmq_setsockopt(socket, option, key.c_str(), key.size() + 1), "a key of PEER_KEYS");
}

/// Connects, with CURVE over tcp where there are keys.
inline void connect(void *socket, const std::string &endpoint) {
    if (keys() && endpoint.rfind("tcp://", 0) == 0) {
        set(socket, ZMQ_CURVE_SERVERKEY, keys()->serverPublic);
        set(socket, ZMQ_CURVE_PUBLICKEY, keys()->clientPublic);
        set(socket, ZMQ_CURVE_SECRETKEY, keys()->clientSecret);
    }
    check(zmq_connect(socket, endpoint.c_str()), endpoint.c_str());
}

/// Binds to a free port and returns the endpoint.
inline std::string bind(void *socket) {
    if (keys()) {
        const int yes = 1;
        check(zmq_setsockopt(socket, ZMQ_CURVE_SERVER, &yes, sizeof yes), "CURVE_SERVER");
        set(socket, ZMQ_CURVE_SECRETKEY, keys()->serverSecret);
    }
    check(zmq_bind(socket, "tcp://127.0.0.1:*"), "zmq_bind");
    char endpoint[256];
    size_t size = sizeof endpoint;
    check(zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, endpoint, &size), "LAST_ENDPOINT");
    return endpoint;
}

inline void subscribe(void *socket, std::string_view topic) {
    check(zmq_setsockopt(socket, ZMQ_SUBSCRIBE, topic.data(), topic.size()), "SUBSCRIBE");
}

/// A message's two frames, reused.
struct Update {
    zmq_msg_t topicFrame, bodyFrame;

    Update() {
        zmq_msg_init(&topicFrame);
        zmq_msg_init(&bodyFrame);
    }

    /// Returns whether a message came before the socket's timeout.
    bool receive(void *socket, int flags = 0) {
        if (zmq_msg_recv(&topicFrame, socket, flags) < 0) {
            if (zmq_errno() == EAGAIN || zmq_errno() == EINTR) return false;
            fail("zmq_msg_recv");
        }
        check(zmq_msg_recv(&bodyFrame, socket, 0), "zmq_msg_recv");
        return true;
    }

    std::string_view topic() { return view(topicFrame); }
    std::string_view body() { return view(bodyFrame); }

private:
    static std::string_view view(zmq_msg_t &frame) {
        return {static_cast<char *>(zmq_msg_data(&frame)), zmq_msg_size(&frame)};
    }
};

/// A text's leading JSON number without sign or exponent; 0 if it has none.
inline double number(std::string_view text) {
    double value = 0, unit = 0;
    for (const char character : text) {
        if (character == '.') {
            unit = 1;
        } else if (character < '0' || character > '9') {
            break;
        } else {
            value = value * 10 + (character - '0');
            unit /= 10;
        }
    }
    return unit > 0 ? value * unit : value;
}

/// The number after `"key":` near the beginning of a body, or -1.
inline double field(std::string_view body, std::string_view key) {
    const size_t place = body.substr(0, 96).find(key);
    if (place == std::string_view::npos) return -1;
    return number(body.substr(place + key.size()));
}

/// Counts states and checks each session's sequence.
struct Ledger {
    std::vector<long> last;
    long states = 0, bytes = 0, missed = 0, strange = 0;

    explicit Ledger(size_t sessions) : last(sessions, 0) {}

    void add(Update &update) {
        // "state/s" and "frame/s" are as long.
        constexpr size_t digitsAt = sizeof "state/s" - 1;
        states += 1;
        bytes += static_cast<long>(update.body().size());
        const size_t session = static_cast<size_t>(number(update.topic().substr(digitsAt)));
        const long seq = static_cast<long>(field(update.body(), "\"seq\":"));
        if (session >= last.size() || seq < 1) {
            strange += 1;
            return;
        }
        // The first arrival may have any number: others came before the subscription.
        if (last[session] != 0) missed += seq - last[session] - 1;
        last[session] = seq;
    }
};

/// Subscribes, and waits by the join rule until the subscription is in force.
inline void join(void *socket, const std::vector<std::string> &topics) {
    for (const std::string &topic : topics) subscribe(socket, topic);
    subscribe(socket, "sync/bench");
    Update update;
    do {
        if (!update.receive(socket)) fail("waiting for sync");
    } while (update.topic() != "sync/bench");
}

inline void ready(const std::string &fields = "") {
    std::printf("{\"ready\":true%s}\n", fields.c_str());
    std::fflush(stdout);
}

inline void put(char *digits, long number, int count) {
    for (int place = count - 1; place >= 0; --place, number /= 10) {
        digits[place] = static_cast<char>('0' + number % 10);
    }
}

/// An XPUB that blocks instead of dropping, with a subscriber.
inline void *publisher(void *context, const std::string &endpoint) {
    void *socket = open(context, ZMQ_XPUB);
    const int holds = 1;
    check(zmq_setsockopt(socket, ZMQ_XPUB_NODROP, &holds, sizeof holds), "XPUB_NODROP");
    connect(socket, endpoint);
    char subscription[16];
    check(zmq_recv(socket, subscription, sizeof subscription, 0), "waiting for a subscription");
    return socket;
}

inline void send(void *socket, const std::string &topic, const std::string &body) {
    check(zmq_send(socket, topic.data(), topic.size(), ZMQ_SNDMORE), "zmq_send");
    check(zmq_send(socket, body.data(), body.size(), 0), "zmq_send");
}

/// The messages of a run: scrolls of profiles for the daemon, bodies of one size on the topics of
/// their states for the forwarder. Sessions take turns, so that none has two in flight.
struct Load {
    const long sessions;
    const bool isRaw;
    std::string topic, body;
    char *session, *seq, *offset;

    Load(long sessions, size_t bytes)
        : sessions(sessions), isRaw(bytes > 0),
          topic(isRaw ? "state/s00000/profile" : "gesture/s00000/profile"),
          body(isRaw ? "{\"epoch\":\"bench.0\",\"seq\":1000000000,\"filler\":\""
                     : "{\"gesture\":\"scroll\",\"phase\":\"changed\",\"offset\":100.0}") {
        if (isRaw) body += std::string(bytes - body.size() - 2, '-') + "\"}";
        session = topic.data() + topic.find("/s") + 2;
        seq = body.data() + body.find("1000000000");
        offset = body.data() + body.find("100.0");
    }

    /// Its pointers point into its own texts.
    Load(const Load &) = delete;

    void send(void *socket, long number) {
        const long round = number / sessions;
        put(session, number % sessions, 5);
        if (isRaw) {
            put(seq + 1, round, 9);
        } else {
            put(offset, 100 + round / 10 % 500, 3);
            offset[4] = static_cast<char>('0' + round % 10);
        }
        peer::send(socket, topic, body);
    }
};

}  // namespace peer
