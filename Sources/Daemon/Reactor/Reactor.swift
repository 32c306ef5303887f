import Geometry
import Notation
import Synchronization
import ZeroMQ

/// The thread that owns every socket. It reads, hands work to the lanes, and sends what they wrote.
///
/// Each round passes in this order: what lanes have posted is sent (`Reactor+Sending`);
/// subscriptions, requests and events are read under a budget, so that nothing starves
/// (`Reactor+Subscriptions`, `Reactor+Requests`, `Reactor+Events`); the daemon looks after itself
/// (`Reactor+Operations`); each lane gets its batch (`LaneBatches`). The thread sleeps in the
/// poller alone. At the end it waits for lanes and store (`Reactor+Shutdown`).
///
/// The order matters: a subscription is in force before a request that came after it is answered,
/// and the outbox's wake-up is cleared before the outbox is read. A part with state is a type in
/// this folder, which can be changed and tested without the others.
final class Reactor {
    var work: LaneBatches
    let counters: Counters
    let outbox: Outbox
    let operations: Operations
    let storeWriter: StoreWriter?
    var sockets: Sockets
    var polling: Polling
    var signals: StopSignals
    /// Frames are received into them.
    var frames = ReceivedFrames()
    /// Requests that are read and not yet performed.
    var round = RequestRound()
    var unanswered = UnansweredRequests()
    let traffic: PeerTraffic
    var subscriptions = Subscriptions()
    var ownUpdates: OwnUpdates
    /// The outbox's contents while they are sent.
    var outgoing = Outbox.Contents()

    init(
        sockets: consuming Sockets, lanes: [Lane], counters: Counters, outbox: Outbox,
        signals: CInt, storeWriter: StoreWriter?, operations: Operations,
        traffic: PeerTraffic = PeerTraffic()
    ) {
        self.traffic = traffic
        work = LaneBatches(lanes, choice: operations.settings.choice)
        self.counters = counters
        unanswered.replies = WaitingReplies(outbox.replies, isEncrypted: traffic.isEncrypted)
        self.operations = operations
        self.storeWriter = storeWriter
        self.outbox = outbox
        self.signals = StopSignals(descriptor: signals)
        self.sockets = sockets
        ownUpdates = OwnUpdates(
            epoch: operations.settings.epoch, grid: operations.settings.grid,
            at: Clock.monotonic())
        polling = Polling(signals: signals, outbox: outbox.descriptor, self.sockets)
        self.sockets.handshakes.clients.take(operations.configuration.security.access)
        polling.watch(self.sockets.groups)
    }

    var lanes: [Lane] { work.lanes }

    /// Runs until a signal asks it to stop.
    func run() throws(ZeroMQError) {
        while true {
            // One `min` of more than three values would make an array.
            let due = min(
                ownUpdates.nextHeartbeat, operations.watchdog.due,
                min(unanswered.paced.due, work.cluster?.held.due ?? .max))
            let rest = max(0, due - Clock.monotonic())
            try polling.wait(milliseconds: (rest + 999_999) / 1_000_000)
            if polling.isReady(.signals) {
                readSignals()
                if signals.hasToStop, mayStop() { break }
            }
            if polling.isReady(.outbox) {
                outbox.clearWakeup()
                try sendOutgoing()
            }
            try sendPaced()
            if polling.isReady(.handshakes) {
                try answerHandshakes()
            }
            if work.cluster != nil, try followCluster(at: Clock.monotonic()) { break }
            traffic.rounds.wrappingAdd(1, ordering: .relaxed)
            subscriptions.beginRound()
            if polling.isReady(.updates) || polling.isAnyReaderReady {
                try readSubscriptions()
            } else {
                traffic.connections.subscriptionsEmptied.wrappingAdd(1, ordering: .relaxed)
            }
            try readRequests()
            try readEvents()
            let now = Clock.monotonic()
            superviseLanes(at: now)
            try dispatch()
            if now >= ownUpdates.nextHeartbeat {
                try ownUpdates.sendHeartbeat(at: now, counters, of: ownMember, to: sockets)
                reportFigures()
            }
        }
        try finish()
    }

    func readSignals() {
        if signals.read(at: Clock.monotonic()) { readConfiguration() }
    }

    /// Hands each lane its round's work in one block; what was done inline is sent at once.
    private func dispatch() throws(ZeroMQError) {
        let wasAdopting = operations.adoption != nil
        guard work.dispatch(suppressingWakeupsOf: outbox) else { return }
        try sendOutgoing()
        // Something that this round missed may be there now: room, or the end of a reload.
        let isAdopted = wasAdopting && operations.adoption == nil
        if !polling.readsAll || isAdopted { outbox.wake() }
    }
}

/// Two frames that are received into again and again: each message's, and the second of events; and
/// who sends more of them than a message has.
struct ReceivedFrames: ~Copyable {
    var frame = Message()
    var body = Message()
    var surplus = SurplusFrames()
}
