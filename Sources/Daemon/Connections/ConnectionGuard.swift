import CSystem
import Glibc
import Notation
import Platform
import Supervision
import Synchronization
import Threads
import ZeroMQ

/// The thread that looks at the connections of peers, and cuts those that bring too much.
///
/// It is a thread of its own, because the reactor may be inside libzmq while that takes in what a
/// peer sends. libzmq owns the descriptors; this thread only asks the system about them, and shuts
/// the connection of one that ``ConnectionJudge`` names. libzmq then finds it closed. If the
/// descriptor has become another connection in between, that one is closed, and connects again.
///
/// Since it wakes from time to time anyway, it also gives memory back (``MemoryReturn``).
final class ConnectionGuard: Sendable {
    private let ports: PeerPorts
    private let traffic: PeerTraffic
    private let outbox: Outbox
    private let inboxes: [Inbox]
    private let cutter: ConnectionCutter
    /// Updates that libzmq lets wait for one subscriber.
    private let updatesWaitingMax: Int

    init(
        _ ports: PeerPorts, _ traffic: PeerTraffic, outbox: Outbox, inboxes: [Inbox],
        cutter: ConnectionCutter, updatesWaitingMax: Int
    ) {
        self.ports = ports
        self.traffic = traffic
        self.outbox = outbox
        self.inboxes = inboxes
        self.cutter = cutter
        self.updatesWaitingMax = updatesWaitingMax
    }

    /// The thread ends with the process.
    func start() { Thread.start("gestured.guard") { self.run() } }

    private func run() {
        var watch = ConnectionWatch(
            isEncrypted: traffic.isEncrypted, updatesWaitingMax: updatesWaitingMax)
        var samples: [ConnectionJudge.Sample] = []
        var descriptors: [CInt] = []
        var spare: Set<CInt> = []
        var listed = 0
        var pause = Limits.guardPauseMicrosecondsMax
        var memory = MemoryReturn()
        var restraint = Restraint()
        var largeRestraint = LargeRestraint()
        let sendingThread = SendingThread()
        while true {
            usleep(UInt32(pause))
            let before = (samples.count, samples.reduce(0) { $0 + $1.received })
            // Listing them costs more than looking at one.
            let isListed =
                Clock.monotonic() - listed > Limits.guardListNanoseconds || descriptors.isEmpty
            // While they cannot be listed, the former ones count: to forget a connection would make
            // all that it has ever brought new.
            if isListed, let open = Self.openDescriptors() {
                descriptors = open
                spare = Set(descriptors.suffix(Limits.guardSpareDescriptors))
                listed = Clock.monotonic()
            }
            look(&samples, descriptors)
            if isListed {
                traffic.set(PeerTraffic.Listing(samples: samples, descriptors: descriptors))
            }
            // Many have connected since: more than it looks at may have.
            if samples.count(where: { spare.contains($0.descriptor) }) > spare.count / 2 {
                listed = 0
            }
            judge(samples, &watch)
            memory.look(at: Clock.monotonic()) {
                outbox.freeSpares()
                for inbox in inboxes { inbox.freeSpares() }
            }
            restrain(&restraint, sendingThread)
            restrain(&largeRestraint, sendingThread)
            // The next round shows whether a socket is empty: an unfinished message leaves it so.
            if watch.needsRound { outbox.wake() }
            // Nothing came: the next look may wait a little longer.
            let isQuiet = (samples.count, samples.reduce(0) { $0 + $1.received }) == before
            pause =
                isQuiet
                ? min(2 * pause, Limits.guardPauseMicrosecondsMax)
                : Limits.guardPauseMicrosecondsMin
        }
    }

    /// Judges all connections, and cuts those that bring too much.
    private func judge(_ samples: [ConnectionJudge.Sample], _ watch: inout ConnectionWatch) {
        let wasAuditing = watch.judge.isAuditing
        let progress = ConnectionJudge.Progress(
            bytes: traffic.bytes.load(ordering: .relaxed),
            events: traffic.events.load(ordering: .relaxed),
            pushes: traffic.pushes.load(ordering: .relaxed),
            requests: traffic.requests.load(ordering: .relaxed),
            updateBytes: traffic.updateBytes.load(ordering: .relaxed),
            updates: outbox.updatesSent.load(ordering: .relaxed),
            areUpdatesMany: outbox.hasManyLarge,
            rounds: traffic.rounds.load(ordering: .relaxed),
            senders: wasAuditing ? traffic.takeSenders() : [])
        let reading = ConnectionWatch.Reading(
            eventBytes: traffic.eventBytes.load(ordering: .relaxed),
            subscriptionsEmptied: traffic.connections.subscriptionsEmptied.load(ordering: .relaxed))
        // A subscriber that is behind at this look is counted for until the next one.
        if traffic.lateReaders.areAny || samples.contains(where: \.isBehind) {
            traffic.lateReaders.set(Set(samples.lazy.filter(\.isBehind).map(\.peer)))
        }
        watch.look(
            samples, progress, reading, at: Clock.monotonic(),
            accounted: { traffic.connections.accounted.count(of: $0) },
            counts: { descriptor in
                guard let read = traffic.connections.read.count(of: descriptor),
                    let replied = traffic.connections.replied.count(of: descriptor)
                else { return nil }
                return UnfinishedMessages.Counts(read: read, replied: replied)
            },
            process: ConnectionWatch.Memory(
                resident: { Int(gs_memory_resident()) },
                unexplained: { [outbox] in Int(gs_memory_allocated()) - outbox.allBytes }))
        for (descriptor, reason) in watch.cuts {
            if reason.slowsNewcomers, let host = Self.host(of: descriptor) {
                traffic.admission.newcomers.noteCut(host, at: Clock.monotonic())
            }
            cutter.cut(descriptor, reason)
        }
        traffic.connections.isExact.store(
            watch.judge.isAuditing || watch.unfinished.areMany, ordering: .relaxed)
        traffic.admission.areEventsMany.store(watch.events.areMany, ordering: .relaxed)
        traffic.admission.areRequestsMany.store(watch.requests.areMany, ordering: .relaxed)
        if watch.judge.isAuditing != wasAuditing {
            _ = traffic.takeSenders()
            traffic.isAuditing.store(watch.judge.isAuditing, ordering: .relaxed)
        }
    }

