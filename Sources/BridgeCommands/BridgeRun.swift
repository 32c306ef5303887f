import Commands

/// A bridge carries what something else sends into gestured, or the other way. Its machine is a
/// value in `Sources/Bridges`; its file here has the command and a `BridgeDriver`, which performs.
/// `BridgeShell` runs it: signals, readiness, counters, and the connection to a daemon that may
/// come and go.
///
/// To add a bridge, describe its command in `Sources/Commands/Descriptions`, and add its file here
/// and its line to `BridgeCommands.swift`.
extension Context {
    /// Runs a bridge until a signal ends it.
    func run(
        _ name: String, _ make: (DaemonConnection) throws(Failure) -> any BridgeDriver
    ) throws(Failure) {
        let statistics = try arguments.number("--statistics", in: 0.1...86_400)
        do throws(Failure) {
            // Before any thread exists: each would take the signals otherwise.
            let shell = try BridgeShell(name: name, statisticsSeconds: statistics)
            let daemon = try DaemonConnection(connection)
            try shell.run(try make(daemon), daemon)
        } catch {
            throw BridgeLog.told(error)
        }
    }
}
