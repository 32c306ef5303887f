import Codec
import Geometry
import Notation
import Protocol
import Sessions
import Synchronization
import ZeroMQ

/// Events from their frames to the batches of their lanes. Lanes decode them, the reactor does not.
extension Reactor {
    /// Reads one round's events, unless a lane is behind: then publishers wait.
    func readEvents() throws(ZeroMQError) {
        let haveRoom = work.haveRoom
        let isChanged = polling.setReadsEvents(haveRoom)
        if isChanged, !haveRoom { counters.add(.pauses) }
        guard haveRoom else { return }
        // A socket that was not read until now was not asked either.
        counters.add(.events, try readEvents(from: .events, wasAsked: !isChanged))
        let pushed = try readEvents(from: .pushes, wasAsked: !isChanged)
        counters.add(.events, pushed)
        counters.add(.pushed, pushed)
    }

    /// Reads one round's events of a socket; returns how many they are.
    private func readEvents(
        from source: EventSource, wasAsked: Bool
    ) throws(ZeroMQError) -> Int {
        guard polling.hasEvents(from: source) else {
            if wasAsked { traffic.addEvents(PeerTraffic.emptied, from: source) }
            return 0
        }
        var count = 0
        var bytes = 0
        var received = 0
        // Bytes are counted by connection. libzmq takes long to tell an event's, so that few are
        // asked. Where a connection seems to have much unread by that, each event is, and the next
        // one of that connection shows that all before it was read.
        let asksEach = traffic.connections.isExact.load(ordering: .relaxed)
        var sender: CInt = -1
        var counted = 0
        if polling.isWithinEvent(from: source) {
            try skipRest(from: source, &received)
            sender = frames.frame.descriptor
        }
        var isEmpty = false
        while !polling.isWithinEvent(from: source), count < Limits.roundMessagesMax,
            bytes < Limits.roundBytesMax
        {
            guard try receiveFrame(from: source) else {
                isEmpty = true
                break
            }
            count += 1
            if asksEach || count % Limits.eventsOfOneSender == 1,
                sender != frames.frame.descriptor
            {
                traffic.connections.read.add(received - counted, on: sender)
                (sender, counted) = (frames.frame.descriptor, received)
            }
            bytes += try readEvent(from: source, received: &received)
            // A round's events may take far longer than a lane has time for.
            if count.isMultiple(of: Limits.eventsAtOnceMax), !work.haveRoomForMore { break }
        }
        // The topics' frame is given back by the attempt that found nothing.
        if count > 0 { frames.body.release() }
        traffic.connections.read.add(received - counted, on: sender)
        traffic.bytes.wrappingAdd(received, ordering: .relaxed)
        traffic.eventBytes.wrappingAdd(received, ordering: .relaxed)
        traffic.addEvents(count + (isEmpty ? PeerTraffic.emptied : 0), from: source)
        return count
    }

    /// Receives a frame into `frames.frame`.
    @inline(__always)
    private func receiveFrame(from source: EventSource) throws(ZeroMQError) -> Bool {
        switch source {
        case .events: try sockets.events.receive(into: &frames.frame)
        case .pushes: try sockets.pushes.receive(into: &frames.frame)
        }
    }

    /// Receives a frame into `frames.body`.
    @inline(__always)
    private func receiveBody(from source: EventSource) throws(ZeroMQError) -> Bool {
        switch source {
        case .events: try sockets.events.receive(into: &frames.body)
        case .pushes: try sockets.pushes.receive(into: &frames.body)
        }
    }

    /// Skips what follows in a message, and notes whether it is at its end.
    private func skipRest(
        from source: EventSource, _ received: inout Int
    ) throws(ZeroMQError) {
        let isAtEnd =
            switch source {
            case .events: try skipRest(of: sockets.events, received: &received)
            case .pushes: try skipRest(of: sockets.pushes, received: &received)
            }
        polling.setWithinEvent(!isAtEnd, from: source)
    }

    /// Skips the frames that follow in a message, at most so many in one round: a message may have
    /// millions. Returns whether it is at its end.
    func skipRest(
        of socket: borrowing Socket, received: inout Int
    ) throws(ZeroMQError) -> Bool {
        for count in 1...Limits.roundFramesMax {
            guard try socket.receive(into: &frames.frame) else { return true }
            received += traffic.bytes(of: frames.frame)
            if !frames.frame.hasMore {
                noteSurplus(count)
                return true
            }
        }
        noteSurplus(Limits.roundFramesMax)
        return false
    }

    /// The client of the topic that was received, if it may not publish there. A topic without a
    /// session is refused for that.
    private func unauthorizedPublisher(_ client: Int) -> Int? {
        let mayPublish = unsafe frames.frame.withBytes { bytes in
            guard let session = unsafe Topic.session(in: bytes) else { return true }
            return unsafe clients.mayPublish(
                client, to: UnsafeRawBufferPointer(rebasing: bytes[session.range]))
        }
        return mayPublish ? nil : client
    }

