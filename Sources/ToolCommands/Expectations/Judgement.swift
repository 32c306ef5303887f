import Commands
import Notation
import Protocol
import Recordings
import Simulation

/// How one expectation compares with a run.
struct Verdict {
    /// One row of a comparison of transitions.
    struct Row: Equatable {
        enum Mark: Equatable { case same, missing, extra, gap }

        var mark: Mark
        /// Milliseconds after the first event; nil: it did not come.
        var time: Double?
        var text: String
    }

    var line: Int
    /// For people and CI servers: `toss.item.x at 500 ms`.
    var name: String
    var isMet: Bool
    var expected = ""
    var got = ""
    /// Further lines: the nearest value, and those before.
    var notes: [(label: String, text: String)] = []
    var rows: [Row] = []
    /// The value there was, for `--update`; nil: none, or an update cannot write it.
    var actual: Actual?

    enum Actual {
        case field(Node?)
        case transitions([ObservedRun.Transition], first: Double)
        case rejections([String])
    }

    /// The expectation; nil: that nothing is refused.
    var expectation: Expectation?
}

/// Compares expectations with what a run published.
struct Judgement {
    /// Values that are shown before the one that was found.
    private static let beforeMax = 3
    /// Rejections that are shown.
    private static let rejectionsMax = 5

    let recording: Recording
    let run: ObservedRun
    /// The time of the first event, on the recording's scale.
    private let first: Double

    init(_ recording: Recording, _ run: ObservedRun) {
        self.recording = recording
        self.run = run
        first = recording.events.first?.time ?? 0
    }

    /// The paths that the expectations ask of each session.
    static func wanted(_ expectations: Expectations, _ recording: Recording) -> [String: [String]] {
        var wanted: [String: Set<String>] = [:]
        for expectation in expectations.all {
            guard case .field(let path, _) = expectation.subject else { continue }
            let session = expectation.session ?? recording.firstSession
            wanted[session, default: []].insert(path)
        }
        return wanted.mapValues { $0.sorted() }
    }

    /// The verdicts in the order of the file, that on rejections last.
    func verdicts(on expectations: Expectations) -> [Verdict] {
        expectations.all.map(verdict) + [rejections(expectations)]
    }

    private func verdict(on expectation: Expectation) -> Verdict {
        let session = expectation.session ?? recording.firstSession
        let name = expectation.title.isEmpty ? "" : "\(expectation.title): "
        let place = expectation.session.map { " of \($0)" } ?? ""
        var verdict: Verdict
        switch expectation.subject {
        case .field(let path, let value):
            verdict = field(path, value, session, at: expectation.moment)
            verdict.name = "\(name)\(path)\(place) \(words(expectation.moment))"
        case .transitions(let list, let from):
            verdict = transitions(list, session, from: from, until: expectation.moment)
            let until = expectation.moment == .end ? "" : ", \(words(expectation.moment))"
            verdict.name = "\(name)transitions\(place)\(until)"
        }
        verdict.line = expectation.line
        verdict.expectation = expectation
        return verdict
    }

    // MARK: Time

    /// The time of a moment on the recording's scale; nil: the recording lacks it.
    private func time(of moment: Expectation.Moment) -> Double? {
        switch moment {
        case .at(let time): return first + time
        case .end: return max(run.end, recording.events.last?.time ?? 0)
        case .event(let number, let plus):
            guard number <= recording.events.count else { return nil }
            return recording.events[number - 1].time + plus
        case .caption(let text, let plus):
            return recording.captions.first { $0.text.holds(text) }.map { $0.time + plus }
        }
    }

    private func words(_ moment: Expectation.Moment) -> String {
        func plus(_ wait: Double) -> String { wait == 0 ? "" : " + \(short(wait)) ms" }
        return switch moment {
        case .at(let time): "at \(short(time)) ms"
        case .end: "at the end"
        case .event(let number, let wait): "after event \(number)\(plus(wait))"
        case .caption(let text, let wait): "after \"\(text)\"\(plus(wait))"
        }
    }

