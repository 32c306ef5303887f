import Foundation
import GesturedClient
import Notation
import Protocol

/// The adapter of the Swift client to the conformance suite, whose README.md stands two folders up:
/// it does what the lines say by the client's public functions.
@main
struct Adapter {
    private var connection: Connection?
    private var control: Control?
    private var publisher: Publisher?
    private var watch: Task<Void, Never>?

    static func main() async {
        var adapter = Adapter()
        while let line = readLine() {
            guard let order = try? Document.json(Array(line.utf8)) else { continue }
            await adapter.obey(order)
        }
    }

    private mutating func obey(_ order: Node) async {
        do {
            try await act(order)
        } catch ClientError.refused(let code, let message) {
            fail(code, message)
        } catch ClientError.noAnswer {
            fail("no-answer", "the daemon did not answer")
        } catch ClientError.handshake(_, let message) {
            fail("unauthorized", message)
        } catch {
            fail("transport", "\(error)")
        }
    }

    private mutating func act(_ order: Node) async throws {
        switch order["do"]?.string {
        case "connect":
            watch?.cancel()
            await watch?.value
            try connect(order)
        case "watch": try startWatch(order)
        case "publish": try publish(order)
        case "request":
            let fields = order["fields"] ?? Node(.object([]))
            let reply = try control?.request(order["op"]?.string ?? "", fields: fields.text)
            say(#"{"done":\#(reply ?? "null")}"#)
        case "layers", "hit": try draw(order)
        case "curve":
            if let spring = order["curve"]?["spring"]?.array?.compactMap(\.double) {
                let curve = SpringCurve(
                    stiffness: spring[0], damping: spring[1], velocity: spring[2])
                say(#"{"y":\#(curve.value(after: order["seconds"]?.double ?? 0))}"#)
                return
            }
            let curve = Curve(rawValue: order["name"]?.string ?? "")
            say(#"{"y":\#(curve?.value(at: order["x"]?.double ?? 0) ?? 0)}"#)
        default: fail("unknown", "an unknown line")
        }
    }

    private mutating func connect(_ order: Node) throws {
        let endpoints = Endpoints(
            events: order["events"]?.string ?? "", updates: order["updates"]?.string ?? "",
            control: order["control"]?.string ?? "")
        // The suite's timeout is that of one try.
        let timeout = Int((order["timeout"]?.double ?? 5) * 1_000) * 3
        let keys = try order["key"]?.string.map {
            try ClientKeys(file: $0, server: order["server_key"]?.string)
        }
        let connection = try Connection(
            to: endpoints, timeoutMilliseconds: timeout, keys: keys)
        self.connection = connection
        control = try connection.control()
        publisher = nil
        say(#"{"connected":true}"#)
    }

    private mutating func startWatch(_ order: Node) throws {
        let prefixes = (order["prefixes"]?.array ?? []).compactMap(\.string)
        guard let updates = connection?.updates(of: prefixes) else { return }
        say(#"{"watching":true}"#)
        watch = Task.detached {
            do {
                for try await update in updates {
                    let body = String(decoding: update.body, as: UTF8.self)
                    let topic = Node(.string(update.topic)).text
                    say(#"{"yield":{"topic":\#(topic),"body":\#(body)}}"#)
                }
            } catch {
                fail("transport", "\(error)")
            }
        }
    }

    private mutating func publish(_ order: Node) throws {
        let (topic, body) = (order["topic"]?.string ?? "", order["body"]?.text ?? "{}")
        if order["ack"]?.bool == true {
            say(#"{"done":\#(try control?.publish(topic: topic, body: body) ?? "{}")}"#)
            return
        }
        if publisher == nil { publisher = try connection?.publisher() }
        try publisher?.publish(topic: topic, body: body)
        say(#"{"done":{}}"#)
    }

    private func draw(_ order: Node) throws {
        let states = (order["states"]?.members ?? []).map { ($0.name, $0.value.text) }
        let picture = try SessionPicture(
            scene: order["scene"]?.text ?? "{}",
            states: Dictionary(states, uniquingKeysWith: { $1 }))
        guard order["do"]?.string == "hit" else {
            return say(#"{"layers":[\#(picture.layers.map(text).joined(separator: ","))]}"#)
        }
        guard
            let hit = picture.hit(x: order["x"]?.double ?? 0, y: order["y"]?.double ?? 0)
        else { return say(#"{"hit":null}"#) }
        let view = hit.view.map { Node(.string($0)) } ?? Node(.null)
        let members = [
            Node.Member("component", Node(.string(hit.component))), Node.Member("view", view),
        ]
        say(#"{"hit":\#(Node(.object(members)).text)}"#)
    }

    private func text(_ layer: SessionPicture.Layer) -> String {
        let m = layer.matrix
        let numbers = [m.a, m.b, m.c, m.d, m.tx, m.ty].map { Node(.number($0)) }
        return Node(
            .object([
                .init("component", Node(.string(layer.component))),
                .init("view", Node(.string(layer.view))), .init("matrix", Node(.array(numbers))),
                .init("w", Node(.number(layer.width))), .init("h", Node(.number(layer.height))),
                .init("alpha", Node(.number(layer.alpha))),
                .init("round", Node(.bool(layer.isRound))),
            ])
        ).text
    }
}

private func fail(_ code: String, _ message: String) {
    let members = [
        Node.Member("code", Node(.string(code))), Node.Member("message", Node(.string(message))),
    ]
    say(#"{"failed":\#(Node(.object(members)).text)}"#)
}

private func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

extension Node {
    fileprivate var text: String { String(decoding: json(), as: UTF8.self) }
}
