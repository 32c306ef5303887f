import Notation
import Protocol

/// The frames of one topic since some client has not read them, folded into one for all clients.
///
/// Each frame is read once, however many clients wait. A client that waits holds the log and the
/// number of its first frame; its message is made when it reads: the newest state of each component
/// that changed since, all transitions since, and the newest badge, variables and touches since. A
/// member `since` says the `seq` of the first frame within, so that the client sees no gap where
/// nothing is lost.
package final class FrameLog {
    private struct State {
        var text: [UInt8]
        /// The number of the frame that brought it.
        var number: Int
        /// Its place among all states that came.
        var order: Int
    }

    private var states: [State] = []
    /// By the text of the component's name.
    private var places: [ArraySlice<UInt8>: Int] = [:]
    private var transitions: [(number: Int, text: [UInt8])] = []
    private var badge: (number: Int, text: [UInt8])?
    private var variables: (number: Int, text: [UInt8])?
    private var touches: (number: Int, text: [UInt8])?
    private var orders = 0

    private let epoch: [UInt8]
    private var seq = 0
    private var time: [UInt8] = []
    /// The `seq` from which on no frame is missing.
    private var unbrokenSince = 0

    /// The numbers of the newest frame within and of the one before it.
    private(set) var last = 0
    private(set) var former = 0
    /// The `seq` of the first frame in the one before the newest.
    private(set) var formerSince = 0
    private var lastSince = 0

    /// Bytes of all that it holds.
    private(set) var byteCount = 0

    /// Begins with two frames. Nil: they cannot be one.
    init?(_ older: Update, _ newer: Update) {
        guard let parts = FrameParts(older.bytes, in: older.bodyRange) else { return nil }
        epoch = Array(parts.bytes[parts.epoch])
        unbrokenSince = parts.since
        seq = parts.since - 1
        fold(parts, older.number)
        guard append(newer) else { return nil }
    }

    /// Takes a newer frame in. Returns false where it must stand by itself: it is no frame, is of
    /// another epoch, or the log has so much that it should leave first.
    func append(_ update: Update) -> Bool {
        guard byteCount <= Self.bytesMax(with: update),
            let parts = FrameParts(update.bytes, in: update.bodyRange),
            parts.bytes[parts.epoch].elementsEqual(epoch)
        else { return false }
        fold(parts, update.number)
        return true
    }

    /// Bytes with which a waiting frame still takes a newer one in.
    static func bytesMax(with newer: Update) -> Int {
        max(Limits.webMergedBytesMax, Limits.webMergedTimesMax * newer.bytes.count)
    }

    private func fold(_ parts: FrameParts, _ number: Int) {
        // Where frames between the two were lost, the client must see it. One that comes again, for
        // a subscription that is new, follows itself.
        if parts.since > seq + 1 || parts.seq < seq { unbrokenSince = parts.since }
        (former, formerSince) = (last, lastSince)
        (last, lastSince) = (number, parts.since)
        seq = parts.seq
        time = Array(parts.bytes[parts.time])
        for state in parts.states {
            orders += 1
            let text = Array(parts.bytes[state.text])
            byteCount += text.count
            let fresh = State(text: text, number: number, order: orders)
            if let place = places[parts.bytes[state.component]] {
                byteCount -= states[place].text.count
                states[place] = fresh
            } else {
                // A copy, for a slice would keep the whole frame.
                places[Array(parts.bytes[state.component])[...]] = states.count
                states.append(fresh)
            }
        }
        for transition in parts.transitions {
            byteCount += transition.count
            transitions.append((number, Array(parts.bytes[transition])))
        }
        if let range = parts.badge {
            byteCount += range.count - (badge?.text.count ?? 0)
            badge = (number, Array(parts.bytes[range]))
        }
        if let range = parts.variables {
            byteCount += range.count - (variables?.text.count ?? 0)
            variables = (number, Array(parts.bytes[range]))
        }
        if let range = parts.touches {
            byteCount += range.count - (touches?.text.count ?? 0)
            touches = (number, Array(parts.bytes[range]))
        }
    }

    /// The body of one frame that stands for all from one number on, whose first `seq` is given.
    func body(from number: Int, since: Int) -> [UInt8] {
        var buffer = ByteBuffer(capacity: byteCount + 256)
        buffer.append("{\"epoch\":")
        buffer.append(epoch)
        buffer.key("seq")
        buffer.json(seq)
        let since = max(since, unbrokenSince)
        if since != seq {
            buffer.key("since")
            buffer.json(since)
        }
        buffer.key("t")
        buffer.append(time)
        buffer.key("states")
        append(
            states.filter { $0.number >= number }.sorted { $0.order < $1.order }.map(\.text),
            to: &buffer)
        let transitions = transitions.filter { $0.number >= number }
        if !transitions.isEmpty {
            buffer.key("transitions")
            append(transitions.map(\.text), to: &buffer)
        }
        if let badge, badge.number >= number {
            buffer.key("badge")
            buffer.append(badge.text)
        }
        if let variables, variables.number >= number {
            buffer.key("variables")
            buffer.append(variables.text)
        }
        if let touches, touches.number >= number {
            buffer.key("touches")
            buffer.append(touches.text)
        }
        buffer.append("}")
        return buffer.array()
    }

    private func append(_ elements: [[UInt8]], to buffer: inout ByteBuffer) {
        buffer.append("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { buffer.append(",") }
            buffer.append(element)
        }
        buffer.append("]")
    }
}

/// The logs of all topics for which a client waits. Queues hold them; the last one to let go of a
/// log ends it.
package struct FrameLogs {
    private struct Reference {
        weak var log: FrameLog?
    }

    private var logs: [ByteKey: Reference] = [:]
    private var lastNumber = 0
    /// The number of a frame that cannot be one with the frame before it.
    private var unmergeable = 0

    package init() {}

    /// Numbers an update, and folds a frame into the log of its topic, if clients wait for one.
    /// It must come before the queues of clients get the update.
    package mutating func take(_ update: inout Update) {
        lastNumber += 1
        update.number = lastNumber
        switch update.kind {
        case .frame:
            if logs[ByteKey(update.topic)]?.log?.append(update) == false {
                logs[ByteKey(update.topic)] = nil
            }
        case .scene(let session), .boundary(let session):
            // Frames of the former scene show components that the new one may not have.
            logs[ByteKey(Update.frameTopic(of: session))] = nil
        case .lasting, .current: break
        }
    }

    /// The log of a frame that has just come, for a client that has not read an older one. Nil:
    /// both stand by themselves.
    mutating func log(of newer: Update, behind older: Update) -> (log: FrameLog, since: Int)? {
        if let log = logs[ByteKey(newer.topic)]?.log {
            return log.last == newer.number && log.former == older.number
                ? (log, log.formerSince) : nil
        }
        guard unmergeable != newer.number else { return nil }
        guard older.bytes.count <= FrameLog.bytesMax(with: newer),
            let log = FrameLog(older, newer)
        else {
            unmergeable = newer.number
            return nil
        }
        logs[ByteKey(newer.topic)] = Reference(log: log)
        return (log, log.formerSince)
    }

    /// Forgets logs that no client waits for. Every tick calls it: it bounds them by what waits.
    package mutating func sweep() { logs = logs.filter { $0.value.log != nil } }

    /// Logs that are remembered.
    package var count: Int { logs.count }
}
