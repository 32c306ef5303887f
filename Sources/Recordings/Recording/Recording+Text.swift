package import Notation
import Protocol

extension Recording {
    /// The first line of a recording's text, without its end.
    package static func header(scene: Node? = nil, seed: UInt64? = nil) -> [UInt8] {
        var members = [Node.Member("gesture-recording", Node(.integer(1)))]
        if let scene { members.append(Node.Member("scene", scene)) }
        if let seed { members.append(Node.Member("seed", Node(.integer(Int(clamping: seed))))) }
        return Node(.object(members)).json()
    }

    /// The line of one event, without its end.
    package static func line(
        time: Double, step: Int? = nil, topic: [UInt8], body: [UInt8]
    ) -> [UInt8] {
        var head = [Node.Member("t", Self.number(time))]
        if let step { head.append(Node.Member("step", Node(.integer(step)))) }
        head.append(
            Node.Member("topic", Node(.string(String(decoding: topic, as: UTF8.self)))))
        return Node(.object(head)).json().dropLast() + Array(",\"body\":".utf8) + body
            + [UInt8(ascii: "}")]
    }

    /// The line of a request that opens a session, without its end. Its scene may be larger than
    /// an event. A `scene` of nil says that the session's scene is missing.
    package static func opening(
        time: Double, step: Int? = nil, session: String, scene: Node?, replaces: Bool = false
    ) -> [UInt8] {
        var members = [Node.Member("t", number(time))]
        if let step { members.append(Node.Member("step", Node(.integer(step)))) }
        members.append(Node.Member("session", Node(.string(session))))
        members.append(Node.Member("scene", scene ?? Node(.null)))
        if replaces { members.append(Node.Member("replace", Node(.bool(true)))) }
        return Node(.object(members)).json()
    }

    /// The whole text. It reads back as this recording, and is always the same bytes.
    package func text() -> [UInt8] {
        var text = Self.header(scene: scene, seed: seed) + [UInt8(ascii: "\n")]
        var others = otherLines[...]
        func writeOthers(before count: Int) {
            while let other = others.first, other.eventsBefore <= count {
                others.removeFirst()
                text += other.line + [UInt8(ascii: "\n")]
            }
        }
        for (index, event) in events.enumerated() {
            writeOthers(before: index)
            text += Self.line(of: event)
            text.append(UInt8(ascii: "\n"))
        }
        writeOthers(before: .max)
        return text
    }

    private static func line(of event: Event) -> [UInt8] {
        guard event.isRequest, let topic = try? Topic(event.topic),
            let body = try? Document.json(event.body)
        else {
            return line(
                time: event.time, step: event.step, topic: event.topic, body: event.body)
        }
        return opening(
            time: event.time, step: event.step, session: topic.session, scene: body["scene"],
            replaces: body["replace"]?.bool ?? false)
    }

    /// A line that is no event, and its place.
    private struct OtherLine {
        var eventsBefore: Int
        var time: Double
        var line: [UInt8]
    }

    /// The lines that are no events, in their order.
    private var otherLines: [OtherLine] {
        let shown = captions.map { caption in
            OtherLine(
                eventsBefore: caption.eventsBefore, time: caption.time,
                line: Node(
                    .object([
                        Node.Member("t", Self.number(caption.time)),
                        Node.Member("caption", Node(.string(caption.text))),
                    ])
                ).json())
        }
        let missing = missingScenes.map {
            OtherLine(
                eventsBefore: $0.eventsBefore, time: $0.time,
                line: Self.opening(time: $0.time, session: $0.session, scene: nil))
        }
        if missing.isEmpty { return shown }
        // Captions first, where both have one place. `sorted` alone would promise no order there.
        return (shown + missing).enumerated().sorted {
            ($0.element.eventsBefore, $0.element.time, $0.offset)
                < ($1.element.eventsBefore, $1.element.time, $1.offset)
        }.map(\.element)
    }

    /// A time; a whole number has no point.
    private static func number(_ value: Double) -> Node {
        Node(Int(exactly: value).map(Node.Value.integer) ?? .number(value))
    }
}
