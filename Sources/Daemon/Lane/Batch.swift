import Codec
import Geometry
import Interactions
import Notation
import Sessions

/// One round's work for one lane: events as they were received, and requests, in order.
struct Batch: Sendable {
    /// Topics and bodies, end to end.
    var bytes: [UInt8] = []
    var work: [LaneWork] = []
    /// They overtake the work. The last lane that gets one sends it back to the reactor.
    var barriers: [Barrier] = []
    var eventCount = 0
    /// Requests from the reactor. Batches that wait for the store do not count their requests.
    var requestCount = 0
    /// Bytes of the scenes and documents in it as they came. Once parsed, they take several times
    /// as much.
    var documentBytes = 0
    /// When its first event, request or barrier was read, on the monotonic clock.
    var received = 0

    var isEmpty: Bool { work.isEmpty && barriers.isEmpty }

    /// The bytes that it counts for while it waits.
    var size: Int { bytes.count + documentBytes }

    /// Copies an event's frames; returns where they stand. If a topic or a body is too long, it
    /// copies one byte more than the bound. So the lane sees that it is too long.
    @inline(__always)
    mutating func append(
        _ topic: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer
    ) -> (topic: Range<Int>, body: Range<Int>) {
        let topicCount = min(topic.count, Name.topicBytesMax + 1)
        let bodyCount = min(body.count, Limits.bodyBytesMax + 1)
        let start = bytes.count
        // One growth for both: an append of a sequence costs more than the copy.
        bytes.append(addingCapacity: topicCount + bodyCount) {
            unsafe $0.append(topic, topicCount, body, bodyCount)
        }
        let middle = start + topicCount
        return (start..<middle, middle..<middle + bodyCount)
    }

    /// Adds an event whose frames stand in the batch.
    @inline(__always)
    mutating func addEvent(
        _ topic: Range<Int>, _ body: Range<Int>, _ hash: StableHash, isWhole: Bool,
        publisher: UInt32 = 0
    ) {
        if isEmpty { received = Clock.monotonic() }
        work.append(
            .event(
                PlacedEvent(
                    topic: topic, body: body, hash: hash, isWhole: isWhole, publisher: publisher)))
        eventCount += 1
    }

    /// Adds a copy of work whose event stands in other bytes.
    mutating func addCopy(of other: LaneWork, from bytes: UnsafeRawBufferPointer) {
        switch other {
        case .event(let event), .acknowledgedEvent(_, let event), .refusedEvent(_, let event):
            let (topic, body) = unsafe append(
                .init(rebasing: bytes[event.topic]), .init(rebasing: bytes[event.body]))
            let copy = PlacedEvent(
                topic: topic, body: body, hash: event.hash, isWhole: event.isWhole,
                publisher: event.publisher)
            work.append(other.moved(to: copy))
            eventCount += 1
        case .request(_, let request):
            documentBytes += request.documentBytes
            work.append(other)
        case .task: work.append(other)
        }
    }

    /// Adds the work of another batch behind its own.
    mutating func append(_ other: Batch) {
        let count = bytes.count
        bytes += other.bytes
        for work in other.work {
            self.work.append(work.event.map { work.moved(to: $0.behind(count)) } ?? work)
        }
        eventCount += other.eventCount
        documentBytes += other.documentBytes
    }

    /// Empties it. It keeps its memory up to the bounds; a larger buffer is freed whole.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= Limits.spareBatchBytesMax)
        work.removeAll(keepingCapacity: work.capacity <= Limits.spareBatchWorkMax)
        barriers.removeAll()
        eventCount = 0
        requestCount = 0
        documentBytes = 0
        received = 0
    }
}

extension OutputSpan<UInt8> {
    /// Unsafe only because the caller must keep both buffers readable.
    @inline(__always)
    fileprivate mutating func append(
        _ first: UnsafeRawBufferPointer, _ firstCount: Int,
        _ second: UnsafeRawBufferPointer, _ secondCount: Int
    ) {
        precondition(firstCount <= first.count && secondCount <= second.count)
        unsafe withUnsafeMutableBufferPointer { buffer, initialized in
            precondition(firstCount + secondCount <= buffer.count - initialized)
            guard let start = buffer.baseAddress else { return }
            let place = unsafe UnsafeMutableRawPointer(start + initialized)
            if let first = first.baseAddress {
                unsafe place.copyMemory(from: first, byteCount: firstCount)
            }
            if let second = second.baseAddress {
                unsafe (place + firstCount).copyMemory(from: second, byteCount: secondCount)
            }
            initialized += firstCount + secondCount
        }
    }
}

extension Limits {
    /// Bytes of events up to which an emptied batch keeps their memory: those of a round under
    /// load.
    static let spareBatchBytesMax = 64 * 1024
    /// The same for items of work.
    static let spareBatchWorkMax = 1_024
}
