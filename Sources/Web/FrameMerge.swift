import Protocol

/// Makes one frame of two, for a client that has not read the older one yet.
///
/// The newer frame's states stand for those of the same component; transitions follow one another;
/// the badge is the newest. A member `since` says the `seq` of the first frame within, so that the
/// client sees no gap where nothing is lost.
enum FrameMerge {
    /// Nil if they cannot be merged: one is no frame, or their epochs differ.
    static func merged(older: [UInt8], newer: [UInt8]) -> [UInt8]? {
        guard let older = Frame(older), let newer = Frame(newer),
            older.epoch.elementsEqual(newer.epoch)
        else { return nil }
        var buffer = ByteBuffer(capacity: older.bytes.count + newer.bytes.count)
        buffer.append("{\"epoch\":")
        buffer.append(Array(newer.epoch))
        buffer.key("seq")
        buffer.json(newer.seq)
        // Where frames between the two were lost, the client must see it.
        if newer.since == older.seq + 1 {
            buffer.key("since")
            buffer.json(older.since)
        }
        buffer.key("t")
        buffer.append(Array(newer.time))
        buffer.key("states")
        let shown = Set(newer.states.map(\.component))
        append(
            older.states.filter { !shown.contains($0.component) }.map(\.text)
                + newer.states.map(\.text), to: &buffer)
        let transitions = older.transitions + newer.transitions
        if !transitions.isEmpty {
            buffer.key("transitions")
            append(transitions, to: &buffer)
        }
        if let badge = newer.badge ?? older.badge {
            buffer.key("badge")
            buffer.append(Array(badge))
        }
        buffer.append("}")
        return buffer.array()
    }

    private static func append(_ elements: [ArraySlice<UInt8>], to buffer: inout ByteBuffer) {
        buffer.append("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { buffer.append(",") }
            buffer.append(Array(element))
        }
        buffer.append("]")
    }
}

/// The parts of a frame's body.
private struct Frame {
    struct State {
        var component: ArraySlice<UInt8>
        var text: ArraySlice<UInt8>
    }

    let bytes: [UInt8]
    var epoch: ArraySlice<UInt8> = []
    var seq = 0
    /// The `seq` of the first frame within.
    var since = 0
    var time: ArraySlice<UInt8> = []
    var states: [State] = []
    var transitions: [ArraySlice<UInt8>] = []
    var badge: ArraySlice<UInt8>?

    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard let members = try? JSONText.members(of: bytes) else { return nil }
        var parts: [String: Range<Int>] = [:]
        for member in members {
            parts[String(decoding: bytes[member.name], as: UTF8.self)] = member.value
        }
        guard let epoch = parts["epoch"], let time = parts["t"], let states = parts["states"],
            let seq = parts["seq"].flatMap({ Self.number(bytes[$0]) }),
            let elements = try? JSONText.elements(of: bytes, in: states)
        else { return nil }
        self.epoch = bytes[epoch]
        self.seq = seq
        self.time = bytes[time]
        since = parts["since"].flatMap { Self.number(bytes[$0]) } ?? seq
        for element in elements {
            guard let members = try? JSONText.members(of: bytes, in: element),
                let id = members.first(where: { bytes[$0.name].elementsEqual("component".utf8) })
            else { return nil }
            self.states.append(State(component: bytes[id.value], text: bytes[element]))
        }
        if let list = parts["transitions"] {
            guard let elements = try? JSONText.elements(of: bytes, in: list) else { return nil }
            transitions = elements.map { bytes[$0] }
        }
        badge = parts["badge"].map { bytes[$0] }
    }

    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
        Int(String(decoding: text, as: UTF8.self))
    }
}
