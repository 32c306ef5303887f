// How long a message takes through what stands between publisher and subscriber.

#include "peer.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <atomic>
#include <thread>

using namespace peer;

namespace {

/// Until these have passed, caches and branch predictors learn.
constexpr double warmUpSeconds = 0.5;

/// A message each time it is due; one that wakes late sends what has become due meanwhile.
void pace(Load &load, void *socket, double perSecond, std::vector<std::atomic<double>> &sentAt) {
    prctl(PR_SET_TIMERSLACK, 1);
    const double began = monotonic();
    for (size_t number = 0; number < sentAt.size();) {
        const double due = began + static_cast<double>(number) / perSecond;
        const timespec until{static_cast<time_t>(due),
                             static_cast<long>((due - static_cast<double>(
                                                         static_cast<time_t>(due))) * 1e9)};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
        const double now = monotonic();
        const double owed = (now - began) * perSecond + 1;
        for (; number < sentAt.size() && static_cast<double>(number) < owed; ++number) {
            sentAt[number] = monotonic();
            load.send(socket, static_cast<long>(number));
        }
    }
}

}  // namespace

int latency(char **arguments) {
    const long sessions = std::atol(arguments[2]), count = std::atol(arguments[3]);
    const double perSecond = std::atof(arguments[4]);
    // Contexts of their own, as processes of their own would have.
    void *sending = zmq_ctx_new(), *receiving = zmq_ctx_new();
    void *socket = open(receiving, ZMQ_SUB);
    connect(socket, arguments[1]);
    join(socket, {"state/"});
    Load load(sessions, std::strtoul(arguments[5], nullptr, 10));
    void *events = publisher(sending, arguments[0]);
    ready();

    std::vector<std::atomic<double>> sentAt(static_cast<size_t>(count));
    std::vector<long> states(static_cast<size_t>(sessions), 0);
    std::vector<double> taken;
    taken.reserve(static_cast<size_t>(count));
    Ledger ledger(static_cast<size_t>(sessions));
    const int patience = 5'000;
    zmq_setsockopt(socket, ZMQ_RCVTIMEO, &patience, sizeof patience);
    std::thread publishing([&] { pace(load, events, perSecond, sentAt); });
    Update update;
    while (ledger.states < count && update.receive(socket)) {
        const double now = monotonic();
        if (update.topic() == "sync/bench") continue;
        ledger.add(update);
        const long session = static_cast<long>(number(update.topic().substr(7)));
        // The state of its session's nth event is its nth: none has two on the way.
        const long place = states[static_cast<size_t>(session)]++ * sessions + session;
        if (place < static_cast<long>(warmUpSeconds * perSecond)) continue;
        taken.push_back(now - sentAt[static_cast<size_t>(place)]);
    }
    publishing.join();
    std::sort(taken.begin(), taken.end());
    const auto quantile = [&](double share) {
        if (taken.empty()) return -1.0;
        const auto place = static_cast<size_t>(share * static_cast<double>(taken.size()));
        return taken[std::min(place, taken.size() - 1)] * 1e6;
    };
    std::printf("{\"received\":%ld,\"missed\":%ld,\"strange\":%ld,\"measured\":%zu,"
                "\"p50\":%.1f,\"p99\":%.1f,\"p999\":%.1f,\"max\":%.1f}\n",
                ledger.states, ledger.missed, ledger.strange, taken.size(), quantile(0.5),
                quantile(0.99), quantile(0.999), quantile(1));
    std::fflush(stdout);
    std::_Exit(0);
}
