import Notation
import Protocol

extension RecordingFormat {
    package static let wheel = RecordingFormat(
        title: "a wheel log (JSON)",
        isFirstLine: { line, beginning in
            line.first == UInt8(ascii: "{") && !line.contains("\"gesture-recording\"")
                && beginning.contains("\"wheelEvents\"")
        },
        read: { bytes, options, diagnostics throws(RecordingError) in
            let log = try WheelLog(bytes, options, &diagnostics)
            return Recording(
                events: try log.events(
                    topic: options.topic(component: "list"), options, &diagnostics))
        })
}

/// The turns of a wheel as a browser reports them: `{"wheelEvents":[{"deltaX":…,"deltaY":…,
/// "deltaMode":0,"timeStamp":…}, …]}`.
///
/// Each turn becomes a `wheel` of as many points. A run that goes mostly sideways becomes a `swipe`
/// in the direction of the fingers, which is opposite to that of the content.
package struct WheelLog {
    /// Bytes of a file; a minute of a trackpad has some 400 KB.
    static let fileBytesMax = 32 * 1_024 * 1_024
    /// Microseconds without a turn after which a new run begins.
    static let pauseMicroseconds = 400_000
    /// Points of a line, for turns in lines: as gestured.js and protocol/touch.md have them.
    package static let lineHeight = 16.0
    /// Points of a notch of a mouse's wheel, which is three lines, as the toolkits have it.
    package static let pointsOfNotch = 3 * lineHeight
    /// Sideways points after which a run is a swipe.
    static let swipeDistance = 50.0

    private struct Turn {
        var microseconds: Int
        var x: Double
        var y: Double
        var line: Int
    }

    /// Ways in runs that are not played as they went. A hand never goes quite straight, so only
    /// runs in which they are long count.
    private struct Ways {
        /// The least part of a run's whole way.
        private static let partMin = 0.1

        private(set) var points = 0.0
        private(set) var runs = 0

        mutating func add(_ way: Double, of whole: Double) {
            guard way >= WheelLog.swipeDistance, way >= Self.partMin * whole else { return }
            points += way
            runs += 1
        }
    }

    private var turns: [Turn] = []

    init(
        _ bytes: [UInt8], _ options: ReadingOptions, _ diagnostics: inout Diagnostics
    ) throws(RecordingError) {
        guard bytes.count <= Self.fileBytesMax else {
            throw diagnostics.error(1, "a wheel log of more than \(Self.fileBytesMax) bytes")
        }
        let node: Node
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
        do throws(DocumentError) {
            node = try Document.jsonFile(text)
        } catch {
            throw diagnostics.error(error.line ?? 1, error.message)
        }
        guard let events = node["wheelEvents"]?.array else {
            throw diagnostics.error(1, "wheelEvents must be a list")
        }
        var timeline = Timeline()
        for (index, event) in events.enumerated() {
            let line = event.line ?? 1
            do throws(RecordingError) {
                let turn = try Self.turn(event, index, line, options, diagnostics)
                try timeline.check(turn.microseconds, line, diagnostics)
                timeline.recordTime(turn.microseconds)
                turns.append(turn)
            } catch {
                try diagnostics.skipLine(error)
            }
        }
        try diagnostics.checkCount(turns.count, turns.last?.line ?? 1)
    }

    private static func turn(
        _ event: Node, _ index: Int, _ line: Int, _ options: ReadingOptions,
        _ diagnostics: Diagnostics
    ) throws(RecordingError) -> Turn {
        guard event.members != nil else {
            throw diagnostics.error(line, "wheelEvents[\(index)] must be an object")
        }
        func number(_ name: String) throws(RecordingError) -> Double {
            guard let member = event[name] else {
                throw diagnostics.error(line, "wheelEvents[\(index)]: \(name) is missing")
            }
            guard let number = member.double, number.magnitude <= Recording.timeMillisecondsMax
            else {
                throw diagnostics.error(
                    line, "wheelEvents[\(index)]: \(name) must be a number within ±9e12")
            }
            return number
        }
        guard let time = Timeline.microseconds(try number("timeStamp")) else {
            throw diagnostics.error(line, "wheelEvents[\(index)]: timeStamp is out of range")
        }
        let mode = event["deltaMode"].map(\.int) ?? 0
        let unit: Double
        switch mode {
        case 0: unit = 1
        case 1: unit = lineHeight
        case 2: unit = options.viewport.height
        default:
            throw diagnostics.error(line, "wheelEvents[\(index)]: deltaMode must be 0, 1 or 2")
        }
        let scale = unit * (options.scale ?? 1)
        func points(_ name: String) throws(RecordingError) -> Double {
            let points = try number(name) * scale
            guard points.magnitude <= NumberRange.coordinateMax else {
                throw diagnostics.error(
                    line, "wheelEvents[\(index)]: \(name) is beyond ±1,000,000 points")
            }
            return points
        }
        return Turn(
            microseconds: time, x: try points("deltaX"), y: try points("deltaY"), line: line)
    }

    /// The gestures, from time 0.
    func events(
        topic: [UInt8], _ options: ReadingOptions, _ diagnostics: inout Diagnostics
    ) throws(RecordingError) -> [Recording.Event] {
        var events: [Recording.Event] = []
        var still = 0
        var lost = Ways()
        var unfollowed = Ways()
        for run in runs() {
            let (x, y) = (run.reduce(0) { $0 + $1.x }, run.reduce(0) { $0 + $1.y })
            let across = run.reduce(0) { $0 + $1.x.magnitude }
            let along = run.reduce(0) { $0 + $1.y.magnitude }
            if x.magnitude > y.magnitude {
                guard let swipe = swipe(run, topic, options) else {
                    still += 1
                    continue
                }
                events.append(swipe)
                // A swipe goes one way: what goes up, down or back is not in it.
                lost.add(along + across - x.magnitude, of: along + across)
            } else {
                unfollowed.add(across, of: along + across)
                events += run.map { wheel($0, topic, options) }
            }
        }
        if lost.runs > 0 {
            diagnostics.addNote(
                "left out \(Int(lost.points)) points of \(counted(lost.runs, "sideways run")), "
                    + "which go up, down or back beside a swipe", leavesOut: true)
        }
        if unfollowed.runs > 0 {
            diagnostics.addNote(
                "\(counted(unfollowed.runs, "run")) up or down with \(Int(unfollowed.points)) "
                    + "points across: these are dx of a wheel, which no kind follows")
        }
        if still > 0 {
            diagnostics.addNote(
                "left out \(counted(still, "sideways run")) of less than "
                    + "\(Int(Self.swipeDistance)) points", leavesOut: true)
        }
        return events
    }

    /// The turns, split at each pause.
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
                    Node.Member("x", Node(points: options.viewport.width / 2)),
                    Node.Member("y", Node(points: options.viewport.height / 2)),
                ]))
            return Recording.Event(
                time: time(of: turn), topic: topic, body: body.json(), line: turn.line)
        }
        return nil
    }

    private func wheel(
        _ turn: Turn, _ topic: [UInt8], _ options: ReadingOptions
    ) -> Recording.Event {
        var members = [Node.Member("gesture", Node(.string("wheel")))]
        if turn.x != 0 { members.append(Node.Member("dx", Node(points: turn.x))) }
        members += [
            Node.Member("dy", Node(points: turn.y)),
            Node.Member("x", Node(points: options.viewport.width / 2)),
            Node.Member("y", Node(points: options.viewport.height / 2)),
        ]
        return Recording.Event(
            time: time(of: turn), topic: topic, body: Node(.object(members)).json(),
            line: turn.line)
    }
}
