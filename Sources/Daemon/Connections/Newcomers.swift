import Notation
import Synchronization

/// How fast a host's new connections are let in, after some of its connections were cut.
///
/// Each begins with all allowances, so that a peer which comes back at once, again and again, would
/// do as much harm as one that is never cut. Those of its host that mean well come in among them,
/// and try again by themselves. Peers that are connected notice nothing. Any thread may call it.
final class Newcomers: Sendable {
    private struct Host {
        var cuts = Allowance(
            burst: Limits.hostCutsMax, perSecond: Limits.hostCutsPerSecondMax,
            floor: -2 * Limits.hostCutsPerSecondMax)
        var entries = Allowance(
            burst: Limits.hostEntriesPerSecondMax, perSecond: Limits.hostEntriesPerSecondMax)
        var last: Int

        mutating func refill(at now: Int) {
            let seconds = Double(max(0, now - last)) / 1e9
            last = max(last, now)
            cuts.refill(seconds: seconds)
            entries.refill(seconds: seconds)
        }
    }

    private let hosts = Mutex<[String: Host]>([:])
    private let isAny = Atomic<Bool>(false)

    /// A connection of a host was cut.
    func noteCut(_ host: String, at now: Int) {
        hosts.withLock { hosts in
            if hosts[host] == nil, hosts.count >= Limits.hostsCutMax {
                hosts = hosts.filter { now - $0.value.last < Limits.hostCutForgottenNanoseconds }
                guard hosts.count < Limits.hostsCutMax else { return }
            }
            var one = hosts[host] ?? Host(last: now)
            one.refill(at: now)
            one.cuts.take(1)
            hosts[host] = one
            isAny.store(true, ordering: .relaxed)
        }
    }

    /// Whether a new connection of a host may come in now.
    func mayCome(_ host: String, at now: Int) -> Bool {
        guard isAny.load(ordering: .relaxed) else { return true }
        return hosts.withLock { hosts in
            guard var one = hosts[host] else { return true }
            one.refill(at: now)
            if one.cuts.used == 0 {
                hosts[host] = nil
                isAny.store(!hosts.isEmpty, ordering: .relaxed)
                return true
            }
            defer { hosts[host] = one }
            guard one.cuts.isOverdrawn else { return true }
            one.entries.take(1)
            guard one.entries.isOverdrawn else { return true }
            one.entries.take(-1)
            return false
        }
    }
}

/// Decides which peers may connect. The guard sets what is too much, and the reactor asks when a
/// peer connects.
final class Admission: Sendable {
    /// Whether so many events wait to be read that no publisher is let in.
    let areEventsMany = Atomic<Bool>(false)
    /// Whether so many requests do that no peer of the control socket is.
    let areRequestsMany = Atomic<Bool>(false)
    let newcomers = Newcomers()

    /// Whether a peer of a host may connect to a socket now.
    func mayCome(_ host: String, to domain: String) -> Bool {
        switch domain {
        case "events", "push": if areEventsMany.load(ordering: .relaxed) { return false }
        case "control": if areRequestsMany.load(ordering: .relaxed) { return false }
        default: break
        }
        return newcomers.mayCome(host, at: Clock.monotonic())
    }
}

extension Limits {
    /// Connections of one host that may be cut at once, and in a second, before its new ones are
    /// let in more slowly.
    static let hostCutsMax = 8
    static let hostCutsPerSecondMax = 2
    /// New connections of such a host that are let in each second.
    static let hostEntriesPerSecondMax = 16
    /// Hosts that are remembered, and nanoseconds after which the others take their places.
    static let hostsCutMax = 1_024
    static let hostCutForgottenNanoseconds = 10_000_000_000
}
