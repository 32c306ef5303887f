import Commands
import GesturedClient
import Glibc
import Notation
import Pictures
import Platform

func draw(_ context: Context) throws(Failure) {
    var drawing = try DrawSession(context)
    try drawing.run()
}

/// `watch --draw`: draws a session's views on the terminal as they move.
///
/// `DrawSession` receives scenes and frames, `ShownSession` keeps the latest of each, and
/// `Screenful` lays out the picture, which `Pictures` draws, with the words beside it.
struct DrawSession {
    /// Frames a second at most; terminals show no more.
    static let framesPerSecondMax = 30
    private static let frame = Duration.nanoseconds(1_000_000_000 / framesPerSecondMax + 1)
    /// How often to look for signals while nothing comes.
    private static let patienceMilliseconds = 50
    /// Updates of one snapshot, and those that came while it was asked for.
    private static let snapshotMax = 64
    /// `q`, `Q`, and Ctrl-D.
    private static let endKeys: Set<UInt8> = [UInt8(ascii: "q"), UInt8(ascii: "Q"), 4]

    private static let openKey = UInt8(ascii: "o")

    /// The silence after which the daemon counts as gone; it sends a heartbeat each second.
    private static let silence = Duration.seconds(3)

    private let context: Context
    private let chosen: [String]
    /// The number of frames to print as text; nil draws on the terminal.
    private let frames: Int?
    private let size: (columns: Int, rows: Int)?
    private let end: ContinuousClock.Instant?
    private let kind: TerminalKind
    private let photos = PhotoFolder.photos()
    private var picture: ShownSession
    private var captions: CaptionFile?

    init(_ context: Context) throws(Failure) {
        let arguments = context.arguments
        let others = ["--json", "--count", "--format", "--timestamps", "--quiet"]
        for name in others where arguments.has(name) {
            throw .usage("\(name) does not go with --draw")
        }
        frames = try arguments.whole("--frames", in: 1...1_000_000)
        size = try Self.size(arguments)
        let seconds = try arguments.number("--for", in: 0...31_536_000)
        end = seconds.map { ContinuousClock.now + .milliseconds(Int($0 * 1_000)) }
        if frames == nil && !Terminal.canDraw {
            throw .usage("--draw needs a terminal; --frames N prints frames without one")
        }
        kind = Self.kind(isText: frames != nil)
        self.context = context
        chosen = Array(arguments.positionals.dropFirst())
        if let path = arguments.values["--captions"] { captions = try CaptionFile(path) }
        picture = ShownSession(session: try Self.session(context))
        picture.caption = captions?.newest
        picture.link = arguments.values["--link"]
    }

    /// Text and terminals without colors get dots.
    private static func kind(isText: Bool) -> TerminalKind {
        if isText || !Style.output.isOn { return TerminalKind(graphics: .symbols, colors: .none) }
        return TerminalKind(environment: Host.variables)
    }

    private static func size(
        _ arguments: Arguments
    ) throws(Failure) -> (columns: Int, rows: Int)? {
        guard let text = arguments.values["--size"] else { return nil }
        let sides = text.split(separator: "x", omittingEmptySubsequences: false)
        // A sign before a number is no part of a size.
        let numbers = sides.map { Int($0.hasPrefix("+") ? "" : $0) ?? .max }
        guard numbers.count == 2, (1...Screenful.columnsMax).contains(numbers[0]),
            (1...Screenful.rowsMax).contains(numbers[1])
        else {
            throw .usage("--size must be columns x rows up to 500x200, as 80x24, not '\(text)'")
        }
        return (numbers[0], numbers[1])
    }

    /// The named session, or the only open one.
    private static func session(_ context: Context) throws(Failure) -> String {
        if let name = context.arguments.positionals.first {
            guard Name.isValidSession(name) else {
                throw .usage("'\(name)' cannot name a session")
            }
            return name
        }
        try context.requireDaemon()
        let names = try daemon { () throws(ClientError) in
            try context.connection.control().sessions()
        }
        guard names.count == 1 else {
            throw .usage("name a session: \(names.count) are open")
        }
        return names[0]
    }

