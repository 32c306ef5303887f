import Dispatch
import Geometry
import Interactions
import Notation
import Protocol
import Sessions
import Store
import Synchronization

extension Lane {
    /// One turn of the queue: the motion that is due, the events that wait, and what the spare time
    /// has. Each part ends with its piece; the rest follows what else the queue has to do.
    func turn() {
        dispatchPrecondition(condition: .onQueue(queue))
        load.isAtWork.store(true, ordering: .relaxed)
        passBarriers()
        performWaiting(until: .piece)
        let now = Clock.monotonic()
        tick(to: settings.grid.step(at: now), since: now)
        let isBehind = inbox.isAnythingLeft || ticker.isUnderWay
        if !isBehind || spare.isOverdue(at: now) { serveSpare(since: now) }
        arm()
        conclude()
        let hasToGoOn = inbox.isAnythingLeft || mayServeRequest
        load.isAtWork.store(hasToGoOn, ordering: .relaxed)
        if hasToGoOn { inbox.wake() }
    }

    /// Passes the barriers on. They overtake the events: a lane that is behind works all the same.
    private func passBarriers() {
        for barrier in inbox.takeBarriers() { pass(barrier) }
    }

    /// How long a part of a turn goes on.
    enum Extent {
        case piece
        /// To its end: at the end of the lane.
        case all
    }

    /// Processes the batches that wait.
    func performWaiting(until extent: Extent) {
        let began = Clock.monotonic()
        inbox.refill()
        while let (batch, place) = inbox.next {
            let end = process(batch, from: place)
            if inbox.advance(to: end) { load.waiting.wrappingSubtract(1, ordering: .releasing) }
            if extent == .piece, isPieceOver(since: began) { return }
            if extent == .all { inbox.refill() }
        }
    }

    // MARK: Heavy sessions and costly requests

    /// Serves heavy sessions and costly requests, one at a time, until a piece is over.
    private func serveSpare(since began: Int) {
        var isFirst = true
        while isFirst || !isPieceOver(since: began) {
            isFirst = false
            let isServed =
                spare.alternate() ? moveHeavy() || serveRequest() : serveRequest() || moveHeavy()
            guard isServed else { break }
            spare.served(at: Clock.monotonic())
        }
    }

    /// Looks at the next heavy session that is due; returns whether one was.
    private func moveHeavy() -> Bool {
        guard !spare.heavy.isEmpty else { return false }
        let step = settings.grid.step(at: Clock.monotonic())
        guard let active = spare.heavy.take(dueAt: step) else { return false }
        advanceMeasured(active, to: step)
        if active.wake == nil || active.effort.weight == .light {
            active.listing = .nowhere
            list(active)
        } else {
            spare.heavy.putBack(active)
        }
        return true
    }

    /// Whether a costly request waits and its answer has room.
    private var mayServeRequest: Bool {
        guard !spare.costly.isEmpty else { return false }
        guard sink.isFull else { return true }
        guard !spare.awaitsOutbox else { return false }
        spare.awaitsOutbox = true
        queue.asyncAfter(deadline: .now() + .milliseconds(Limits.outboxLookMilliseconds)) {
            [weak self] in
            self?.spare.awaitsOutbox = false
            self?.turn()
        }
        return false
    }

    /// Serves the next costly request and what came behind it; returns whether there was one.
    private func serveRequest() -> Bool {
        guard !sink.isFull, let unit = spare.costly.next() else { return false }
        serve(unit, refusal: isInVain(unit) ? CostlyWork.busy : nil)
        return true
    }

    /// Whether nobody would read the answer, which is all that the request is for.
    private func isInVain(_ unit: CostlyWork.Unit) -> Bool {
        unit.request.isForItsAskerAlone && outbox.unreachable.contains(unit.envelope.identity)
    }

    private func serve(_ unit: CostlyWork.Unit, refusal: Rejection?) {
        if refusal == nil, hasToLookUp(unit) {
            load.waiting.wrappingSubtract(1, ordering: .releasing)
            return
        }
        let now = Clock.monotonic()
        countIfBegun()
        try? storage?.reader.begin()
        perform(unit, refusal: refusal, Moment(now: now, step: settings.grid.step(at: now)))
        storage?.reader.end()
        flushChanged()
    }

