import Bridges
import GesturedClient
import Manual

/// The commands `gesturectl bridge NAME`, one file each.
///
/// A bridge carries what something else sends into gestured, or the other way. Its machine is a
/// value in `Sources/Bridges`; its file here has the command and a `BridgeDriver`, which performs.
/// `BridgeShell` runs it: signals, readiness, counters, and the link to a daemon that may come and
/// go. To add a bridge, add its file and its name to `bridges`.
extension Command {
    static let bridges: [Command] = [
        .bridgeTUIO, .bridgeEvdev, .bridgeMQTT, .bridgeBadge,
    ]

    /// The options of all bridges.
    static let bridgeOptions = [
        Option("--statistics", "SECONDS", "print the counters this often (default: at the end)")
    ]

    /// Explains to a person how every bridge behaves.
    static let bridgeDetails = """
        It runs until SIGTERM or SIGINT, then prints its counters on standard error and ends with
        status 0. SIGUSR1 prints them at any time. Malformed input is counted, never fatal. A daemon
        that is not there yet, or goes and comes back, is waited for.
        """
}

extension Context {
    /// Runs a bridge until a signal ends it.
    func run(
        _ name: String, _ make: (DaemonLink) throws(Failure) -> any BridgeDriver
    ) throws(Failure) {
        let statistics = try arguments.number("--statistics", in: 0.1...86_400)
        // Before any thread exists: each would take the signals otherwise.
        let shell = try BridgeShell(name: name, statisticsSeconds: statistics)
        let link = try DaemonLink(connection)
        try shell.run(try make(link), link)
    }
}
