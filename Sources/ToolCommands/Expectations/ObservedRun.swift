import Codec
import Notation
import Protocol
import Sessions
import Simulation

/// The updates that a simulation published, as far as expectations ask for it.
final class ObservedRun: MessageSink {
    /// Changes of all wanted fields together, and transitions: hours of a busy screen.
    static let entriesMax = 1_000_000

    /// A transition that was published.
    struct Transition {
        /// Milliseconds on the recording's scale.
        var time: Double
        var component: String
        var name: String
        var event: String
        var from: Node?
        var to: Node?
    }

    struct Refusal {
        var time: Double
        var code: String
        var message: String
        var topic: String
    }

    /// The values of one field, each from its time on; nil: absent.
    struct Series {
        var times: [Double] = []
        var values: [Node?] = []

        /// The place of the value at a time; nil: before the first one.
        func place(at time: Double) -> Int? {
            // Times on the wire are rounded to microseconds.
            let after = times.firstIndex { $0 > time + 0.001 } ?? times.count
            return after == 0 ? nil : after - 1
        }

        fileprivate mutating func append(_ value: Node?, at time: Double) -> Bool {
            if let last = values.last, last == value { return false }
            times.append(time)
            values.append(value)
            return true
        }
    }

    let isFull = false
    private(set) var transitions: [String: [Transition]] = [:]
    private(set) var rejections: [Refusal] = []
    /// By session and path.
    private(set) var series: [String: [String: Series]] = [:]
    /// The components of each session that was opened.
    private(set) var components: [String: Set<String>] = [:]
    /// The fields of the wanted components that there were, for hints.
    private(set) var known: [String: Fields] = [:]
    /// When the last update was published, on the recording's scale.
    private(set) var end = 0.0
    private(set) var updates = 0
    private(set) var overflow = false
    /// By session: the paths, and the component of each.
    private let wanted: [String: [String]]
    private var entries = 0

    /// Whether all fields are noted by their names, and the components that changed.
    private let explores: Bool
    /// Whether all bytes are mixed into ``digest``.
    private let digests: Bool
    /// Equal bytes in the same order give the same digest (FNV-1a).
    private(set) var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    /// By session and component: the number of states.
    private(set) var stateCounts: [String: [String: Int]] = [:]

    /// - Parameter wanted: the paths of each session.
    init(wanted: [String: [String]], explores: Bool = false, digests: Bool = false) {
        self.digests = digests
        self.wanted = wanted
        self.explores = explores
    }

    func message(_ topic: UpdateTopic, _ body: (inout ByteBuffer) -> Void) {
        updates += 1
        var buffer = ByteBuffer()
        body(&buffer)
        let bytes = buffer.array()
        if digests { mix(topic, bytes) }
        end = max(end, Self.time(in: bytes))
        switch topic {
        case .state(let session, let component):
            components[session, default: []].insert(component)
            let paths = (wanted[session] ?? []).filter { $0.hasPrefix(component + ".") }
            guard !paths.isEmpty || explores, let state = try? Document.json(bytes),
                let time = state["t"]?.double
            else { return }
            stateCounts[session, default: [:]][component, default: 0] += 1
            _ = known[session, default: Fields([])].values(of: component, state)
            for path in paths {
                let value = Self.value(of: path.dropFirst(component.count + 1), state)
                note(value, path, session, at: time)
            }
        case .badge(let session):
            guard let badge = try? Document.json(bytes), let time = badge["t"]?.double else {
                return
            }
            for path in wanted[session] ?? [] where Self.isBadge(path) {
                note(Self.badgeValue(of: path, badge), path, session, at: time)
            }
        case .variables(let session):
            guard let variables = try? Document.json(bytes), let time = variables["t"]?.double
            else {
                return
            }
            for path in wanted[session] ?? [] where path.hasPrefix(Self.variablePrefix) {
                let name = String(path.dropFirst(Self.variablePrefix.count))
                note(variables["values"]?[name], path, session, at: time)
            }
        case .transition(let session, let component):
            if let node = try? Document.json(bytes) { add(node, session, component) }
        case .rejected:
            guard let node = try? Document.json(bytes) else { return }
            func text(_ key: String) -> String { node[key]?.string ?? "" }
            if take() {
                rejections.append(
                    Refusal(
                        time: node["t"]?.double ?? 0, code: text("code"),
                        message: text("message"), topic: text("topic")))
            }
        case .session(let session): components[session, default: []].formUnion([])
        case .scene, .rows, .touches, .frame, .sync, .heartbeat: break
        }
    }

    private func mix(_ topic: UpdateTopic, _ bytes: [UInt8]) {
        var head = ByteBuffer()
        topic.append(to: &head)
        for byte in head.array() + bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    /// The time of an update, which stands third in every body, without reading all of it.
    private static func time(in bytes: [UInt8]) -> Double {
        let head = bytes.prefix(160)
        guard let mark = head.range(ofFirst: Array("\"t\":".utf8)) else { return 0 }
        let digits = head[mark.upperBound...].prefix { $0 != UInt8(ascii: ",") }
        return Double(String(decoding: digits, as: UTF8.self)) ?? 0
    }

    private func take() -> Bool {
        entries += 1
        if entries > Self.entriesMax { overflow = true }
        return !overflow
    }

    private func add(_ node: Node, _ session: String, _ component: String) {
        guard take() else { return }
        transitions[session, default: []].append(
            Transition(
                time: node["t"]?.double ?? 0, component: component,
                name: node["name"]?.string ?? "", event: node["event"]?.string ?? "",
                from: node["from"], to: node["to"]))
    }

    private func note(_ value: Node?, _ path: String, _ session: String, at time: Double) {
        guard !overflow else { return }
        if series[session, default: [:]][path, default: Series()].append(value, at: time) {
            _ = take()
        }
    }

    /// A field of a state, or the whole of a view, whose presence can be expected.
    private static func value(of path: Substring, _ state: Node) -> Node? {
        Fields.value(of: path, state) ?? state["views"]?[String(path)]
    }

    // MARK: Counts

    /// The beginning of the paths of variables: `variables.score`.
    private static let variablePrefix = "variables."

    static func isBadge(_ path: String) -> Bool {
        path == "badge.total" || path == "badge.version" || path.hasPrefix("badge.counts.")
    }

    private static func badgeValue(of path: String, _ badge: Node) -> Node? {
        if path.hasPrefix("badge.counts.") {
            let kind = String(path.dropFirst("badge.counts.".count))
            return badge["counts"]?[kind] ?? Node(.integer(0))
        }
        return badge[String(path.dropFirst("badge.".count))]
    }
}
