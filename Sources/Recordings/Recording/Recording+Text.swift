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

    /// The whole text. It reads back as this recording, and is always the same bytes.
    package func text() -> [UInt8] {
        var text = Self.header(scene: scene, seed: seed) + [UInt8(ascii: "\n")]
        var captions = captions[...]
        func writeCaptions(before count: Int) {
            while let caption = captions.first, caption.eventsBefore <= count {
                captions.removeFirst()
                let line = Node(
                    .object([
                        Node.Member("t", Self.number(caption.time)),
                        Node.Member("caption", Node(.string(caption.text))),
                    ]))
                text += line.json() + [UInt8(ascii: "\n")]
            }
        }
        for (index, event) in events.enumerated() {
            writeCaptions(before: index)
            text += Self.line(
                time: event.time, step: event.step, topic: event.topic, body: event.body)
            text.append(UInt8(ascii: "\n"))
        }
        writeCaptions(before: .max)
        return text
    }

    /// A time; a whole number has no point.
    private static func number(_ value: Double) -> Node {
        Node(Int(exactly: value).map(Node.Value.integer) ?? .number(value))
    }
}
