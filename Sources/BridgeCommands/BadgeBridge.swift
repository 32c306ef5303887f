import Bridges
import CSystem
import Commands
import GesturedClient
import Glibc
import Notation
import Platform

func bridgeBadge(_ context: Context) throws(Failure) {
    try context.arguments.requirePositionals([])
    guard let command = context.arguments.values["--command"], !command.isEmpty else {
        throw .usage("--command CMD is missing")
    }
    let session = try context.arguments.session("--session")
    let limit = try context.arguments.number("--kill-after", in: 0.1...3_600) ?? 10
    try context.run("badge") { (daemon) in
        daemon.follow([session.map { "badge/\($0)" } ?? "badge/"])
        return BadgeBridge(
            command: command,
            runs: BadgeRuns(session: session, limitMilliseconds: Int(limit * 1_000)))
    }
}

extension Arguments {
    /// The session that an option names; nil without the option.
    func session(_ name: String) throws(Failure) -> String? {
        guard let session = values[name] else { return nil }
        guard Name.isValidSession(session) else {
            throw .usage("\(name) must be a session's name, not '\(session)'")
        }
        return session
    }
}

/// Runs the command that `BadgeRuns` asks for.
private final class BadgeBridge: BridgeDriver {
    private let command: String
    private var runs: BadgeRuns
    private var program: (number: CInt, ended: CInt, isKilled: Bool)?
    /// Where the system cannot tell of a program's end, it is asked this often.
    private static let askMilliseconds = 20

    init(command: String, runs: BadgeRuns) {
        self.command = command
        self.runs = runs
    }

    var readiness: String { "sh -c \(command)" }
    var counters: String { runs.counters.line }

    var status: String {
        let counters = runs.counters
        return "\(counters[.runs]) runs, \(counters[.failed] + counters[.killed]) failed"
    }

    var descriptors: [WatchedDescriptor] {
        guard let program, program.ended >= 0 else { return [] }
        return [WatchedDescriptor(descriptor: program.ended)]
    }

    func turn(_ daemon: DaemonConnection, at moment: Moment) throws(Failure) -> Int {
        try daemon.takeUpdates { runs.take(topic: $0.topic, $0.content) }
        return step(at: moment)
    }

    private func step(at moment: Moment) -> Int {
        takeEnd()
        if runs.isOverdue(at: moment), let program {
            gs_program_kill(program.number)
            self.program?.isKilled = true
        }
        while program == nil, let run = runs.next(at: moment) { start(run) }
        guard let program else { return .max }
        if program.ended < 0 || program.isKilled { return Self.askMilliseconds }
        return runs.rest(at: moment) ?? .max
    }

    func finish(at moment: Moment) -> Int? {
        let rest = step(at: moment)
        return program == nil ? nil : rest
    }

    func end(_ daemon: DaemonConnection, at moment: Moment) {
        runs.stop()
        guard let program else { return }
        gs_program_kill(program.number)
        runs.end(.killed)
    }

    private func takeEnd() {
        guard let program else { return }
        let status = gs_program_ended(program.number)
        guard status >= 0 else { return }
        if program.ended >= 0 { close(program.ended) }
        self.program = nil
        runs.end(program.isKilled ? .killed : status < 256 ? .exited(Int(status)) : .failed)
    }

    private func start(_ run: BadgeRuns.Run) {
        let own = [
            "GESTURED_SESSION=\(run.session)", "GESTURED_TOTAL=\(run.total)",
            "GESTURED_COUNTS=\(String(decoding: run.counts, as: UTF8.self))",
        ]
        let names = own.map { $0.prefix(through: $0.firstIndex(of: "=") ?? $0.startIndex) }
        let inherited = Host.variables.filter { variable in
            !names.contains { variable.hasPrefix($0) }
        }
        var ended: CInt = -1
        let words = ["sh", "-c", command, "sh", "\(run.total)"]
        let number = unsafe withCStrings(words) { words in
            unsafe withCStrings(inherited + own) { variables in
                unsafe gs_program_start("/bin/sh", words, variables, &ended)
            }
        }
        guard number > 0 else {
            BridgeLog.printWarning("cannot start the command: \(Console.words(for: errno))")
            runs.end(.failed)
            return
        }
        program = (number, ended, false)
    }
}

/// Lends texts as C's list of strings, which ends with NULL.
private func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
) -> Result {
    let copies = unsafe texts.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    let list = unsafe copies.map { unsafe UnsafePointer($0) } + [nil]
    return unsafe list.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
}