    /// The host from which a connection comes; nil: it has gone.
    private static func host(of descriptor: CInt) -> String? {
        var text = [CChar](repeating: 0, count: 80)
        guard unsafe gs_connection_host(descriptor, &text, text.count) == 0 else { return nil }
        return String(
            decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Has sessions publish less often while libzmq's thread cannot send all updates.
    private func restrain(_ restraint: inout Restraint, _ thread: SendingThread) {
        let waiting = outbox.smallUpdates.count
        guard restraint.spacing > 1 || waiting > Limits.smallUpdatesBytesMax / 2 else { return }
        restraint.look(waiting: waiting, busy: thread.busyNanoseconds, at: Clock.monotonic())
        outbox.publishSpacing.store(restraint.spacing, ordering: .relaxed)
    }

    /// Has sessions with large updates publish less often while libzmq's thread cannot send those
    /// in time.
    private func restrain(_ restraint: inout LargeRestraint, _ thread: SendingThread) {
        let updates = outbox.largeUpdates
        guard restraint.needsLook(waiting: updates.count) else { return }
        restraint.look(
            thread.busyNanoseconds.map { busy in
                LargeRestraint.Look(
                    time: Clock.monotonic(), busy: busy, waiting: updates.count,
                    sent: updates.removedInAll)
            })
        outbox.largeSpacing.store(restraint.spacing, ordering: .relaxed)
    }

    /// Looks at every descriptor that is a connection to one of the sockets. Only those over TCP
    /// tell what they have received; those over ipc come from users that the file lets in.
    private func look(_ samples: inout [ConnectionJudge.Sample], _ descriptors: [CInt]) {
        samples.removeAll(keepingCapacity: true)
        let ports = ports.all
        for descriptor in descriptors {
            let port = Int(gs_connection_port(descriptor))
            guard port > 0, let role = ports.first(where: { $0.number == port })?.role else {
                continue
            }
            var received: Int64 = 0
            var taken: Int64 = 0
            var written: Int64 = 0
            let consumed = unsafe gs_connection_consumed(
                descriptor, &received, &taken, &written)
            guard consumed >= 0 else { continue }
            var sample = ConnectionJudge.Sample(
                descriptor: descriptor, identity: Int(gs_connection_identity(descriptor)),
                role: role, received: Int(received), consumed: Int(consumed),
                taken: Int(taken), written: Int(written),
                isBehind: role == .updates
                    && gs_connection_is_behind(descriptor, CInt(Limits.unsentBytesMin)) != 0)
            if sample.isBehind { sample.charge = traffic.lateReaders.charge(of: sample.peer) }
            samples.append(sample)
        }
    }

    /// The descriptors of this process, and some that the next connections get. Nil: they cannot be
    /// listed, because none is free to list them with.
    static func openDescriptors() -> [CInt]? {
        guard let names = Folder.names(in: "/proc/self/fd") else { return nil }
        let open = Set(names.compactMap { CInt($0) })
        let free = (CInt(3)...).lazy.filter { !open.contains($0) }.prefix(
            Limits.guardSpareDescriptors)
        return open.sorted() + free
    }
}

extension Limits {
    /// Microseconds between two looks at the connections: while something comes, and at rest.
    static let guardPauseMicrosecondsMin = 10_000
    static let guardPauseMicrosecondsMax = 40_000
    /// Nanoseconds after which the descriptors are listed anew, and how many of those that are free
    /// are looked at until then.
    static let guardListNanoseconds = 200_000_000
    static let guardSpareDescriptors = 32
    /// Bytes in the system's queue below which a subscriber counts as reading.
    static let unsentBytesMin = 64 * 1024
}
