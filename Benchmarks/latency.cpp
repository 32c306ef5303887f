// Measures a message's time through the daemon or forwarder between publisher and subscriber.

#include "peer.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <atomic>
#include <thread>

using namespace peer;

namespace {

/// Excludes the time in which caches and branch predictors learn.
constexpr double warmUpSeconds = 0.5;

/// Sends each message at its due time. After a late wake-up it sends all that are due.
void pace(Load &load, void *socket, double began, double perSecond,
          std::vector<std::atomic<double>> &sentAt) {
    prctl(PR_SET_TIMERSLACK, 1);
    const auto dueAt = [&](size_t number) {
        return began + static_cast<double>(number) / perSecond;
    };
    for (size_t number = 0; number < sentAt.size();) {
        const double due = dueAt(number);
        const timespec until{static_cast<time_t>(due),
                             static_cast<long>((due - static_cast<double>(
                                                         static_cast<time_t>(due))) * 1e9)};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
        const double now = monotonic();
        for (; number < sentAt.size() && dueAt(number) <= now; ++number) {
            sentAt[number] = monotonic();
            load.send(socket, static_cast<long>(number));
        }
    }
}

/// The smallest time above this share of all times, in microseconds.
double quantile(const std::vector<double> &sorted, double share) {
    if (sorted.empty()) return -1;
    const auto place = static_cast<size_t>(share * static_cast<double>(sorted.size()));
    return sorted[std::min(place, sorted.size() - 1)] * 1e6;
}

void print(const char *name, std::vector<double> &seconds) {
    std::sort(seconds.begin(), seconds.end());
    std::printf("\"%s\":{\"p50\":%.1f,\"p99\":%.1f,\"p999\":%.1f,\"max\":%.1f},", name,
                quantile(seconds, 0.5), quantile(seconds, 0.99), quantile(seconds, 0.999),
                quantile(seconds, 1));
}

}  // namespace

int latency(char **arguments) {
    const long sessions = std::atol(arguments[2]), count = std::atol(arguments[3]);
    const double perSecond = std::atof(arguments[4]);
    // Two contexts, as in two processes.
    void *sending = zmq_ctx_new(), *receiving = zmq_ctx_new();
    void *socket = open(receiving, ZMQ_SUB);
    connect(socket, arguments[1]);
    join(socket, {"state/"});
    Load load(sessions, std::strtoul(arguments[5], nullptr, 10));
    void *events = publisher(sending, arguments[0]);
    ready();

    std::vector<std::atomic<double>> sentAt(static_cast<size_t>(count));
    std::vector<long> states(static_cast<size_t>(sessions), 0);
    // Times from sent to state, from due to state, and from due to sent.
    std::vector<double> taken, takenOfDue, late;
    for (auto *times : {&taken, &takenOfDue, &late}) times->reserve(static_cast<size_t>(count));
    Ledger ledger(static_cast<size_t>(sessions));
    zmq_setsockopt(socket, ZMQ_RCVTIMEO, &patienceMilliseconds, sizeof patienceMilliseconds);
    const double began = monotonic();
    std::thread publishing([&] { pace(load, events, began, perSecond, sentAt); });
    Update update;
    while (ledger.states < count && update.receive(socket)) {
        const double now = monotonic();
        if (update.topic() == "sync/bench") continue;
        ledger.add(update);
        const long session = static_cast<long>(number(update.topic().substr(7)));
        // A session's nth state belongs to its nth event: none has two in flight.
        const long place = states[static_cast<size_t>(session)]++ * sessions + session;
        if (place < static_cast<long>(warmUpSeconds * perSecond)) continue;
        const double sent = sentAt[static_cast<size_t>(place)];
        const double due = began + static_cast<double>(place) / perSecond;
        taken.push_back(now - sent);
        takenOfDue.push_back(now - due);
        late.push_back(sent - due);
    }
    publishing.join();
    std::printf("{");
    print("from_sent", taken);
    print("from_due", takenOfDue);
    print("late", late);
    std::printf("\"per_second\":%.1f,\"bytes\":%ld,"
                "\"received\":%ld,\"missed\":%ld,\"strange\":%ld,\"measured\":%zu}\n",
                static_cast<double>(count - 1) / (sentAt.back() - sentAt.front()), ledger.bytes,
                ledger.states, ledger.missed, ledger.strange, taken.size());
    std::fflush(stdout);
    std::_Exit(0);
}
