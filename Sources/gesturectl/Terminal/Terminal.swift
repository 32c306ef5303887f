import Glibc

/// A terminal that is drawn on: a screen of its own, which goes when this is ended.
final class Terminal {
    /// The signals that end what draws here, also while the terminal takes nothing.
    static let ends = Signals.ends + [SIGQUIT]
    /// How often it is looked whether such a signal has come.
    private static let patienceMilliseconds: Int32 = 40
    /// How long a terminal that takes nothing is waited for at the end.
    private static let farewell = Duration.milliseconds(300)

    private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
    private static let leave = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// What keys did before; they show nothing while it is drawn on.
    private var keys = termios()
    private var hasKeys = false
    private var isEntered = false
    private var shown: [String] = []
    /// The terminal, opened anew so that a write to it need not wait; the shell's own stays as it
    /// is. Where that cannot be done it is standard output.
    private let descriptor: Int32

    init() {
        let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let own = unsafe open("/proc/self/fd/\(STDOUT_FILENO)", flags)
        descriptor = own < 0 ? dup(STDOUT_FILENO) : own
    }

    deinit { close(descriptor) }

    /// Whether standard output is one that can be drawn on.
    static var canDraw: Bool {
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
        try write(Self.enter)
    }

    /// Gives the terminal back as it was.
    func end() {
        guard isEntered else { return }
        isEntered = false
        if !write(Self.leave, until: .now + Self.farewell) {
            // A terminal that stands still shall find this first when it goes on.
            tcflush(descriptor, TCOFLUSH)
            tcflow(descriptor, TCOON)
            _ = write(Self.leave, until: .now)
        }
        if hasKeys { unsafe tcsetattr(STDIN_FILENO, TCSANOW, &keys) }
    }

    /// Forgets what it shows, as after it has changed its size.
    func forget() throws(Failure) {
        shown = []
        try write("\u{1B}[2J")
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
        if !text.isEmpty { try write(text) }
    }

    /// Writes all of it, unless a signal ends what draws here: then it throws `outputClosed`.
    private func write(_ text: String) throws(Failure) {
        var rest = Array(text.utf8)[...]
        while try !writePart(of: &rest) {
            if Self.isEnding { throw .outputClosed }
            waitForRoom()
        }
    }

    /// Writes all of it in time; false: the terminal does not take it.
    private func write(_ text: String, until end: ContinuousClock.Instant) -> Bool {
        var rest = Array(text.utf8)[...]
        do throws(Failure) {
            while try !writePart(of: &rest) {
                if end <= .now { return false }
                waitForRoom()
            }
        } catch {
            return true  // It is no more.
        }
        return true
    }

    /// Writes what there is room for; true: that was all.
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

    /// Whether a signal that ends it waits to be asked for.
    private static var isEnding: Bool {
        var set = sigset_t()
        unsafe sigpending(&set)
        return ends.contains { unsafe sigismember(&set, $0) == 1 }
    }
}
