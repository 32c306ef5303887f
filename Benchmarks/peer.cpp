// The daemon's peers in its benchmarks, as lean as libzmq allows: publisher, subscriber, forwarder.
//
//   peer publish EVENTS CREDIT SESSIONS COUNT WINDOW BYTES EVERY
//       COUNT messages, round robin over SESSIONS; at most WINDOW ahead of the credits. A credit
//       comes for EVERY states. BYTES 0: scroll events of the sessions' profiles;
//       else bodies of this size on the topics of their states, for the forwarder.
//   peer subscribe UPDATES CREDIT SESSIONS COUNT SUBSCRIBERS EVERY
//       Receives COUNT states on each of SUBSCRIBERS sockets, gives the publisher credit for each
//       EVERY states that all have received, and checks each topic's seq.
//   peer forward SUBSCRIBERS
//       SUB to XPUB, both on free ports: the least work of any broker.
//   peer latency EVENTS UPDATES SESSIONS COUNT PER_SECOND BYTES
//       Publishes and subscribes in one process at an even rate, and measures from each event's
//       sending and from its due time to the arrival of its state.
//   peer swing EVENTS SESSIONS PERIOD_MS HANDS
//       Plays the hands on each session once in a period, evenly spread, until it is killed. HANDS
//       is a file of lines "MS TOPIC BODY" in the order of time; it is written for s00000.
//   peer watch UPDATES SESSIONS EVERY CHANNEL
//       Subscribes to "state" or "frame" of all sessions (EVERY 1) or of each EVERYth. Prints the
//       arrivals and their lateness ten times a second, until it is killed. It counts the components of
//       one in 64.
//
// With PEER_KEYS in the environment, all of them speak CURVE over tcp (peer.hpp).
// Sessions are s00000, s00001 …. Each mode prints lines of JSON; the first means ready.

#include "peer.hpp"

#include <fstream>
#include <utility>

using namespace peer;

/// In latency.cpp.
int latency(char **arguments);

