import Glibc

/// Draws frames on the terminal's alternate screen; `end` restores the former screen.
package final class Terminal {
    /// The signals that end drawing, also while the terminal accepts nothing.
    package static let ends = InterruptSignals.ends + [SIGQUIT]
    /// How often to look for such a signal.
    private static let patienceMilliseconds: Int32 = 40
    /// How long to wait at the end for a terminal that accepts nothing.
    private static let farewell = Duration.milliseconds(300)

    private static let enter: ShownText =
        "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
    /// It ends a command of pixels first, which a signal may have cut.
    private static let leave: ShownText =
        "\u{1B}\\\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// The former settings of the keyboard; keys have no echo while drawing.
    private var keys = termios()
    private var hasKeys = false
    private var isEntered = false
    private var shown: [ShownText] = []
    private var pixels: [UInt8] = []
    /// The terminal, opened again so that writing does not block; the shell's descriptor stays
    /// blocking. If that fails, a copy of standard output.
    private let descriptor: Int32

    package init() {
        let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let own = unsafe open("/proc/self/fd/\(STDOUT_FILENO)", flags)
        descriptor = own < 0 ? dup(STDOUT_FILENO) : own
    }

    deinit { close(descriptor) }

    /// Whether standard output is a terminal with a screen.
    package static var canDraw: Bool {
        isatty(STDOUT_FILENO) == 1 && environment("TERM") != nil && environment("TERM") != "dumb"
    }

    /// Columns and rows; 80 by 24 if the terminal does not report them.
    package static var size: (columns: Int, rows: Int) {
        var size = winsize()
        let isTold = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
        guard isTold, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    package func begin() throws(Failure) {
        guard !isEntered else { return }
        hasKeys = unsafe tcgetattr(STDIN_FILENO, &keys) == 0
        if hasKeys {
            var quiet = keys
            // Keys come one by one, unseen, and nobody waits for them.
            quiet.c_lflag &= ~tcflag_t(ECHO | ICANON)
            unsafe tcsetattr(STDIN_FILENO, TCSANOW, &quiet)
        }
        isEntered = true
        shown = []
        pixels = []
        try write(Self.enter)
    }

    /// Restores the terminal.
    package func end() {
        guard isEntered else { return }
        isEntered = false
        if !write(Self.leave, until: .now + Self.farewell) {
            // A paused terminal restores its screen first when it continues.
            tcflush(descriptor, TCOFLUSH)
            tcflow(descriptor, TCOON)
            _ = write(Self.leave, until: .now)
        }
        if hasKeys { unsafe tcsetattr(STDIN_FILENO, TCSANOW, &keys) }
    }

    /// Clears the screen, as after a change of its size.
    package func clear() throws(Failure) {
        shown = []
        pixels = []
        try write("\u{1B}[2J")
    }

    /// The size of a cell in pixels, if the terminal reports it.
    package static var cell: (width: Int, height: Int)? {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
            size.ws_row > 0, size.ws_xpixel >= size.ws_col, size.ws_ypixel >= size.ws_row
        else { return nil }
        return (Int(size.ws_xpixel / size.ws_col), Int(size.ws_ypixel / size.ws_row))
    }

    /// A key that was pressed; nil if none was.
    package func key() -> UInt8? {
        guard hasKeys else { return nil }
        var place = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&place, 1, 0) == 1 else { return nil }
        var key: UInt8 = 0
        return unsafe read(STDIN_FILENO, &key, 1) == 1 ? key : nil
    }

    /// Draws pixels at the top left corner, by a command that libchafa made. `isKept` says that the
    /// terminal keeps former pixels until it is told to forget them.
    package func show(graphics: [UInt8], isKept: Bool) throws(Failure) {
        if graphics.isEmpty || graphics == pixels { return }
        pixels = graphics
        let forget = isKept ? Array("\u{1B}_Ga=d,d=A,q=2\u{1B}\\".utf8) : []
        try write(bytes: Array("\u{1B}[1;1H".utf8) + forget + graphics)
    }

    /// Shows lines from the top. Unchanged lines are not sent again.
    package func show(_ lines: [ShownText]) throws(Failure) {
        var text: ShownText = ""
        for row in 0..<max(lines.count, shown.count) {
            let line = row < lines.count ? lines[row] : ""
            if row < shown.count && shown[row] == line { continue }
            text += "\u{1B}[\(row + 1);1H\(line)\u{1B}[K"
        }
        shown = lines
        if !text.isEmpty { try write(text) }
    }

    /// Writes the whole text; throws `outputClosed` when a signal ends drawing.
    private func write(_ text: ShownText) throws(Failure) {
        try write(bytes: Array(text.text.utf8))
    }

    private func write(bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        while try !writePart(of: &rest) {
            if Self.isEnding { throw .outputClosed }
            waitForRoom()
        }
    }

    /// Writes the whole text; returns false where the terminal does not accept it in time.
    private func write(_ text: ShownText, until end: ContinuousClock.Instant) -> Bool {
        var rest = Array(text.text.utf8)[...]
        do throws(Failure) {
            while try !writePart(of: &rest) {
                if end <= .now { return false }
                waitForRoom()
            }
        } catch {
            return true  // The terminal is gone.
        }
        return true
    }

    /// Writes as much as fits; returns true when nothing is left.
    private func writePart(of rest: inout ArraySlice<UInt8>) throws(Failure) -> Bool {
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            switch count < 0 ? errno : 0 {
            case 0: rest.removeFirst(count)
            case EINTR: break
            case EAGAIN: return false
            case EPIPE: throw .outputClosed
            case let code: throw .file("standard output: \(Console.words(for: code))")
            }
        }
        return true
    }

    private func waitForRoom() {
        var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&place, 1, Self.patienceMilliseconds)
    }

    /// Whether a signal that ends drawing is pending.
    private static var isEnding: Bool {
        var set = sigset_t()
        unsafe sigpending(&set)
        return ends.contains { unsafe sigismember(&set, $0) == 1 }
    }
}
