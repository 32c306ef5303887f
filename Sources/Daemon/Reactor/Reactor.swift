import CSystem
import Codec
import Geometry
import Glibc
import Interactions
import Notation
import Protocol
import Sessions
import Synchronization
import ZeroMQ

/// One thread that owns every socket: it reads, hands work to the lanes, and sends what they wrote.
///
/// It sleeps in the poller alone, and does each thing under a budget, so that nothing starves. For
/// a lane that is idle it does what is little itself; at the end it waits for lanes and store.
final class Reactor {
    let lanes: [Lane]
    let counters: Counters
    let grid: Grid
    let epoch: String
    let outbox: Outbox
    private let signals: CInt
    private let sockets: Sockets
    private var poller = Poller()
    private var frame = Message()
    var batches: [Batch]
    /// Of the outbox, while it is sent.
    private var taken = Outbox.Taken()
    /// Those that are being read.
    private var requests: [[[UInt8]]] = []
    var book = SubscriptionBook()
    var syncs = SyncNumbers()
    /// Unanswered publishes by session, and all unanswered requests.
    var unanswered: [String: Int] = [:]
    var requestsWaiting = 0
    /// The number of subscriptions at which the log warns next.
    var subscriptionsWarning = Limits.subscriptionsWarnedAt
    let operations: Operations
    let storeWriter: StoreWriter?
    /// What the reactor itself sends: its bytes before they leave.
    var scratch = ByteBuffer(capacity: 4_096)
    private var heartbeatSeq = 0
    private var nowhereSeq = 0
    private var isReadingEvents = true
    /// How many subscriptions may still be read in this round.
    private var subscriptionsLeft = 0
    private var isReadingRequests = true

    private enum Place {
        static let signals = 0
        static let outbox = 1
        static let updates = 2
        static let control = 3
        static let events = 4
    }

    init(
        sockets: consuming Sockets, lanes: [Lane], counters: Counters, outbox: Outbox,
        signals: CInt, storeWriter: StoreWriter?, operations: Operations
    ) {
        self.lanes = lanes
        self.counters = counters
        self.operations = operations
        self.storeWriter = storeWriter
        self.outbox = outbox
        self.signals = signals
        self.sockets = sockets
        grid = operations.settings.grid
        epoch = operations.settings.epoch
        batches = lanes.map { _ in Batch() }
        poller.watch(descriptor: signals)
        poller.watch(descriptor: outbox.descriptor)
        poller.watch(self.sockets.updates)
        poller.watch(self.sockets.control)
        poller.watch(self.sockets.events)
    }

    /// Runs until a signal asks it to stop.
    func run() throws(ZeroMQError) {
        var nextHeartbeat = Clock.monotonic() + Self.heartbeatNanoseconds
        while true {
            let due = min(nextHeartbeat, operations.watchdog.due)
            let rest = max(0, due - Clock.monotonic())
            try poller.wait(milliseconds: (rest + 999_999) / 1_000_000)
            if !poller.ready(at: Place.signals).isEmpty, hasToStop() { break }
            if !poller.ready(at: Place.outbox).isEmpty {
                outbox.hearCall()
                try send()
            }
            subscriptionsLeft = Limits.subscriptionsPerRoundMax
            if !poller.ready(at: Place.updates).isEmpty { try readSubscriptions() }
            try readRequests()
            try readEvents()
            let now = Clock.monotonic()
            serve(at: now)
            try dispatch()
            if now >= nextHeartbeat {
                // After a stall one is told, not all that were missed.
                let missed = (now - nextHeartbeat) / Self.heartbeatNanoseconds
                nextHeartbeat += (missed + 1) * Self.heartbeatNanoseconds
                try publishHeartbeat()
                tellFigures()
            }
        }
        toldToStop = Clock.monotonic()
        tellOfStopping()
        try finish()
    }

    private static let heartbeatNanoseconds = 1_000_000_000

    private func hasToStop() -> Bool {
        var stop = false
        while case let signal = gs_signals_next(signals), signal != 0 {
            if signal == SIGTERM || signal == SIGINT { stop = true }
            if signal == SIGHUP { readConfiguration() }
        }
        return stop
    }

    /// When it was told to stop, on the monotonic clock, and whether it was told so again.
    private var toldToStop = 0
    private var isToldTwice = false

    /// Events are not read any more; what was read is done, stored and sent. Told once more, it
    /// waits for the disk no longer.
    private func finish() throws(ZeroMQError) {
        for lane in lanes { lane.stop() }
        var isWhole = true
        if let storeWriter { isWhole = try storeAll(by: storeWriter) }
        try send()
        operations.log.tell(isWhole ? .stopped : .stoppedUnstored)
    }

    /// Returns whether everything is stored.
    private func storeAll(by storeWriter: StoreWriter) throws(ZeroMQError) -> Bool {
        for lane in lanes {
            extendStop()
            lane.storeLast()
        }
        // What was on its way comes first, then what is left; a store that fails is left.
        for _ in 0..<3 {
            // All of them are asked each time, for being asked hands over what is left.
            guard lanes.map({ $0.isStored() }).contains(false) else { break }
            extendStop()
            guard storeWriter.drain(unless: isGivenUp) else { return false }
            // With the answers the lanes are told what is stored.
            try send()
        }
        let isWhole = lanes.allSatisfy { $0.isStored() }
        extendStop()
        // Whatever becomes of that: all is stored, or not, by now.
        _ = storeWriter.stop(isWhole: isWhole, unless: isGivenUp)
        return isWhole
    }

