import Glibc

/// A terminal that is drawn on: a screen of its own, which goes when this is ended.
final class Terminal {
    private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
    private static let leave = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// What keys did before; they show nothing while it is drawn on.
    private var keys = termios()
    private var hasKeys = false
    private var isEntered = false
    private var shown: [String] = []

    /// Whether standard output is one that can be drawn on.
    static var isThere: Bool {
        isatty(STDOUT_FILENO) == 1 && environment("TERM") != nil && environment("TERM") != "dumb"
    }

    /// Columns and rows; those of old where it does not tell.
    static var size: (columns: Int, rows: Int) {
        var size = winsize()
        let isTold = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
        guard isTold, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    func begin() throws(Failure) {
        guard !isEntered else { return }
        hasKeys = unsafe tcgetattr(STDIN_FILENO, &keys) == 0
        if hasKeys {
            var quiet = keys
            quiet.c_lflag &= ~tcflag_t(ECHO)
            unsafe tcsetattr(STDIN_FILENO, TCSANOW, &quiet)
        }
        isEntered = true
        shown = []
        try Console.write(Array(Self.enter.utf8))
    }

    /// Gives the terminal back as it was.
    func end() {
        guard isEntered else { return }
        isEntered = false
        try? Console.write(Array(Self.leave.utf8))
        if hasKeys { unsafe tcsetattr(STDIN_FILENO, TCSANOW, &keys) }
    }

    /// Forgets what it shows, as after it has changed its size.
    func forget() throws(Failure) {
        shown = []
        try Console.write(Array("\u{1B}[2J".utf8))
    }

    /// Shows these lines from the top; of those that it shows already nothing is sent.
    func show(_ lines: [String]) throws(Failure) {
        var text = ""
        for row in 0..<max(lines.count, shown.count) {
            let line = row < lines.count ? lines[row] : ""
            if row < shown.count && shown[row] == line { continue }
            text += "\u{1B}[\(row + 1);1H\(line)\u{1B}[K"
        }
        shown = lines
        if !text.isEmpty { try Console.write(Array(text.utf8)) }
    }
}