    /// Reads the message whose first frame has just been received; returns the bytes that it keeps.
    private func readEvent(
        from source: EventSource, received: inout Int
    ) throws(ZeroMQError) -> Int {
        if traffic.isAuditing.load(ordering: .relaxed) { traffic.note(frames.frame.descriptor) }
        received += traffic.bytes(of: frames.frame)
        let (lane, hash, isHere) = route()
        let client = clients.areLimited ? frames.frame.client : -1
        let stranger = clients.areLimited ? unauthorizedPublisher(client) : nil
        let hasBody = frames.frame.hasMore ? try receiveBody(from: source) : false
        if hasBody { received += traffic.bytes(of: frames.body) }
        if let stranger, !mayReport(stranger) {
            let skipped = frames.frame.count + (hasBody ? frames.body.count : 0)
            if hasBody, frames.body.hasMore { _ = try readHops(from: source, &received) }
            return skipped
        }
        // Only of one that a lane is told of now: equal events have their senders by their order.
        if traffic.tap.isOn, isHere { noteSender(hasBody: hasBody) }
        let (topicRange, bodyRange) = work.append(
            frames.frame, frames.body, hasBody: hasBody, to: lane)
        var isWhole = hasBody
        var hops: UInt8?
        if hasBody, frames.body.hasMore {
            hops = try readHops(from: source, &received)
            isWhole = hops != nil
        }
        let kept = topicRange.count + bodyRange.count
        if let stranger {
            work.add(
                .refusedEvent(
                    clients.refusalToPublish(stranger),
                    PlacedEvent(topic: topicRange, body: bodyRange, hash: hash)),
                to: lane, isEvent: true)
            return kept
        }
        guard isHere || !isWhole else {
            let (topic, body) = work.take(topicRange, bodyRange, of: lane)
            place(.event(topic: topic, body: body, hops: hops), ofShard: hash)
            return kept
        }
        // Another member has passed on what brings a count of hops, for one of its own clients.
        let publisher = hops == nil ? clients.publisher(client) : 0
        work.addEvent(
            topicRange, bodyRange, hash, isWhole: isWhole, publisher: publisher, to: lane)
        return kept
    }

    /// Notes the sender of the event that was received, for those who tap.
    private func noteSender(hasBody: Bool) {
        let (client, descriptor) = (frames.frame.client, frames.frame.descriptor)
        let name = senderName(client: client, descriptor: descriptor, host: frames.frame.host)
        unsafe frames.frame.withBytes { topic in
            guard hasBody else {
                let none = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
                return unsafe traffic.tap.note(topic, none, from: name)
            }
            unsafe frames.body.withBytes { body in
                unsafe traffic.tap.note(topic, body, from: name)
            }
        }
    }

    /// Counts an event that its client may not publish. Whether a lane is to tell of it.
    private func mayReport(_ stranger: Int) -> Bool {
        countUnauthorized(stranger)
        if clients.mayReport(stranger, at: Clock.monotonic()) { return true }
        counters.add(.rejected)
        counters.add(.rejectionsUntold)
        return false
    }

    /// The lane of the topic that was received, and whether its session lives here now. A bad topic
    /// has no lane of its own; the first lane refuses it.
    private func route() -> (lane: Int, StableHash, isHere: Bool) {
        unsafe frames.frame.withBytes { bytes in
            guard let session = unsafe Topic.session(in: bytes) else {
                return (0, StableHash(), true)
            }
            let name = unsafe RawSpan(_unsafeBytes: bytes).extracting(session.range)
            let (lane, isHere) = work.route(name, session.hash)
            return (lane, session.hash, isHere)
        }
    }

    /// Reads what follows the body: a digit, how often the event may be passed on. Nil: something
    /// else, which is skipped.
    private func readHops(
        from source: EventSource, _ received: inout Int
    ) throws(ZeroMQError) -> UInt8? {
        guard try receiveFrame(from: source) else { return nil }
        received += traffic.bytes(of: frames.frame)
        if frames.frame.hasMore {
            try skipRest(from: source, &received)
            return nil
        }
        guard frames.frame.count == 1 else { return nil }
        let digit = unsafe frames.frame.withBytes { unsafe $0[0] }
        let zero = UInt8(ascii: "0")
        return digit >= zero && digit <= zero + Limits.hopsMax ? digit - zero : nil
    }
}

extension Limits {
    /// Messages that the reactor reads in one round, of each socket, before it does anything else.
    static let roundMessagesMax = 512
    /// Events that are read together, before the reactor looks whether their lanes have room for
    /// more. A power of two: it is asked for each event.
    static let eventsAtOnceMax = 4
    /// Events of a round of which one is asked for its connection. A power of two.
    static let eventsOfOneSender = 8
    /// Bytes of events that the reactor reads in one round: a large body is at most one of many.
    static let roundBytesMax = 1024 * 1024
    /// How often an event may be passed on: to a member that has just given the session away, and
    /// from there once more.
    static let hopsMax: UInt8 = 3
    /// Frames beyond those of an event or request that the reactor skips in one round.
    static let roundFramesMax = 16_384
}