    private func absence(of moment: Expectation.Moment) -> String {
        switch moment {
        case .event: "the recording has \(recording.events.count) events"
        case .caption:
            recording.captions.isEmpty
                ? "the recording has no captions"
                : "no caption contains it; the first is \"\(recording.captions[0].text)\""
        case .at, .end: ""
        }
    }

    // MARK: Fields

    private func field(
        _ path: String, _ expected: ExpectedValue, _ session: String, at moment: Expectation.Moment
    ) -> Verdict {
        var verdict = Verdict(line: 0, name: path, isMet: false, expected: expected.text)
        guard let time = time(of: moment) else {
            verdict.got = absence(of: moment)
            return verdict
        }
        let series = run.series[session]?[path] ?? ObservedRun.Series()
        let place = series.place(at: time)
        // Nothing is published before the first count.
        let zero = ObservedRun.isBadge(path) ? Node(.integer(0)) : nil
        // A name that no state has, as after a change of names, must not pass for "absent".
        if let stranger = stranger(session) {
            verdict.got = stranger
            return verdict
        }
        guard zero != nil || series.values.contains(where: { $0 != nil }) else {
            verdict.got = hint(for: path, session)
            return verdict
        }
        let value = place.flatMap { series.values[$0] } ?? zero
        verdict.actual = .field(value)
        verdict.isMet = expected.accepts(value)
        verdict.got = text(value)
        if verdict.isMet { return verdict }
        if let place { verdict.got += "  since \(short(series.times[place] - first)) ms" }
        if let distance = expected.distance(to: value), distance > 0, let value = value?.double {
            let words = difference(expected, value)
            if !words.isEmpty { verdict.got += ", \(words)" }
        }
        if let nearest = nearest(expected, series, to: time) {
            verdict.notes.append(("nearest", nearest))
        }
        if let place, place > 0 {
            let before = (max(0, place - Self.beforeMax)..<place).map { index in
                "\(short(series.times[index] - first)) ms: \(text(series.values[index]))"
            }
            verdict.notes.append(("before", before.joined(separator: "  ")))
        }
        return verdict
    }

    private func difference(_ expected: ExpectedValue, _ value: Double) -> String {
        switch expected {
        case .number(let wanted, _):
            "\(short((value - wanted).magnitude)) too \(value > wanted ? "large" : "small")"
        case .range(let low?, _, _) where value < low: "\(short(low - value)) too small"
        case .range(_, let high?, _) where value > high: "\(short(value - high)) too large"
        default: ""
        }
    }

    /// The accepted value that is nearest in time, else the nearest number.
    private func nearest(
        _ expected: ExpectedValue, _ series: ObservedRun.Series, to time: Double
    ) -> String? {
        var best: (index: Int, score: Double)?
        for (index, value) in series.values.enumerated() where expected.accepts(value) {
            // A value lasts until the next one.
            let until = index + 1 < series.times.count ? series.times[index + 1] : .infinity
            let score = max(series.times[index] - time, time - until, 0)
            if best.map({ score < $0.score }) ?? true { best = (index, score) }
        }
        if let best {
            let from = short(series.times[best.index] - first)
            guard best.index + 1 < series.times.count else { return "as expected from \(from) ms" }
            let until = short(series.times[best.index + 1] - first)
            return "as expected from \(from) to \(until) ms"
        }
        for (index, value) in series.values.enumerated() {
            guard let score = expected.distance(to: value) else { continue }
            if best.map({ score < $0.score }) ?? true { best = (index, score) }
        }
        return best.map {
            "\(text(series.values[$0.index])) at \(short(series.times[$0.index] - first)) ms"
        }
    }

    private func text(_ value: Node?) -> String {
        guard let value, !value.isNull else { return "absent" }
        if let number = value.double { return short(number, decimals: 6) }
        if value.members != nil { return "present" }
        if let list = value.array { return "[\(list.map(text).joined(separator: ", "))]" }
        return String(decoding: value.json(), as: UTF8.self)
    }

