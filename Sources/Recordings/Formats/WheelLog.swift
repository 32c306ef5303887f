import Motion
import Notation
import Protocol

/// Turns of a wheel as a browser tells them: `{"wheelEvents":[{"deltaX":…,"deltaY":…,
/// "deltaMode":0,"timeStamp":…}, …]}`.
///
/// A run of turns becomes one `scroll` from its first to its last. A run that goes mostly across
/// becomes a `swipe`, the way of the fingers: against that of the content.
struct WheelLog {
    /// Bytes of a file, which is one document; a minute of a trackpad has some 400 KB.
    static let fileBytesMax = 32 * 1_024 * 1_024
    /// Microseconds without a turn after which a new gesture begins.
    static let pauseMicroseconds = 400_000
    /// Points of a line, where turns are counted in lines.
    static let lineHeight = 18.0
    /// Points across after which a run is a swipe.
    static let swipeDistance = 50.0

    private struct Turn {
        var microseconds: Int
        var x: Double
        var y: Double
        var line: Int
    }

    private var turns: [Turn] = []

    init(
        _ bytes: [UInt8], _ options: ReadingOptions, _ complaints: inout Diagnostics
    ) throws(RecordingError) {
        guard bytes.count <= Self.fileBytesMax else {
            throw complaints.error(1, "a wheel log of more than \(Self.fileBytesMax) bytes")
        }
        let node: Node
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
        do throws(DocumentError) {
            node = try Document.jsonFile(text)
        } catch {
            throw complaints.error(error.line ?? 1, error.message)
        }
        guard let events = node["wheelEvents"]?.array else {
            throw complaints.error(1, "wheelEvents must be a list")
        }
        var timeline = Timeline()
        for (index, event) in events.enumerated() {
            let line = event.line ?? 1
            do throws(RecordingError) {
                let turn = try Self.turn(event, index, line, options, complaints)
                try timeline.check(turn.microseconds, line, complaints)
                timeline.take(turn.microseconds)
                turns.append(turn)
            } catch {
                try complaints.skip(error)
            }
        }
        // A run of one turn has two events.
        try complaints.checkCount(2 * turns.count, turns.last?.line ?? 1)
    }

    private static func turn(
        _ event: Node, _ index: Int, _ line: Int, _ options: ReadingOptions,
        _ complaints: Diagnostics
    ) throws(RecordingError) -> Turn {
        guard event.members != nil else {
            throw complaints.error(line, "wheelEvents[\(index)] must be an object")
        }
        func number(_ name: String) throws(RecordingError) -> Double {
            guard let member = event[name] else {
                throw complaints.error(line, "wheelEvents[\(index)]: \(name) is missing")
            }
            guard let number = member.double, number.magnitude <= Recording.timeMillisecondsMax
            else {
                throw complaints.error(
                    line, "wheelEvents[\(index)]: \(name) must be a number within ±9e12")
            }
            return number
        }
        guard let time = Timeline.microseconds(try number("timeStamp")) else {
            throw complaints.error(line, "wheelEvents[\(index)]: timeStamp is out of range")
        }
        let mode = event["deltaMode"].map(\.int) ?? 0
        let unit: Double
        switch mode {
        case 0: unit = 1
        case 1: unit = lineHeight
        case 2: unit = options.viewport.height
        default:
            throw complaints.error(line, "wheelEvents[\(index)]: deltaMode must be 0, 1 or 2")
        }
        let scale = unit * (options.scale ?? 1)
        return Turn(
            microseconds: time, x: try number("deltaX") * scale,
            y: try number("deltaY") * scale, line: line)
    }

    /// The gestures, from time 0.
    func events(
        topic: [UInt8], _ options: ReadingOptions, _ complaints: inout Diagnostics
    ) throws(RecordingError) -> [Recording.Event] {
        var events: [Recording.Event] = []
        var way = options.offset
        var still = 0
        for run in runs() {
            let (x, y) = (run.reduce(0) { $0 + $1.x }, run.reduce(0) { $0 + $1.y })
            if x.magnitude > y.magnitude {
                guard let swipe = swipe(run, topic, options) else {
                    still += 1
                    continue
                }
                events.append(swipe)
            } else {
                events += try scroll(run, from: &way, topic, options, complaints)
            }
        }
        if still > 0 {
            complaints.note(
                "\(counted(still, "run")) across of less than \(Int(Self.swipeDistance)) points "
                    + "left out", leavesOut: true)
        }
        return events
    }

    /// The turns, parted where nothing turns for a while.
    private func runs() -> [ArraySlice<Turn>] {
        var runs: [ArraySlice<Turn>] = []
        var start = 0
        for index in turns.indices.dropFirst()
        where turns[index].microseconds - turns[index - 1].microseconds > Self.pauseMicroseconds {
            runs.append(turns[start..<index])
            start = index
        }
        return start < turns.count ? runs + [turns[start...]] : runs
    }

    private func time(of turn: Turn) -> Double {
        Double(turn.microseconds - turns[0].microseconds) / 1_000
    }

    private func swipe(
        _ run: ArraySlice<Turn>, _ topic: [UInt8], _ options: ReadingOptions
    ) -> Recording.Event? {
        var way = 0.0
        for turn in run {
            way += turn.x
            guard way.magnitude >= Self.swipeDistance else { continue }
            let body = Node(
                .object([
                    Node.Member("gesture", Node(.string("swipe"))),
                    Node.Member("direction", Node(.string(way < 0 ? "right" : "left"))),
                    Node.Member("x", Node(.number(options.viewport.width / 2))),
                    Node.Member("y", Node(.number(options.viewport.height / 2))),
                ]))
            return Recording.Event(
                time: time(of: turn), topic: topic, body: body.json(), line: turn.line)
        }
        return nil
    }

    private func scroll(
        _ run: ArraySlice<Turn>, from way: inout Double, _ topic: [UInt8],
        _ options: ReadingOptions, _ complaints: Diagnostics
    ) throws(RecordingError) -> [Recording.Event] {
        var events: [Recording.Event] = []
        func append(_ phase: String, _ offset: Double, _ turn: Turn) {
            let body = Node(
                .object([
                    Node.Member("gesture", Node(.string("scroll"))),
                    Node.Member("phase", Node(.string(phase))),
                    Node.Member("offset", Node(.number(offset))),
                ]))
            events.append(
                Recording.Event(
                    time: time(of: turn), topic: topic, body: body.json(), line: turn.line))
        }
        for (index, turn) in zip(run.indices, run) {
            way += turn.y
            let shown = Self.shown(way, options)
            guard shown.magnitude <= NumberRange.coordinateMax else {
                throw complaints.error(turn.line, "an offset beyond ±1,000,000 points")
            }
            let isLast = index == run.endIndex - 1
            if index == run.startIndex { append("began", shown, turn) }
            if isLast || index > run.startIndex {
                append(isLast ? "ended" : "changed", shown, turn)
            }
        }
        // What springs back after the end begins there again.
        way = min(Self.last(options), max(0, way))
        return events
    }

    /// The offset at the end of the content.
    private static func last(_ options: ReadingOptions) -> Double {
        options.contentHeight.map { max(0, $0 - options.viewport.height) } ?? .infinity
    }

    /// The offset that a client shows: beyond an edge it follows by a rubber band.
    private static func shown(_ way: Double, _ options: ReadingOptions) -> Double {
        let edge = min(last(options), max(0, way))
        return way == edge
            ? way
            : edge + ScrollPhysics.rubberBand(way - edge, extent: options.viewport.height)
    }
}