namespace {

int publish(char **arguments) {
    void *context = zmq_ctx_new();
    const long sessions = std::atol(arguments[2]), count = std::atol(arguments[3]);
    const long window = std::atol(arguments[4]), every = std::atol(arguments[6]);
    const size_t bytes = std::strtoul(arguments[5], nullptr, 10);
    void *credits = open(context, ZMQ_PULL);
    connect(credits, arguments[1]);
    void *socket = publisher(context, arguments[0]);

    Load load(sessions, bytes);
    ready();

    long credited = 0;
    const double began = monotonic();
    for (long number = 0; number < count; ++number) {
        if (number % every == 0) {
            int credit = 0;
            // Waits for a credit beyond the window. Within it, takes waiting credits.
            while (zmq_recv(credits, &credit, sizeof credit,
                            number - credited < window ? ZMQ_DONTWAIT : 0) > 0) {
                credited += credit;
            }
        }
        load.send(socket, number);
    }
    std::printf("{\"sent\":%ld,\"seconds\":%.6f,\"body\":%zu,\"cpu\":%.6f}\n", count,
                monotonic() - began, load.body.size(), seconds(CLOCK_PROCESS_CPUTIME_ID));
    std::fflush(stdout);
    // Ends after the last credit: the subscriber needs a peer to send it to.
    for (int credit = 0; credited + every <= count; credited += credit) {
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
    const size_t subscribers = std::strtoul(arguments[4], nullptr, 10);
    const int every = std::atoi(arguments[5]);
    void *credits = open(context, ZMQ_PUSH);
    check(zmq_bind(credits, arguments[1]), arguments[1]);
    std::vector<Ledger> ledgers(subscribers, Ledger(std::strtoul(arguments[2], nullptr, 10)));
    std::vector<zmq_pollitem_t> items(subscribers);
    for (zmq_pollitem_t &item : items) {
        item = {open(context, ZMQ_SUB), 0, ZMQ_POLLIN, 0};
        connect(item.socket, arguments[0]);
        join(item.socket, {"state/"});
    }
    ready();

    Update update;
    const long all = count * static_cast<long>(subscribers);
    double began = 0;
    // A lost message must not block it for ever.
    for (long states = 0, credited = 0; states < all;) {
        if (check(zmq_poll(items.data(), static_cast<int>(subscribers), patienceMilliseconds),
                  "poll") == 0) {
            if (states > 0) break;
            continue;
        }
        if (states == 0) began = monotonic();
        for (size_t place = 0; place < subscribers; ++place) {
            if (!(items[place].revents & ZMQ_POLLIN)) continue;
            for (int budget = 0; budget < 500; ++budget) {
                if (!update.receive(items[place].socket, ZMQ_DONTWAIT)) break;
                if (update.topic() == "sync/bench") continue;
                ledgers[place].add(update);
                states += 1;
            }
        }
        // Credits only events that all have: the slowest may be behind by the window.
        const long done = states / static_cast<long>(subscribers);
        for (; credited + every <= done; credited += every) {
            check(zmq_send(credits, &every, sizeof every, 0), "credit");
        }
    }
    const double ended = monotonic();
    Ledger sum(0);
    for (const Ledger &ledger : ledgers) {
        sum.states += ledger.states;
        sum.bytes += ledger.bytes;
        sum.missed += ledger.missed;
        sum.strange += ledger.strange;
    }
    std::printf("{\"received\":%ld,\"seconds\":%.6f,\"bytes\":%ld,\"missed\":%ld,\"strange\":%ld,"
                "\"cpu\":%.6f}\n",
                sum.states, ended - began, sum.bytes, sum.missed, sum.strange,
                seconds(CLOCK_PROCESS_CPUTIME_ID));
    std::fflush(stdout);
    std::_Exit(0);
}

int forward(char **arguments) {
    void *context = zmq_ctx_new();
    void *events = open(context, ZMQ_SUB), *updates = open(context, ZMQ_XPUB);
    const int all = 1;
    check(zmq_setsockopt(updates, ZMQ_XPUB_VERBOSE, &all, sizeof all), "XPUB_VERBOSE");
    subscribe(events, "");
    const std::string from = bind(events), to = bind(updates);
    ready(",\"events\":\"" + from + "\",\"updates\":\"" + to + "\"");
    // Subscribers join as at the daemon. From then on it only forwards.
    char subscription[256];
    for (int left = std::atoi(arguments[0]); left > 0;) {
        const int size = check(zmq_recv(updates, subscription, sizeof subscription, 0), "zmq_recv");
        if (std::string_view{subscription, static_cast<size_t>(size)} != "\1sync/bench") continue;
        send(updates, "sync/bench", "{}");
        left -= 1;
    }

    zmq_msg_t frame;
    zmq_msg_init(&frame);
    for (;;) {
        check(zmq_msg_recv(&frame, events, 0), "zmq_msg_recv");
        const int more = zmq_msg_more(&frame) ? ZMQ_SNDMORE : 0;
        check(zmq_msg_send(&frame, updates, more), "zmq_msg_send");
    }
}

/// One hand's deed at one time of a period: its messages go out together.
struct Hand {
    double seconds;
    std::vector<std::pair<std::string, std::string>> messages;
    /// How many sessions it has reached, over all periods.
    long done = 0;
};

std::vector<Hand> hands(const char *path) {
    std::ifstream file(path);
    std::vector<Hand> hands;
    double milliseconds = 0;
    std::string topic, body;
    while (file >> milliseconds >> topic && std::getline(file >> std::ws, body)) {
        const double seconds = milliseconds / 1000;
        if (hands.empty() || hands.back().seconds < seconds) hands.push_back({seconds, {}});
        hands.back().messages.emplace_back(topic, body);
    }
    if (hands.empty()) {
        std::fprintf(stderr, "peer: no hands in %s\n", path);
        std::exit(1);
    }
    return hands;
}

int swing(char **arguments) {
    void *context = zmq_ctx_new();
    void *socket = publisher(context, arguments[0]);
    const long sessions = std::atol(arguments[1]);
    const double period = std::atof(arguments[2]) / 1000;
    std::vector<Hand> all = hands(arguments[3]);
    const double perSecond = static_cast<double>(sessions) / period;
    ready();
    const double start = monotonic();
    for (;;) {
        const double elapsed = monotonic() - start;
        for (Hand &hand : all) {
            const long due = static_cast<long>((elapsed - hand.seconds) * perSecond);
            for (; hand.done < due; ++hand.done) {
                for (auto &[topic, body] : hand.messages) {
                    put(topic.data() + topic.find("/s") + 2, hand.done % sessions, 5);
                    send(socket, topic, body);
                }
            }
        }
        const timespec pause{0, 1'000'000};
        nanosleep(&pause, nullptr);
    }
}

/// How many components a body tells of.
long components(std::string_view body) {
    constexpr std::string_view key = "{\"component\":";
    long count = 0;
    for (size_t place = body.find(key); place != std::string_view::npos;
         place = body.find(key, place + key.size())) {
        count += 1;
    }
    return count;
}

int watch(char **arguments) {
    void *context = zmq_ctx_new();
    const size_t sessions = std::strtoul(arguments[1], nullptr, 10);
    const size_t every = std::strtoul(arguments[2], nullptr, 10);
    const std::string channel = arguments[3] + std::string("/");
    Ledger ledger(sessions);
    void *socket = open(context, ZMQ_SUB);
    connect(socket, arguments[0]);
    std::vector<std::string> topics;
    char name[32];
    for (size_t session = 0; every > 1 && session < sessions; session += every) {
        std::snprintf(name, sizeof name, "s%05zu", session);
        // The topic of a state goes on with its component.
        topics.emplace_back(channel + name + (channel == "state/" ? "/" : ""));
    }
    if (every <= 1) topics.emplace_back(channel);
    join(socket, topics);
    ready();

    const int patience = 50;
    zmq_setsockopt(socket, ZMQ_RCVTIMEO, &patience, sizeof patience);
    Update update;
    long late = 0, lateByFrame = 0, counted = 0, parts = 0;
    double latest = 0, next = monotonic();
    for (long number = 0;; ++number) {
        const bool hasCome = update.receive(socket);
        if (hasCome && update.topic().substr(0, channel.size()) == channel) {
            ledger.add(update);
            if (ledger.states % 64 == 0) {
                counted += 1;
                parts += components(update.body());
            }
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
                    "\"latest_ms\":%.3f,\"missed\":%ld,\"strange\":%ld,\"bytes\":%ld,"
                    "\"counted\":%ld,\"parts\":%ld}\n",
                    now, ledger.states, late, lateByFrame, latest, ledger.missed, ledger.strange,
                    ledger.bytes, counted, parts);
        std::fflush(stdout);
        latest = 0;
    }
}

}  // namespace

int main(int count, char **arguments) {
    const std::string_view mode = count > 1 ? arguments[1] : "";
    if (mode == "publish" && count == 9) return publish(arguments + 2);
    if (mode == "subscribe" && count == 8) return receive(arguments + 2);
    if (mode == "forward" && count == 3) return forward(arguments + 2);
    if (mode == "latency" && count == 8) return latency(arguments + 2);
    if (mode == "swing" && count == 6) return swing(arguments + 2);
    if (mode == "watch" && count == 6) return watch(arguments + 2);
    std::fprintf(stderr, "peer: the modes and their arguments stand at the head of peer.cpp\n");
    return 2;
}