    mutating func run() throws(Failure) {
        let name = picture.session
        try context.requireDaemon()
        let subscriber = try daemon { () throws(ClientError) in
            try context.connection.subscriber(
                to: ["scene/\(name)", "frame/\(name)", "session/\(name)", "heartbeat"])
        }
        picture.notice = "not open"
        let terminal = frames == nil ? Terminal() : nil
        // Wait for the daemon's first answer, a snapshot or none, before the screen changes.
        for _ in 0..<Self.snapshotMax {
            guard let event = try next(subscriber, withinMilliseconds: 0) else { break }
            _ = apply(event)
        }
        isJoined = true
        let signals = terminal.map { _ in InterruptSignals(Terminal.ends + [SIGWINCH, SIGTSTP]) }
        // Without a terminal, output may block on its reader: let signals end the process.
        if terminal == nil { endQuietlyWhenInterrupted() }
        defer { terminal?.end() }
        try terminal?.begin()
        var next = ContinuousClock.now
        var heard = next
        var left = frames ?? .max
        var isNew = true
        while left > 0 {
            if let end, end <= .now { return }
            switch signals?.next() {
            case nil: break
            case SIGWINCH:
                try terminal?.clear()
                isNew = true
            case SIGTSTP:
                terminal?.end()
                raise(SIGSTOP)
                try terminal?.begin()
                // Updates that came during the stop are not read yet.
                heard = .now
                isNew = true
            default: return
            }
            let key = terminal?.key() ?? 0
            if Self.endKeys.contains(key) { return }
            if key == Self.openKey, let link = picture.link { PageOpener.open(link) }
            let pause = max(next - .now, .zero) / .milliseconds(1)
            let wait = isNew ? Int(pause.rounded(.up)) : Self.patienceMilliseconds
            let event = try self.next(subscriber, withinMilliseconds: wait)
            if event != nil { heard = .now }
            let wasSilent = picture.isSilent
            picture.isSilent = .now - heard > Self.silence
            if apply(event) || picture.isSilent != wasSilent { isNew = true }
            if captions?.look() == true {
                picture.caption = captions?.newest
                isNew = true
            }
            // Read waiting updates first, but draw at least every second frame time.
            guard isNew, .now >= (event == nil ? next : next + Self.frame) else { continue }
            try draw(on: terminal)
            next = .now + Self.frame
            left -= 1
            isNew = false
        }
    }

    private mutating func next(
        _ subscriber: Subscriber, withinMilliseconds limit: Int
    ) throws(Failure) -> Subscriber.Event? {
        do throws(ClientError) {
            return try subscriber.next(withinMilliseconds: limit)
        } catch {
            // The daemon was there before: wait for it as long as the person likes.
            if error.isAbsence, isJoined { return nil }
            throw Failure(error)
        }
    }

    private var isJoined = false

    /// Applies an event; returns false where it is not about the session.
    private mutating func apply(_ event: Subscriber.Event?) -> Bool {
        isJoined = true
        guard case .update(let update)? = event, update.session == picture.session else {
            return false
        }
        picture.apply(update)
        return true
    }

    private func draw(on terminal: Terminal?) throws(Failure) {
        let (columns, rows) = size ?? (terminal == nil ? (80, 24) : Terminal.size)
        let screenful = Screenful(
            picture, columns: columns, rows: rows, only: chosen, on: kind,
            cell: terminal == nil ? nil : Terminal.cell,
            terminal == nil ? .plain : .output, photos: photos)
        guard let terminal else {
            for line in screenful.lines + [""] { try Console.printLine(line) }
            return
        }
        try terminal.show(graphics: screenful.graphics, isKept: kind.graphics == .kitty)
        try terminal.show(screenful.lines)
    }
}
