import Notation
import Protocol
import Recordings
import Simulation

/// A first file of expectations, made of a run: what a person would begin with, to be read and cut.
struct ExpectationDraft {
    /// Places of one component at the end.
    private static let placesMax = 12
    /// Captions that become tables.
    private static let captionsMax = 100

    private let recording: Recording
    private let first: Double
    /// The components that changed, by session, in the order of their names.
    private let components: [(session: String, names: [String])]
    private let fields: [String: [String]]

    /// - Parameter run: a run that explored.
    init(_ recording: Recording, _ run: ObservedRun) {
        self.recording = recording
        first = recording.events.first?.time ?? 0
        var fields: [String: [String]] = [:]
        components = run.stateCounts.keys.sorted().map { session in
            let names = (run.stateCounts[session] ?? [:]).filter { $0.value > 1 }.keys.sorted()
            let known = run.known[session]?.known ?? []
            fields[session] = names.flatMap { name in
                known.filter { Self.isShown($0, of: name) }.prefix(Self.placesMax + 1)
            }
            return (session, names)
        }
        self.fields = fields
    }

    /// A phase, or a view's place.
    private static func isShown(_ path: String, of component: String) -> Bool {
        guard path.hasPrefix(component + ".") else { return false }
        let rest = path.dropFirst(component.count + 1)
        if rest == "phase" { return true }
        return !rest.hasPrefix("model.") && (rest.hasSuffix(".x") || rest.hasSuffix(".y"))
    }

    var wanted: [String: [String]] {
        fields.mapValues { $0 + ["badge.total"] }
    }

    func text(of run: ObservedRun, pair: ExpectationRun.Pair) -> String {
        let (recording, file) = (Self.comment(pair.recording), Self.comment(pair.file))
        var text = """
            # The end of \(recording), and what leads there. Keep what matters, cut the rest.
            # gesturectl simulate \(recording) --expect \(file)
            tolerance = 0.5  # points, of x, y, w and h

            """
        if !run.rejections.isEmpty {
            let codes = run.rejections.map { Self.quoted($0.code) }.joined(separator: ", ")
            text += "rejections = [\(codes)]\n"
        }
        for (session, names) in components {
            text += tables(of: session, names, run)
        }
        if components.allSatisfy(\.names.isEmpty) {
            // A file without a table would expect nothing.
            text += "\n[[expect]]\ntransitions = []\n"
        }
        return text
    }

    private func tables(of session: String, _ names: [String], _ run: ObservedRun) -> String {
        var text = ""
        let head = components.count > 1 ? "session = \(Self.quoted(session))\n" : ""
        let end = max(run.end, self.recording.events.last?.time ?? 0)
        for caption in recording.captions.prefix(Self.captionsMax) {
            let phases = lines(names.map { "\($0).phase" }, session, at: caption.time, run)
            if phases.isEmpty { continue }
            text += "\n[[expect]]\n\(head)after = \(Self.quoted(caption.text))\n\(phases)"
        }
        let transitions = (run.transitions[session] ?? []).filter { names.contains($0.component) }
            .prefix(Expectations.transitionsMax)
        let fields = lines(wanted[session] ?? [], session, at: end, run)
        if transitions.isEmpty && fields.isEmpty { return text }
        text += "\n[[expect]]\n\(head)at = \"end\"\n"
        if !transitions.isEmpty {
            let list = transitions.map { "    \(Self.quoted($0.words)),\n" }.joined()
            text += "transitions = [\n\(list)]\n"
        }
        return text + fields
    }

    /// A line for each field that has a value at a time.
    private func lines(
        _ paths: [String], _ session: String, at time: Double, _ run: ObservedRun
    ) -> String {
        paths.map { path in
            guard let series = run.series[session]?[path], let place = series.place(at: time),
                let value = series.values[place], !value.isNull
            else { return "" }
            // Dots between the parts need no quotes, dots inside of them do.
            let isPlain = path.allSatisfy(Self.isPlain)
            let json = String(decoding: value.json(), as: UTF8.self)
            return "\(isPlain ? path : Self.quoted(path)) = \(json)\n"
        }.joined()
    }

    private static func quoted(_ text: String) -> String {
        String(decoding: Node(.string(text)).json(), as: UTF8.self)
    }

    /// Whether a key may have the character without quotes.
    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber)
            || "_.-".contains(character)
    }

    private static func comment(_ text: String) -> String { Printable.line(text) }
}
