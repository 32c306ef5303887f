import Commands
import GesturedClient
import Glibc
import Notation
import Recordings

/// `watch` without `--draw`.
func watchUpdates(_ context: Context) throws(Failure) {
    let arguments = context.arguments
    for name in ["--frames", "--size", "--captions", "--link"] where arguments.has(name) {
        throw .usage("\(name) needs --draw")
    }
    let printer = try updatePrinter(arguments)
    var left = try arguments.whole("--count", in: 1...1_000_000_000) ?? .max
    let seconds = try arguments.number("--for", in: 0...31_536_000)
    let end = seconds.map { ContinuousClock.now + .milliseconds(Int($0 * 1_000)) }
    let prefixes = try arguments.positionals.map { (prefix) throws(Failure) in
        try WatchPrefix(prefix)
    }
    endQuietlyWhenInterrupted()
    try context.requireDaemon()
    let isQuiet = arguments.has("--quiet")
    if !isQuiet { for prefix in prefixes { try context.reportMissing(prefix) } }
    let texts = prefixes.isEmpty ? WatchPrefix.usual : prefixes.map(\.text)
    let subscriber = try daemon { () throws(ClientError) in
        // Heartbeats come whatever the prefixes are, so that their absence can be reported.
        try context.connection.subscriber(to: texts + ["heartbeat"])
    }
    let places = context.connection.endpoints
    let source = places.seeds.isEmpty ? places.updates : places.asked
    var watch = Watch(
        subscriber: subscriber, source: source, isQuiet: isQuiet)
    while left > 0 {
        let rest = end.map { max(0, Int(($0 - .now) / .milliseconds(1)) + 1) } ?? .max
        if let end, end <= .now { return }
        guard let update = try watch.nextUpdate(withinMilliseconds: rest),
            texts.contains(where: { update.topic.hasPrefix($0) })
        else { continue }
        try printer.printLine(update)
        left -= 1
    }
}

/// The form of the lines, by `--format`, `--json` and `--timestamps`.
func updatePrinter(_ arguments: Arguments) throws(Failure) -> UpdatePrinter {
    var printer = UpdatePrinter(hasTimestamps: arguments.has("--timestamps"))
    let format = arguments.values["--format"] ?? (arguments.has("--json") ? "json" : "text")
    if arguments.has("--json") && format != "json" {
        throw .usage("--json does not go with --format \(format)")
    }
    switch format {
    case "text": break
    case "json": printer.form = .json
    default:
        guard format.contains("%") else {
            throw .usage("--format must be text, json or a template with %, not '\(format)'")
        }
        printer.form = .template(try UpdateTemplate(format))
    }
    return printer
}

/// Receives updates, and reports on standard error whatever disturbs them.
private struct Watch {
    let subscriber: Subscriber
    /// The endpoint, for messages.
    let source: String
    let isQuiet: Bool
    private var liveness = DaemonLiveness()
    private var isJoined = false

    init(subscriber: Subscriber, source: String, isQuiet: Bool) {
        self.subscriber = subscriber
        self.isQuiet = isQuiet
        self.source = source
    }

    /// The next update; nil when something else came, or nothing for a while.
    mutating func nextUpdate(withinMilliseconds limit: Int) throws(Failure) -> ReceivedUpdate? {
        let event: Subscriber.Event?
        do throws(ClientError) {
            let wait = min(limit, DaemonLiveness.waitMilliseconds)
            event = try subscriber.next(withinMilliseconds: wait)
        } catch {
            guard error.isAbsence, isJoined else { throw Failure(error) }
            // The daemon was there before: wait for it as long as the person likes.
            if liveness.recordRefusal() != nil { say("\(error); waiting") }
            return nil
        }
        isJoined = true
        switch event == nil ? liveness.recordTimeout() : liveness.recordMessage() {
        case .silent:
            let seconds = DaemonLiveness.waitsMax * DaemonLiveness.waitMilliseconds / 1_000
            say("\(source): nothing heard for \(seconds) s; waiting")
        case .back: say("\(source): heard again")
        case nil: break
        }
        switch event {
        case .update(let update): return update
        case .gap(let topic, let missed):
            say("\(topic): \(counted(missed, "update")) missed")
        case .restarted(let topic, let from, let to):
            say("\(topic): restarted (epoch \(from), now \(to))")
        case nil: break
        }
        return nil
    }