    /// The words for a session that the recording never opens; nil: it does.
    private func stranger(_ session: String) -> String? {
        if run.components[session] != nil { return nil }
        let nearest = nearestName(to: session, among: run.components.keys.sorted())
        return "the recording opens no session \"\(session)\"" + Self.question(nearest)
    }

    /// The words for a field that no state of the run has.
    private func hint(for path: String, _ session: String) -> String {
        let components = run.components[session, default: []].sorted()
        guard components.contains(where: { path.hasPrefix($0 + ".") }) else {
            let own = String(path.prefix { $0 != "." })
            return "no such component was published"
                + Self.question(nearestName(to: own, among: components))
        }
        let known = run.known[session]?.known ?? []
        // A view as a whole is a name, too.
        let views = known.compactMap { name in
            Fields.numbers.first { name.hasSuffix("." + $0) }
                .map { String(name.dropLast($0.count + 1)) }
        }
        return "no such field was published"
            + Self.question(nearestName(to: path, among: known + views))
    }

    private static func question(_ nearest: String?) -> String {
        nearest.map { "; did you mean \($0)?" } ?? ""
    }

    // MARK: Rejections

    private func rejections(_ expectations: Expectations) -> Verdict {
        var verdict = Verdict(
            line: expectations.rejectionsLine ?? 0, name: "no event is refused", isMet: true)
        let codes = run.rejections.map(\.code)
        verdict.actual = .rejections(codes)
        guard case .codes(let wanted) = expectations.rejections else { return verdict }
        if !wanted.isEmpty { verdict.name = "rejections" }
        verdict.isMet = codes == wanted
        if verdict.isMet { return verdict }
        verdict.expected = wanted.isEmpty ? "no rejections" : wanted.joined(separator: ", ")
        verdict.got = codes.isEmpty ? "none" : counted(codes.count, "rejection")
        for rejection in run.rejections.prefix(Self.rejectionsMax) {
            verdict.notes.append(
                (
                    "\(short(rejection.time - first)) ms",
                    "\(rejection.code): \(rejection.message) (\(rejection.topic))"
                ))
        }
        if codes.count > Self.rejectionsMax {
            verdict.notes.append(("", "and \(codes.count - Self.rejectionsMax) more"))
        }
        return verdict
    }

    // MARK: Transitions

    private func transitions(
        _ expected: [ExpectedTransition], _ session: String, from: Expectation.Moment,
        until: Expectation.Moment
    ) -> Verdict {
        var verdict = Verdict(line: 0, name: "", isMet: false)
        guard let end = time(of: until), let begin = time(of: from) else {
            verdict.got = absence(of: time(of: until) == nil ? until : from)
            return verdict
        }
        if let stranger = stranger(session) {
            verdict.got = stranger
            return verdict
        }
        let components = Set(expected.compactMap(\.component))
        let isOfAll = expected.isEmpty || expected.contains { !$0.isGap && $0.component == nil }
        let transitions = (run.transitions[session] ?? []).filter { transition in
            (isOfAll || components.contains(transition.component))
                && transition.time <= end + 0.001 && transition.time >= begin - 0.001
        }
        verdict.actual = .transitions(transitions, first: first)
        let comparison = TransitionComparison(expected, transitions, first: first)
        verdict.isMet = comparison.isMet
        verdict.rows = comparison.isMet ? [] : comparison.rows
        verdict.expected = counted(expected.filter { !$0.isGap }.count, "transition") + " in order"
        let missing = comparison.rows.filter { $0.mark == .missing }.count
        let extra = comparison.rows.filter { $0.mark == .extra }.count
        verdict.got =
            "\(counted(transitions.count, "transition")): \(missing) missing, \(extra) not expected"
        return verdict
    }
}

extension Recording {
    /// The session of the first event whose topic names one.
    var firstSession: String {
        for event in events {
            let parts = event.topic.split(separator: UInt8(ascii: "/"))
            if parts.count > 1 { return String(decoding: parts[1], as: UTF8.self) }
        }
        return ""
    }
}