    private func perform(_ unit: CostlyWork.Unit, refusal: Rejection?, _ moment: Moment) {
        if let refusal {
            unit.request.refuse(on: self, answering: unit.envelope, refusal)
        } else {
            unit.request.perform(on: self, answering: unit.envelope, at: moment)
        }
        sink.postIfLarge()
        _ = perform(unit.followers, moment, areFollowers: true)
        load.waiting.wrappingSubtract(1, ordering: .releasing)
    }

    /// Refuses the costly requests that wait; what came behind them is done. At the end.
    func refuseCostly() {
        while let unit = spare.costly.next() { serve(unit, refusal: CostlyWork.busy) }
    }

    // MARK: What waits behind costly requests

    /// Leaves a costly request to the spare time.
    func leave(_ request: any LaneRequest, _ envelope: Envelope) {
        do throws(Rejection) {
            try spare.costly.add(request, envelope, of: request.subject.map { StableHash($0) })
            load.waiting.wrappingAdd(1, ordering: .relaxed)
        } catch {
            request.refuse(on: self, answering: envelope, error)
        }
    }

    /// Leaves a piece of work to follow a costly request of its session. Returns false where it
    /// need not wait.
    func hasToFollow(
        _ work: Batch.Work, _ bytes: UnsafeRawBufferPointer, _ moment: Moment
    ) -> Bool {
        switch work {
        case .event(let topic, let body, let hash, let isWhole):
            return hasToFollow(hash, topic.count + body.count, moment) { batch in
                let (topic, body) = unsafe batch.copy(topic, body, from: bytes)
                return .event(topic: topic, body: body, hash: hash, isWhole: isWhole)
            }
        case .acknowledgedEvent(let envelope, let topic, let body):
            let name = unsafe UnsafeRawBufferPointer(rebasing: bytes[topic])
            let hash = unsafe Topic.session(in: name)?.hash ?? StableHash()
            return hasToFollow(hash, topic.count + body.count, moment) { batch in
                let (topic, body) = unsafe batch.copy(topic, body, from: bytes)
                return .acknowledgedEvent(envelope, topic: topic, body: body)
            }
        // It changes nothing, so it need not wait.
        case .refusedEvent: return false
        case .request(_, let request):
            guard let hash = request.subject.map({ StableHash($0) }), spare.costly.holds(hash),
                !request.isCostly(on: self)
            else { return false }
            spare.costly.follow(hash) { $0.work.append(work) }
            return true
        case .interest, .broadInterest, .answer, .expire, .shards: return false
        }
    }

    /// Leaves an event to follow a costly request of its session, if there is one and room.
    private func hasToFollow(
        _ session: StableHash, _ eventBytes: Int, _ moment: Moment,
        _ copy: (inout Batch) -> Batch.Work
    ) -> Bool {
        guard spare.costly.holds(session) else { return false }
        guard spare.costly.hasRoom(forEvent: eventBytes) else {
            serveAll(of: session, moment)
            return false
        }
        spare.costly.follow(session, eventBytes: eventBytes) { batch in
            batch.work.append(copy(&batch))
            batch.eventCount += 1
        }
        return true
    }

    /// Serves a session's costly requests at once: no event is lost because somebody asks. Behind
    /// the first, what only its asker would read is refused, so that this takes a bounded time.
    private func serveAll(of session: StableHash, _ moment: Moment) {
        var isFirst = true
        for unit in spare.costly.takeAll(of: session) {
            let isRefused = !isFirst && unit.request.isForItsAskerAlone
            perform(unit, refusal: isRefused ? CostlyWork.busy : nil, moment)
            isFirst = false
        }
    }
}

extension Batch {
    /// Copies an event's two frames from another batch's bytes; returns where they stand here.
    mutating func copy(
        _ topic: Range<Int>, _ body: Range<Int>, from bytes: UnsafeRawBufferPointer
    ) -> (topic: Range<Int>, body: Range<Int>) {
        unsafe append(.init(rebasing: bytes[topic]), .init(rebasing: bytes[body]))
    }
}

extension Limits {
    /// Milliseconds after which a lane whose requests wait for the outbox looks at it again.
    static let outboxLookMilliseconds = 2
}
