import Commands
import GesturedClient
import Glibc
import Manual
import Notation

extension Command {
    static let top = Command(
        name: "top", arguments: "", summary: "Show the sessions by load, refreshed",
        details: """
            Shows the daemon's rates and latencies, and below them the open sessions: whether each
            moves, the updates that it publishes a second, the processor's time of one of its steps
            as its lane measured it last, and its load: its share of a core while it moves (120
            steps a second). Events cost more, which no load has. Updates that nobody subscribes to
            are not published. Beyond 1,000 open sessions it lists those that move.

            On a terminal it refreshes its screen; q ends it, l, u and n order it by load, updates
            and name, a blank refreshes it at once. On a pipe or a dumb terminal it prints one
            table after the other; -n 1 prints one.
            """,
        options: [
            Option("--delay", "SECONDS", "between two looks, 0.1 to 3600 (default 1)"),
            Option("--count", "N", "end after this many looks"),
            Option("--sort", "load|updates|name", "the order (default load)"),
        ],
        examples: [
            ("gesturectl top", "see what the daemon does now"),
            ("gesturectl top -n 1 > load.txt", "save one table"),
            ("gesturectl top -d 10 --sort updates", "look every ten seconds, busiest first"),
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals([])
        let arguments = context.arguments
        let seconds = try arguments.number("--delay", in: 0.1...3_600) ?? 1
        let word = arguments.values["--sort"] ?? "load"
        guard let order = LoadTable.Order(rawValue: word) else {
            throw .usage("--sort must be load, updates or name, not '\(word)'")
        }
        let count = try arguments.whole("--count", in: 1...1_000_000_000)
        let table = try LoadTable(try context.control(), order: order)
        var top = Top(
            table: table, delay: .milliseconds(Int(seconds * 1_000)), left: count ?? .max)
        if Terminal.canDraw { try top.draw() } else { try top.list() }
    }
}

/// The loop of `top`.
private struct Top {
    /// How often to look for keys and signals.
    private static let patience = Duration.milliseconds(50)
    /// Rows of a table without a screen.
    private static let printedRows = 1_010

    var table: LoadTable
    let delay: Duration
    var left: Int

    /// One table after the other, without a screen.
    mutating func list() throws(Failure) {
        endQuietlyWhenInterrupted()
        // The first look has nothing to compare with.
        try table.look()
        while left > 0 {
            Pause.wait(delay)
            try table.look()
            // A daemon that restarts is waited for, unless this is the last look.
            if left == 1, !table.notice.isEmpty { throw .daemon(table.notice) }
            for line in table.lines(columns: 80, rows: Self.printedRows, .plain) {
                try Console.printLine(line)
            }
            left -= 1
            if left > 0 { try Console.printLine("") }
        }
    }

    /// On the terminal's own screen.
    mutating func draw() throws(Failure) {
        try table.look()
        let signals = InterruptSignals(Terminal.ends + [SIGWINCH, SIGTSTP])
        let terminal = Terminal()
        defer { terminal.end() }
        try terminal.begin()
        // The second look comes soon: until then there are no rates.
        var next = ContinuousClock.now + min(delay, .milliseconds(300))
        try show(on: terminal)
        while left > 0 {
            switch signals.next(within: min(Self.patience, max(next - .now, .zero))) {
            case nil: break
            case SIGWINCH:
                try terminal.clear()
                try show(on: terminal)
            case SIGTSTP:
                terminal.end()
                raise(SIGSTOP)
                try terminal.begin()
                try show(on: terminal)
            default: return
            }
            if let key = terminal.key() {
                switch key {
                case UInt8(ascii: "q"), UInt8(ascii: "Q"), 4: return
                case UInt8(ascii: "l"): table.order = .load
                case UInt8(ascii: "u"): table.order = .updates
                case UInt8(ascii: "n"): table.order = .name
                case UInt8(ascii: " "): next = .now
                default: break
                }
                try show(on: terminal)
            }
            guard next <= .now else { continue }
            try table.look()
            try show(on: terminal)
            next = .now + delay
            left -= 1
        }
    }

    private func show(on terminal: Terminal) throws(Failure) {
        let (columns, rows) = Terminal.size
        var lines = table.lines(columns: columns, rows: rows, .output)
        let keys = "q ends   l load   u updates   n name   space now"
        if lines.count < rows, keys.count <= columns {
            lines += Array(repeating: "", count: rows - 1 - lines.count)
            lines.append(Style.output(keys, .dim))
        }
        try terminal.show(Array(lines.prefix(rows)))
    }
}
