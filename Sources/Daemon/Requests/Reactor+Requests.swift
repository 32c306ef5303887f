import Codec
import Geometry
import Interactions
import Manual
import Notation
import Protocol
import Sessions
import Synchronization

extension Reactor {
    /// Takes one request with its envelope; whatever is wrong with it is answered.
    func request(_ frames: [[UInt8]]) {
        counters.add(.requests)
        requestsWaiting += 1
        var envelope = Envelope(
            identity: frames[0], hasDelimiter: frames.count > 1 && frames[1].isEmpty)
        let isWhole = frames.count == (envelope.hasDelimiter ? 3 : 2)
        guard isWhole, let body = frames.last else {
            let node = frames.last.flatMap { try? Self.document($0) }
            envelope.id = node.flatMap { try? Self.id(of: $0) }
            let rejection = Rejection(
                .badFrames, "a request is one frame, with at most an empty one before it")
            refuse(envelope, rejection)
            return
        }
        do throws(Rejection) {
            let node = try Self.document(body)
            envelope.id = try Self.id(of: node)
            try perform(try ControlRequest(node), envelope, bytes: body.count)
        } catch {
            refuse(envelope, error)
        }
    }

    private func refuse(_ envelope: Envelope, _ rejection: Rejection) {
        let chunk = outbox.chunk()
        chunk.refuse(envelope, rejection)
        outbox.post(chunk)
    }

    /// What the answer carries back; it waits with the answer, so it is bounded.
    private static func id(of node: Node) throws(Rejection) -> Node? {
        guard let id = node["id"] else { return nil }
        // The usual one is surely short, and need not be written to be measured.
        if case .integer = id.value { return id }
        guard id.json().count <= Limits.requestIdBytesMax else {
            throw Rejection(
                .badValue, "id must have at most \(Limits.requestIdBytesMax) bytes")
        }
        guard !id.hasHugeNumber else {
            throw Rejection(.badValue, "a whole number in id must be from -2^63 to 2^64 - 1")
        }
        return id
    }

    private static func document(_ body: [UInt8]) throws(Rejection) -> Node {
        do throws(DocumentError) {
            let node = try Document.json(body)
            if node.members != nil { return node }
        } catch {
            throw Rejection(.badJSON, error.message)
        }
        throw Rejection(.badJSON, "a request is one JSON object")
    }

    private func perform(
        _ request: ControlRequest, _ envelope: Envelope, bytes: Int
    ) throws(Rejection) {
        switch request {
        case .hello: answer(envelope, writeHello)
        case .scenes: answer(envelope, writeScenes)
        case .stats: answer(envelope, writeStatistics)
        case .open(let session, let scene):
            let lane = lane(for: StableHash(session))
            add(.open(envelope, session: session, scene), to: lane)
            batches[lane].documentBytes += bytes
        case .close(let session):
            add(.close(envelope, session: session), to: lane(for: StableHash(session)))
        case .snapshot(let session):
            add(.snapshot(envelope, session: session), to: lane(for: StableHash(session)))
        case .export(let session):
            add(.export(envelope, session: session), to: lane(for: StableHash(session)))
        case .import(let session, let document):
            let lane = lane(for: StableHash(session))
            add(.import(envelope, session: session, document: document), to: lane)
            batches[lane].documentBytes += bytes
        case .sessions(let after, let limit):
            let list = SessionList(envelope, after: after, limit: limit, lanes: lanes.count)
            for lane in lanes.indices { add(.list(list), to: lane) }
        case .publish(let topic, let body):
            try publish(topic, body, envelope)
        }
    }

    private func answer(_ envelope: Envelope, _ write: (inout ByteBuffer) -> Void) {
        let chunk = outbox.chunk()
        chunk.reply(to: envelope, write)
        outbox.post(chunk)
    }

    private func publish(
        _ topic: [UInt8], _ body: [UInt8], _ envelope: Envelope
    ) throws(Rejection) {
        let session: String
        do throws(TopicError) {
            session = try Topic(topic).session
        } catch {
            throw Rejection(error)
        }
        guard body.count <= Limits.bodyBytesMax else {
            throw Rejection(.tooLarge, "a body has at most \(Limits.bodyBytesMax) bytes")
        }
        guard unanswered[session, default: 0] < Limits.publishesUnansweredMax else {
            throw Rejection(
                .busy,
                "\(Limits.publishesUnansweredMax) publishes of this session are unanswered")
        }
        unanswered[session, default: 0] += 1
        var envelope = envelope
        envelope.publishes = session
        let lane = lane(for: StableHash(session))
        let start = batches[lane].bytes.count
        batches[lane].bytes += topic
        let middle = batches[lane].bytes.count
        batches[lane].bytes += body
        let end = batches[lane].bytes.count
        counters.add(.events)
        add(
            .publish(envelope, topic: start..<middle, body: middle..<end), to: lane,
            isEvent: true)
    }

    // MARK: Answers of the reactor's own

    private func writeHello(_ buffer: inout ByteBuffer) {
        buffer.key("name")
        buffer.json("gestured")
        buffer.key("version")
        buffer.json(Version.text)
        buffer.key("protocol")
        buffer.json(1)
        buffer.key("epoch")
        buffer.json(epoch)
        buffer.key("t")
        buffer.json(grid.instant(at: Clock.monotonic()))
        buffer.key("limits")
        write(Limits.named(sessionsMax: sessionsMax), into: &buffer)
    }

    private func writeScenes(_ buffer: inout ByteBuffer) {
        buffer.key("scenes")
        buffer.append("[")
        for (index, name) in scenes.enumerated() {
            if index > 0 { buffer.append(",") }
            buffer.json(name)
        }
        buffer.append("]")
    }

    private func writeStatistics(_ buffer: inout ByteBuffer) {
        var values = Counters.Name.allCases.map { (name: $0.text, value: counters.get($0)) }
        let uptime = (Clock.monotonic() - grid.origin) / 1_000_000
        values.append(("uptime_ms", uptime))
        values.append(("subscriptions", book.count))
        values.append(("requests_unanswered", requestsWaiting))
        values.append(("outbox_bytes", outbox.bytes))
        values.append(("log_lines_dropped", operations.log.dropped))
        values.append(("lanes", lanes.count))
        var latencies = Histogram()
        var pending = 0
        for lane in lanes {
            lane.load.latencies.withLock { latencies.merge($0) }
            pending += lane.load.pendingEvents.load(ordering: .relaxed)
        }
        values.append(("events_pending", pending))
        for (name, share) in [("p50", 0.5), ("p99", 0.99), ("p999", 0.999)] {
            values.append(("latency_us_\(name)", latencies.quantile(share) / 1_000))
        }
        values.append(("latency_us_max", latencies.max / 1_000))
        buffer.key("stats")
        write(values + Limits.named(sessionsMax: sessionsMax), into: &buffer)
    }

    private func write(
        _ values: [(name: String, value: Int)], into buffer: inout ByteBuffer
    ) {
        buffer.append("{")
        for (index, entry) in values.enumerated() {
            if index > 0 { buffer.append(",") }
            buffer.json(entry.name)
            buffer.append(":")
            buffer.json(entry.value)
        }
        buffer.append("}")
    }
}

extension Node {
    /// Whether there is a number in it that does not come back as it was: digits beyond 64 bits.
    fileprivate var hasHugeNumber: Bool {
        if let elements = array { return elements.contains { $0.hasHugeNumber } }
        if let members { return members.contains { $0.value.hasHugeNumber } }
        if case .number(let number) = value { return number >= 0x1p64 || number <= -0x1p63 }
        return false
    }
}
