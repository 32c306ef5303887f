import Notation
import Protocol
import Simulation

/// The course of fields over a film, with the transitions and phases of their components.
package struct Course: Sendable {
    package struct Line: Sendable {
        package var name: String
        /// Unbroken runs of points: milliseconds and value.
        package var runs: [[(time: Double, value: Double)]] = []
    }

    package struct Band: Sendable {
        package var component: String
        package var name: String
        /// Milliseconds.
        package var from: Double
        package var to: Double
    }

    /// Bands and phases drawn; more would be a solid block.
    package static let bandsMax = 400

    package private(set) var lines: [Line]
    package private(set) var transitions: [Band] = []
    package private(set) var phases: [Band] = []
    /// Milliseconds from one published frame to the next while something moves.
    private let pace: Double

    /// Throws where a field is unknown, or is no number.
    package init(
        _ film: Film, session: String?, fields names: [String], frameRate: Int
    ) throws(PictureError) {
        lines = names.map { Line(name: $0) }
        pace = 1_000 / Double(frameRate)
        var fields = Fields(names)
        let first = film.sessions.first { Self.has($0, names, film) } ?? film.sessions.first
        guard let session = session ?? first else {
            throw PictureError("the recording opens no session")
        }
        guard film.sessions.contains(session) else {
            throw PictureError(
                "there is no session '\(session)' in the recording; it has "
                    + film.sessions.joined(separator: ", "))
        }
        for message in film.messages where message.session == session && message.kind == .frame {
            guard let frame = try? Document.json(message.body) else { continue }
            for state in frame["states"]?.array ?? [] {
                guard let component = state["component"]?.string else { continue }
                for (index, value) in fields.values(of: component, state) {
                    try append(value, to: index, at: message.time)
                }
                if names.contains(where: { $0.hasPrefix(component + ".") }) {
                    let phase = state["phase"]?.string ?? ""
                    enter(phase, of: component, at: message.time)
                }
            }
            for transition in frame["transitions"]?.array ?? [] {
                take(transition, names, at: message.time)
            }
        }
        if let complaint = fields.complaint { throw PictureError(complaint) }
        for index in lines.indices { hold(index, until: film.end) }
        for index in phases.indices where phases[index].to < 0 { phases[index].to = film.end }
        for index in transitions.indices where transitions[index].to < 0 {
            transitions[index].to = film.end
        }
    }

    /// Lines and bands that no film has, for tests.
    init(lines: [Line], transitions: [Band]) {
        self.lines = lines
        self.transitions = transitions
        pace = 1_000 / 60
    }

    /// Whether a session has the component of the first field.
    private static func has(_ session: String, _ names: [String], _ film: Film) -> Bool {
        film.messages.contains { message in
            guard message.session == session, message.kind == .scene,
                let scene = try? Document.json(message.body)
            else { return false }
            return (scene["components"]?.array ?? []).contains { component in
                guard let id = component["id"]?.string else { return false }
                return names.first?.hasPrefix(id + ".") == true
            }
        }
    }

    // MARK: Lines

    private mutating func append(
        _ value: Node, to index: Int, at time: Double
    ) throws(PictureError) {
        if value.isNull {
            hold(index, until: time)
            lines[index].runs.append([])
            return
        }
        guard let number = value.double ?? value.bool.map({ $0 ? 1 : 0 }) else {
            throw PictureError("\(lines[index].name) is no number, so it cannot be plotted")
        }
        guard let last = lines[index].runs.last?.last else {
            if lines[index].runs.last == nil { lines[index].runs.append([]) }
            lines[index].runs[lines[index].runs.count - 1].append((time, number))
            return
        }
        hold(index, until: time - pace)
        // A rotation that passes half a turn goes on at the other end.
        let isWrapped =
            lines[index].name.hasSuffix(".rotation") && (number - last.value).magnitude > 3
        if isWrapped { lines[index].runs.append([]) }
        lines[index].runs[lines[index].runs.count - 1].append((time, number))
    }

    /// A component at rest publishes nothing: its value stays.
    private mutating func hold(_ index: Int, until time: Double) {
        guard let last = lines[index].runs.last?.last, time > last.time else { return }
        lines[index].runs[lines[index].runs.count - 1].append((time, last.value))
    }

    // MARK: Bands

    private mutating func enter(_ phase: String, of component: String, at time: Double) {
        if let open = phases.lastIndex(where: { $0.component == component && $0.to < 0 }) {
            if phases[open].name == phase { return }
            phases[open].to = time
        }
        guard phases.count < Self.bandsMax else { return }
        phases.append(Band(component: component, name: phase, from: time, to: -1))
    }

    private mutating func take(_ transition: Node, _ names: [String], at time: Double) {
        guard let component = transition["component"]?.string,
            let name = transition["name"]?.string,
            names.contains(where: { $0.hasPrefix(component + ".") })
        else { return }
        if transition["event"]?.string == "began" {
            guard transitions.count < Self.bandsMax else { return }
            transitions.append(Band(component: component, name: name, from: time, to: -1))
        } else if let open = transitions.lastIndex(where: {
            $0.component == component && $0.name == name && $0.to < 0
        }) {
            transitions[open].to = time
        }
    }
}