    /// Whether it was told to stop once more, and the disk has had its time.
    private func isGivenUp() -> Bool {
        if hasToStop() { isToldTwice = true }
        return isToldTwice && Clock.monotonic() - toldToStop >= Self.endNanoseconds
    }

    /// That a disk has at the end at the least, for one that is busy takes a while.
    private static let endNanoseconds = 2_000_000_000

    // MARK: Out

    /// Sends all that the lanes have written.
    private func send() throws(ZeroMQError) {
        outbox.take(into: &taken)
        for chunk in taken.chunks {
            for record in chunk.records { try send(record, of: chunk) }
            outbox.recycle(chunk)
        }
        for completion in taken.completions { completion() }
        taken.removeAll()
    }

    private func send(_ record: Chunk.Record, of chunk: Chunk) throws(ZeroMQError) {
        switch record.destination {
        case .update(let topicEnd):
            try sendUpdate(chunk.bytes, record.range, topicEnd: topicEnd)
        case .reply(let envelope):
            try reply(envelope, chunk.bytes, record.range)
        case .nowhere(let report):
            try sendNowhere(report)
        case .barrier(let trip): take(trip)
        }
    }

    private func sendUpdate(
        _ buffer: borrowing ByteBuffer, _ range: Range<Int>, topicEnd: Int
    ) throws(ZeroMQError) {
        // A slow subscriber's pipe drops what does not fit; an XPUB refuses nothing.
        _ = try unsafe buffer.withUnsafeBytes(range.lowerBound..<topicEnd) {
            bytes throws(ZeroMQError) in
            try unsafe sockets.updates.send(bytes, more: true)
        }
        _ = try unsafe buffer.withUnsafeBytes(topicEnd..<range.upperBound) {
            bytes throws(ZeroMQError) in
            try unsafe sockets.updates.send(bytes)
        }
    }

    private func reply(
        _ envelope: Envelope, _ buffer: borrowing ByteBuffer, _ range: Range<Int>
    ) throws(ZeroMQError) {
        settle(envelope)
        do throws(ZeroMQError) {
            guard try sockets.control.send(envelope.identity, more: true) else {
                counters.add(.repliesDropped)
                return
            }
        } catch  where error.isHostUnreachable {
            // The peer has gone; its answer goes with it.
            counters.add(.repliesUnroutable)
            return
        }
        if envelope.hasDelimiter { _ = try sockets.control.send([], more: true) }
        _ = try unsafe buffer.withUnsafeBytes(range) { bytes throws(ZeroMQError) in
            try unsafe sockets.control.send(bytes)
        }
    }

    /// The request that a reply belongs to waits no more.
    private func settle(_ envelope: Envelope) {
        requestsWaiting -= 1
        guard let session = envelope.publishes, let count = unanswered[session] else { return }
        unanswered[session] = count > 1 ? count - 1 : nil
    }

    private func publish(
        _ topic: UpdateTopic, seq: Int, _ body: (UpdateHead, inout ByteBuffer) -> Void
    ) throws(ZeroMQError) {
        scratch.removeAll()
        topic.append(to: &scratch)
        let topicEnd = scratch.count
        let time = grid.instant(at: Clock.monotonic())
        body(UpdateHead(epoch: epoch, seq: seq, time: time), &scratch)
        try sendUpdate(scratch, 0..<scratch.count, topicEnd: topicEnd)
        counters.add(.updates)
    }

    private func publishHeartbeat() throws(ZeroMQError) {
        var beat = Heartbeat()
        let uptime = Clock.monotonic() - grid.origin
        beat.uptimeSeconds = Double(uptime) / 1e9
        beat.sessions = counters.get(.sessions)
        beat.moving = counters.get(.moving)
        beat.events = counters.get(.events)
        beat.rejected = counters.get(.rejected)
        beat.updates = counters.get(.updates)
        heartbeatSeq += 1
        try publish(.heartbeat, seq: heartbeatSeq) { Update.heartbeat($0, beat, into: &$1) }
    }

    /// Tells of a rejection that belongs to no open session.
    private func sendNowhere(_ report: RejectionReport) throws(ZeroMQError) {
        nowhereSeq += 1
        try publish(.rejected(session: nil), seq: nowhereSeq) {
            Update.rejected($0, report, into: &$1)
        }
    }

    func publishSync(_ nonce: String) throws(ZeroMQError) {
        let seq = syncs.next(for: nonce)
        try publish(.sync(nonce: nonce), seq: seq) { Update.sync($0, into: &$1) }
    }

    // MARK: In

