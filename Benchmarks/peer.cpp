// The daemon's peers in its benchmarks, as lean as libzmq allows: publisher, subscriber, forwarder.
//
//   peer publish EVENTS CREDIT SESSIONS COUNT WINDOW BYTES
//       COUNT messages, round robin over SESSIONS. BYTES 0: scroll events of their profiles;
//       else bodies of so many bytes on the topics of their states, for the forwarder.
//   peer subscribe UPDATES CREDIT SESSIONS COUNT
//       Receives COUNT states, gives the publisher credit for them, holds each topic to its seq.
//   peer forward
//       SUB to XPUB, both on free ports: what any broker must do at the least.
//   peer swing EVENTS SESSIONS PERIOD_MS
//       Flings the tip of each session once in a period, evenly spread, until it is ended.
//   peer watch UPDATES SESSIONS EVERY
//       Subscribes to the states of all sessions (EVERY 1), or of each EVERYth by its name, and
//       tells of what has arrived, and how late, ten times a second, until it is ended.
//
// Sessions are s00000, s00001 …. Each prints lines of JSON; the first says that it is ready.

#include <zmq.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace {

// As the daemon's default, and five times the window: nothing is dropped because of it.
constexpr int highWaterMark = 100'000;
// One step of the daemon's grid: a frame that arrives later than this after its time is late.
constexpr double lateMilliseconds = 1000.0 / 120;
constexpr int creditEvery = 500;
// From a fling's beginning to its end: the tip follows the finger beyond the threshold.
constexpr double dragSeconds = 0.1;

[[noreturn]] void fail(const char *what) {
    std::fprintf(stderr, "peer: %s: %s\n", what, zmq_strerror(zmq_errno()));
    std::exit(1);
}

int check(int result, const char *what) {
    if (result < 0) fail(what);
    return result;
}

double seconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double monotonic() { return seconds(CLOCK_MONOTONIC); }

void *open(void *context, int type) {
    void *socket = zmq_socket(context, type);
    if (!socket) fail("zmq_socket");
    const int limit = highWaterMark;
    check(zmq_setsockopt(socket, ZMQ_SNDHWM, &limit, sizeof limit), "SNDHWM");
    check(zmq_setsockopt(socket, ZMQ_RCVHWM, &limit, sizeof limit), "RCVHWM");
    return socket;
}

void connect(void *socket, const std::string &endpoint) {
    check(zmq_connect(socket, endpoint.c_str()), endpoint.c_str());
}

/// Binds to a free port and returns it as others connect to it.
std::string bind(void *socket) {
    check(zmq_bind(socket, "tcp://127.0.0.1:*"), "zmq_bind");
    char endpoint[256];
    size_t size = sizeof endpoint;
    check(zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, endpoint, &size), "LAST_ENDPOINT");
    return endpoint;
}

void subscribe(void *socket, std::string_view topic) {
    check(zmq_setsockopt(socket, ZMQ_SUBSCRIBE, topic.data(), topic.size()), "SUBSCRIBE");
}

/// A message's two frames, reused.
struct Update {
    zmq_msg_t topicFrame, bodyFrame;

    Update() {
        zmq_msg_init(&topicFrame);
        zmq_msg_init(&bodyFrame);
    }