    private func say(_ words: ShownText) {
        if !isQuiet { Console.printError(words) }
    }
}

/// A prefix with which topics of updates can begin.
struct WatchPrefix {
    /// The topics of updates, by their first part.
    private static let forms = [
        "badge": "badge/SESSION", "frame": "frame/SESSION", "heartbeat": "heartbeat",
        "rejected": "rejected/SESSION", "rows": "rows/SESSION/COMPONENT",
        "scene": "scene/SESSION", "session": "session/SESSION",
        "state": "state/SESSION/COMPONENT", "transition": "transition/SESSION/COMPONENT",
        "touches": "touches/SESSION", "variables": "variables/SESSION",
    ]

    /// The beginnings of the topics that are printed where nobody names any: frames tell the states
    /// once more, and touches would tell each move of a finger.
    static let usual = forms.keys.filter { $0 != "frame" && $0 != "touches" }.sorted()

    let text: String
    /// The session that the prefix names, and the kind of its topics.
    let session: (kind: String, name: String)?

    /// Throws where no topic can begin so, since nothing would ever be printed.
    init(_ text: String) throws(Failure) {
        self.text = text
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let kind = parts[0]
        guard parts.count > 1 else {
            session = nil
            if Self.forms.keys.contains(where: { $0.hasPrefix(kind) }) { return }
            throw Self.failure(text)
        }
        // After `kind/`, names follow; the last one may be a part of a name, or empty.
        let isName = parts.dropFirst().enumerated().allSatisfy { index, part in
            part.isEmpty ? index == parts.count - 2 : Name.isValid(part) || part == "-"
        }
        let partsMax = Self.forms[kind]?.split(separator: "/").count ?? 0
        guard isName, parts.count <= partsMax else { throw Self.failure(text) }
        session = parts[1].isEmpty || parts[1] == "-" ? nil : (kind, parts[1])
    }

    private static func failure(_ text: String) -> Failure {
        let hint = Name.isValid(text) ? "; did you mean state/\(text)?" : ""
        return .usage(
            """
            no topic begins with '\(text)'\(hint)
            Topics are \(forms.values.sorted().joined(separator: ", ")).
            """)
    }
}

extension Context {
    /// Says so where the session that a prefix names is not open, or has no such component.
    fileprivate func reportMissing(_ prefix: WatchPrefix) throws(Failure) {
        guard let (kind, session) = prefix.session else { return }
        do throws(ClientError) {
            let reply = try connection.control().request(
                "snapshot", [Node.Member("session", Node(.string(session)))])
            let topics = (reply["updates"]?.array ?? []).compactMap { $0["topic"]?.string }
            // Transitions are in no snapshot, but they have the components of the states.
            let wanted =
                kind == "transition" ? "state" + prefix.text.dropFirst(kind.count) : prefix.text
            let states = topics.filter { $0.hasPrefix("state/") }
            if ["state", "transition"].contains(kind), !states.isEmpty,
                !states.contains(where: { $0.hasPrefix(wanted) })
            {
                let names = states.compactMap { $0.split(separator: "/").last.map(String.init) }
                Console.printError(
                    """
                    nothing of \(session) begins with '\(prefix.text)'; its components are \
                    \(names.joined(separator: ", "))
                    """)
            }
        } catch .refused {
            Console.printError("\(session) is not open; waiting for it")
        } catch {
            throw Failure(error)
        }
    }
}