    /// Hands each lane its round's work in one block; what is little for a lane that is idle is
    /// done and sent at once.
    private func dispatch() throws(ZeroMQError) {
        var isAnyDone = false
        for index in lanes.indices where !batches[index].isEmpty {
            let lane = lanes[index]
            if lane.mayRunInline(batches[index]) {
                if !isAnyDone { outbox.attend() }
                isAnyDone = true
                if lane.runInline(&batches[index]) { continue }
            }
            lane.submit(&batches[index])
        }
        guard isAnyDone else { return }
        let wasAdopting = operations.adoption != nil
        try send()
        // What this round has looked for in vain may be there now: room, or the end of a reload.
        let isAdopted = wasAdopting && operations.adoption == nil
        if !isReadingEvents || !isReadingRequests || isAdopted { outbox.wake() }
    }

    /// Drains the subscriptions: their queue in the socket has no bound of its own.
    ///
    /// Under a flood the rest waits for the next round. The join rule holds all the same, since a
    /// subscriber asks only after the answer to the last of its subscriptions.
    func readSubscriptions() throws(ZeroMQError) {
        while subscriptionsLeft > 0, try sockets.updates.receive(into: &frame) {
            subscriptionsLeft -= 1
            let bytes = frame.bytes
            let hasMore = frame.hasMore
            if !hasMore, let first = bytes.first, first <= 1 {
                try subscription(
                    String(decoding: bytes.dropFirst(), as: UTF8.self), isNew: first == 1)
            }
        }
    }

    private func readRequests() throws(ZeroMQError) {
        let hasRoom =
            requestsWaiting < Limits.requestsUnansweredMax && lanes.allSatisfy(\.hasRoom)
        if hasRoom != isReadingRequests {
            isReadingRequests = hasRoom
            poller.setInterest(hasRoom ? .readable : [], at: Place.control)
        }
        guard hasRoom, !poller.ready(at: Place.control).isEmpty else { return }
        var bytes = 0
        for _ in 0..<Limits.roundMessagesMax / Limits.requestsAtOnceMax {
            while requests.count < Limits.requestsAtOnceMax, bytes < Limits.roundBytesMax,
                let frames = try sockets.control.receiveMessage(framesMax: 4, by: &frame)
            {
                requests.append(frames)
                bytes += frames.reduce(0) { $0 + $1.count }
            }
            let isLast = requests.count < Limits.requestsAtOnceMax || bytes >= Limits.roundBytesMax
            // What a peer subscribed to before it asked is in force before it is answered.
            if !requests.isEmpty { try readSubscriptions() }
            for frames in requests { receive(frames) }
            requests.removeAll(keepingCapacity: true)
            if isLast { return }
        }
    }

    private func readEvents() throws(ZeroMQError) {
        let hasRoom = lanes.allSatisfy(\.hasRoom)
        if hasRoom != isReadingEvents {
            isReadingEvents = hasRoom
            if !hasRoom { counters.add(.pauses) }
            poller.setInterest(hasRoom ? .readable : [], at: Place.events)
        }
        guard hasRoom, !poller.ready(at: Place.events).isEmpty else { return }
        var count = 0
        var bytes = 0
        while count < Limits.roundMessagesMax, bytes < Limits.roundBytesMax,
            try sockets.events.receive(into: &frame)
        {
            count += 1
            bytes += try readEvent()
        }
        counters.add(.events, count)
    }

    /// Takes the message whose first frame has just been received; returns the bytes that it keeps.
    private func readEvent() throws(ZeroMQError) -> Int {
        let hash = unsafe frame.withBytes { bytes in unsafe Topic.session(in: bytes)?.hash }
        // A bad topic has no lane of its own; the first one tells of it.
        let index = hash.map(lane) ?? 0
        let topicStart = batches[index].bytes.count
        keepFrame(atMost: Limits.topicBytesMax, in: index)
        let bodyStart = batches[index].bytes.count
        var frames = 1
        while frame.hasMore, try sockets.events.receive(into: &frame) {
            frames += 1
            if frames == 2 { keepFrame(atMost: Limits.bodyBytesMax, in: index) }
        }
        let end = batches[index].bytes.count
        add(
            .event(
                topic: topicStart..<bodyStart, body: bodyStart..<end, hash: hash ?? StableHash(),
                isWhole: frames == 2),
            to: index, isEvent: true)
        return end - topicStart
    }

    /// Copies a frame to a lane's next batch; of one that is too long, as much as shows that it is.
    private func keepFrame(atMost bytesMax: Int, in lane: Int) {
        unsafe frame.withBytes { bytes in
            unsafe batches[lane].bytes.append(contentsOf: bytes.prefix(bytesMax + 1))
        }
    }

    /// Adds one piece of work to a lane's next batch.
    func add(_ work: Batch.Work, to lane: Int, isEvent: Bool = false) {
        if batches[lane].isEmpty { batches[lane].received = Clock.monotonic() }
        if case .request(_, let request) = work {
            batches[lane].documentBytes += request.documentBytes
        }
        batches[lane].work.append(work)
        if isEvent { batches[lane].eventCount += 1 }
    }

    /// The lane on which a session of this hash lives.
    func lane(for hash: StableHash) -> Int { Int(hash.value % UInt64(lanes.count)) }
}