    /// Whether one came before the socket's timeout (or at once, if it must not wait).
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

/// A text's leading number, as JSON writes one without sign or exponent; 0 if there is none.
double number(std::string_view text) {
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

/// The number after `"key":`, which stands near the beginning of a body; -1 if it does not.
double field(std::string_view body, std::string_view key) {
    const size_t place = body.substr(0, 96).find(key);
    if (place == std::string_view::npos) return -1;
    return number(body.substr(place + key.size()));
}

/// Counts states, and holds each session's to its sequence.
struct Ledger {
    std::vector<long> last;
    long states = 0, bytes = 0, missed = 0, strange = 0;

    explicit Ledger(size_t sessions) : last(sessions, 0) {}

    void add(Update &update) {
        constexpr size_t digitsAt = sizeof "state/s" - 1;
        states += 1;
        bytes += static_cast<long>(update.body().size());
        const size_t session = static_cast<size_t>(number(update.topic().substr(digitsAt)));
        const long seq = static_cast<long>(field(update.body(), "\"seq\":"));
        if (session >= last.size() || seq < 1) {
            strange += 1;
            return;
        }
        // The first that arrives may have any number: others came before the subscription.
        if (last[session] != 0) missed += seq - last[session] - 1;
        last[session] = seq;
    }
};

/// Subscribes and waits until it is in force, by the join rule.
void join(void *socket, const std::vector<std::string> &topics) {
    for (const std::string &topic : topics) subscribe(socket, topic);
    subscribe(socket, "sync/bench");
    Update update;
    do {
        if (!update.receive(socket)) fail("waiting for sync");
    } while (update.topic() != "sync/bench");
}

void ready(const std::string &fields = "") {
    std::printf("{\"ready\":true%s}\n", fields.c_str());
    std::fflush(stdout);
}

void put(char *digits, long number, int count) {
    for (int place = count - 1; place >= 0; --place, number /= 10) {
        digits[place] = static_cast<char>('0' + number % 10);
    }
}

/// An XPUB that holds what it cannot send, and has been subscribed to.
void *publisher(void *context, const std::string &endpoint) {
    void *socket = open(context, ZMQ_XPUB);
    const int holds = 1;
    check(zmq_setsockopt(socket, ZMQ_XPUB_NODROP, &holds, sizeof holds), "XPUB_NODROP");
    connect(socket, endpoint);
    char subscription[16];
    check(zmq_recv(socket, subscription, sizeof subscription, 0), "waiting for a subscription");
    return socket;
}

void send(void *socket, const std::string &topic, const std::string &body) {
    check(zmq_send(socket, topic.data(), topic.size(), ZMQ_SNDMORE), "zmq_send");
    check(zmq_send(socket, body.data(), body.size(), 0), "zmq_send");
}

int publish(char **arguments) {
    void *context = zmq_ctx_new();
    const long sessions = std::atol(arguments[2]), count = std::atol(arguments[3]);
    const long window = std::atol(arguments[4]);
    const size_t bytes = std::strtoul(arguments[5], nullptr, 10);
    void *credits = open(context, ZMQ_PULL);
    connect(credits, arguments[1]);
    void *socket = publisher(context, arguments[0]);

    const bool isRaw = bytes > 0;
    std::string topic = isRaw ? "state/s00000/profile" : "gesture/s00000/profile";
    std::string body =
        isRaw ? "{\"epoch\":\"bench.0\",\"seq\":1000000000,\"filler\":\""
              : "{\"gesture\":\"scroll\",\"phase\":\"changed\",\"offset\":100.0}";
    if (isRaw) body += std::string(bytes - body.size() - 2, '-') + "\"}";
    char *const session = topic.data() + topic.find("/s") + 2;
    char *const seq = body.data() + body.find("1000000000");
    char *const offset = body.data() + body.find("100.0");
    ready();

    long credited = 0;
    const double began = monotonic();
    for (long number = 0; number < count; ++number) {
        if (number % 64 == 0) {
            int credit = 0;
            // Beyond the window it waits; within it, it takes what has come.
            while (zmq_recv(credits, &credit, sizeof credit,
                            number - credited < window ? ZMQ_DONTWAIT : 0) > 0) {
                credited += credit;
            }
        }
        const long round = number / sessions;
        put(session, number % sessions, 5);
        if (isRaw) {
            put(seq + 1, round, 9);
        } else {
            put(offset, 100 + round / 10 % 500, 3);
            offset[4] = static_cast<char>('0' + round % 10);
        }
        send(socket, topic, body);
    }
    std::printf("{\"sent\":%ld,\"seconds\":%.6f,\"body\":%zu,\"cpu\":%.6f}\n", count,
                monotonic() - began, body.size(), seconds(CLOCK_PROCESS_CPUTIME_ID));
    std::fflush(stdout);
    // Ends with the last credit: without a peer, the subscriber could not send it.
    for (int credit = 0; credited + creditEvery <= count; credited += credit) {
        check(zmq_recv(credits, &credit, sizeof credit, 0), "waiting for credit");
    }
    zmq_close(socket);
    zmq_close(credits);
    zmq_ctx_term(context);
    return 0;
}

int receive(char **arguments) {
    void *context = zmq_ctx_new();
    const long count = std::atol(arguments[3]);
    Ledger ledger(std::strtoul(arguments[2], nullptr, 10));
    void *socket = open(context, ZMQ_SUB), *credits = open(context, ZMQ_PUSH);
    check(zmq_bind(credits, arguments[1]), arguments[1]);
    connect(socket, arguments[0]);
    join(socket, {"state/"});
    ready();

    Update update;
    double began = 0, ended = 0;
    while (ledger.states < count) {
        if (!update.receive(socket)) {
            if (ledger.states > 0) break;
            continue;
        }
        if (ledger.states == 0) {
            began = monotonic();
            // What is lost is not waited for for ever.
            const int patience = 5'000;
            zmq_setsockopt(socket, ZMQ_RCVTIMEO, &patience, sizeof patience);
        }
        if (update.topic() == "sync/bench") continue;
        ledger.add(update);
        if (ledger.states % creditEvery == 0) {
            check(zmq_send(credits, &creditEvery, sizeof creditEvery, 0), "credit");
        }
    }
    ended = monotonic();
    std::printf("{\"received\":%ld,\"seconds\":%.6f,\"bytes\":%ld,\"missed\":%ld,\"strange\":%ld,"
                "\"cpu\":%.6f}\n",
                ledger.states, ended - began, ledger.bytes, ledger.missed, ledger.strange,
                seconds(CLOCK_PROCESS_CPUTIME_ID));
    std::fflush(stdout);
    std::_Exit(0);
}

int forward() {
    void *context = zmq_ctx_new();
    void *events = open(context, ZMQ_SUB), *updates = open(context, ZMQ_XPUB);
    subscribe(events, "");
    const std::string from = bind(events), to = bind(updates);
    ready(",\"events\":\"" + from + "\",\"updates\":\"" + to + "\"");
    // The subscriber joins as it joins the daemon; after that nothing but forwarding is done.
    char subscription[256];
    std::string_view seen;
    do {
        const int size = check(zmq_recv(updates, subscription, sizeof subscription, 0), "zmq_recv");
        seen = {subscription, static_cast<size_t>(size)};
    } while (seen != "\1sync/bench");
    send(updates, "sync/bench", "{}");

    zmq_msg_t frame;
    zmq_msg_init(&frame);
    for (;;) {
        check(zmq_msg_recv(&frame, events, 0), "zmq_msg_recv");
        const int more = zmq_msg_more(&frame) ? ZMQ_SNDMORE : 0;
        check(zmq_msg_send(&frame, updates, more), "zmq_msg_send");
    }
}

int swing(char **arguments) {
    void *context = zmq_ctx_new();
    void *socket = publisher(context, arguments[0]);
    const long sessions = std::atol(arguments[1]);
    const double period = std::atof(arguments[2]) / 1000;
    std::string topic = "gesture/s00000/tips";
    char *const session = topic.data() + topic.find("/s") + 2;
    // Beyond the threshold on the right: before the first tip there is none, so it comes again.
    const std::string head = "{\"gesture\":\"pan\",\"phase\":", place = ",\"y\":284}";
    const std::string began = head + "\"began\",\"x\":160" + place;
    const std::string changed = head + "\"changed\",\"x\":300" + place;
    const std::string ended = head + "\"ended\",\"x\":300" + place;
    const double tipsPerSecond = static_cast<double>(sessions) / period;
    ready();
    const double start = monotonic();
    for (long dragged = 0, released = 0;;) {
        const double elapsed = monotonic() - start;
        for (; dragged < static_cast<long>(elapsed * tipsPerSecond); ++dragged) {
            put(session, dragged % sessions, 5);
            send(socket, topic, began);
            send(socket, topic, changed);
        }
        for (; released < static_cast<long>((elapsed - dragSeconds) * tipsPerSecond); ++released) {
            put(session, released % sessions, 5);
            send(socket, topic, ended);
        }
        const timespec pause{0, 1'000'000};
        nanosleep(&pause, nullptr);
    }
}

int watch(char **arguments) {
    void *context = zmq_ctx_new();
    const size_t sessions = std::strtoul(arguments[1], nullptr, 10);
    const size_t every = std::strtoul(arguments[2], nullptr, 10);
    Ledger ledger(sessions);
    void *socket = open(context, ZMQ_SUB);
    connect(socket, arguments[0]);
    std::vector<std::string> topics;
    char name[32];
    for (size_t session = 0; every > 1 && session < sessions; session += every) {
        std::snprintf(name, sizeof name, "state/s%05zu/", session);
        topics.emplace_back(name);
    }
    if (every <= 1) topics.emplace_back("state/");
    join(socket, topics);
    ready();

    const int patience = 50;
    zmq_setsockopt(socket, ZMQ_RCVTIMEO, &patience, sizeof patience);
    Update update;
    long late = 0, lateByFrame = 0;
    double latest = 0, next = monotonic();
    for (long number = 0;; ++number) {
        const bool hasCome = update.receive(socket);
        if (hasCome && update.topic().substr(0, 6) == "state/") {
            ledger.add(update);
            const double now = seconds(CLOCK_REALTIME) * 1000;
            const double behind = now - field(update.body(), "\"t\":");
            late += behind > lateMilliseconds;
            lateByFrame += behind > 2 * lateMilliseconds;
            if (behind > latest) latest = behind;
        }
        if (hasCome && number % 64 != 0) continue;
        const double now = monotonic();
        if (now < next) continue;
        next = now + 0.1;
        std::printf("{\"at\":%.6f,\"states\":%ld,\"late\":%ld,\"late_by_frame\":%ld,"
                    "\"latest_ms\":%.3f,\"missed\":%ld,\"strange\":%ld,\"bytes\":%ld}\n",
                    now, ledger.states, late, lateByFrame, latest, ledger.missed, ledger.strange,
                    ledger.bytes);
        std::fflush(stdout);
        latest = 0;
    }
}

}  // namespace

int main(int count, char **arguments) {
    const std::string_view mode = count > 1 ? arguments[1] : "";
    if (mode == "publish" && count == 8) return publish(arguments + 2);
    if (mode == "subscribe" && count == 6) return receive(arguments + 2);
    if (mode == "forward" && count == 2) return forward();
    if (mode == "swing" && count == 5) return swing(arguments + 2);
    if (mode == "watch" && count == 5) return watch(arguments + 2);
    std::fprintf(stderr, "peer: the modes and their arguments stand at the head of peer.cpp\n");
    return 2;
}
