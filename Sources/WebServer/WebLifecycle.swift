import CSystem
import Glibc
import Manual
import Notation
import Platform
import Supervision
import Web
import ZeroMQ

/// The program from its arguments to its exit status.
package enum Lifecycle {
    /// Runs what the command line asks for. Returns the exit status: 0, 1 if it cannot go on, or 2
    /// if it cannot start, with one line printed.
    package static func main(_ words: [String]) -> Int32 {
        do throws(StartError) {
            switch try Invocation(words, variable: Host.variable) {
            case .help: StandardStreams.printOwnLines(Help.text(of: .gestureWeb))
            case .version: StandardStreams.printLine("gesture-web \(Version.text)")
            case .run(let arguments): return run(arguments)
            }
            return 0
        } catch {
            StandardStreams.printError("gesture-web: \(error.message)")
            return 2
        }
    }

    private static func run(_ arguments: Arguments) -> Int32 {
        gs_standard_open()
        gs_memory_large_apart()
        // Before any thread exists: no other thread reads the environment meanwhile, and every
        // thread leaves the signals to the loop.
        let manager = ServiceManager(takingEnvironment: getpid())
        signal(SIGPIPE, SIG_IGN)
        let signals = gs_signals_open()
        do throws(StartError) {
            guard signals >= 0 else { throw StartError("cannot open a signalfd") }
            let (bridge, server) = try start(arguments, signals: signals)
            StandardStreams.printLine("gesture-web ready \(link(arguments, bridge, server))")
            manager.notify(.ready)
            let news = DaemonNews(of: arguments.daemons)
            return serve(bridge, server, signals: signals, manager, news)
        } catch {
            manager.notify(status: "cannot start: \(error.message)")
            StandardStreams.printLog("gesture-web: \(error.message)")
            return 2
        }
    }

    /// Where the page is; with a token a link that works on other machines, too.
    private static func link(
        _ arguments: Arguments, _ bridge: Bridge, _ server: HTTPServer
    ) -> String {
        guard let token = bridge.settings.token else {
            return "http://\(arguments.shownAddress):\(server.port)/"
        }
        let isAny = ["0.0.0.0", "[::]"].contains(arguments.shownAddress)
        let host = isAny ? HTTPServer.ownAddress : arguments.shownAddress
        return "http://\(host):\(server.port)/?token=\(token.text)"
    }

    private static func start(
        _ arguments: Arguments, signals: CInt
    ) throws(StartError) -> (Bridge, HTTPServer) {
        let files = ServedFiles(folder: try arguments.folder())
        let keys = try arguments.keys(variable: Host.variable)
        let token = try arguments.token()
        do {
            let rule = OriginRule(origins: arguments.origins, names: arguments.names)
            let bridge = Bridge(
                Bridge.Settings(isReadOnly: arguments.isReadOnly, rule: rule, token: token),
                files: files, try MemberConnections(arguments.daemons, keys: keys))
            let server = try HTTPServer(
                HTTPServer.Settings(
                    address: arguments.address, port: arguments.port,
                    connectionsMax: Limits.webConnectionsMax,
                    messageBytesMax: Limits.webMessageBytesMax,
                    fragmentsMax: Limits.webFragmentsMax,
                    answerBytesMax: Limits.webAnswerBytesMax, pingSeconds: arguments.pingSeconds),
                handler: bridge)
            try bridge.start(server)
            try server.watch(descriptor: signals)
            return (bridge, server)
        } catch let error as HTTPServer.Failure {
            var reason = error.reason
            if unsafe reason == String(cString: strerror(EADDRINUSE)) {
                let advice = TakenPort.advice(
                    port: arguments.port, program: "another gesture-web", choice: "--listen")
                reason += ": \(advice)"
            }
            throw StartError("--listen \(arguments.shownAddress):\(arguments.port): \(reason)")
        } catch {
            throw StartError("\(error)")
        }
    }

    /// Runs until a signal ends it. Returns the exit status.
    private static func serve(
        _ bridge: Bridge, _ server: HTTPServer, signals: CInt, _ manager: ServiceManager,
        _ news: DaemonNews
    ) -> Int32 {
        var refusal: String?
        var news = news
        bridge.onRefusal = { StandardStreams.printLog("gesture-web: \($0)") }
        bridge.onTick = { [unowned bridge] in
            if let line = news.line(isThere: bridge.isDaemonThere, lack: bridge.lack) {
                StandardStreams.printLog("gesture-web: \(line)")
            }
            if let told = bridge.refusal, told != refusal {
                StandardStreams.printLog("gesture-web: \(told)")
            }
            refusal = bridge.refusal
            manager.notify(status: bridge.status)
            manager.feedWatchdog()
        }
        do {
            while ![SIGTERM, SIGINT].contains(gs_signals_next(signals)) {
                try server.serve()
                try bridge.pump()
            }
            manager.notify(.stopping)
            try bridge.end()
            return 0
        } catch {
            let reason = (error as? HTTPServer.Failure)?.reason ?? "\(error)"
            manager.notify(status: "cannot go on: \(reason)")
            StandardStreams.printLog("gesture-web: cannot go on: \(reason)")
            return 1
        }
    }
}

extension Bridge {
    /// One line for `systemctl status`.
    fileprivate var status: String {
        let count = clients.count == 1 ? "1 client" : "\(clients.count) clients"
        let reason = refusal.map { ": \($0)" } ?? ""
        return "\(count); gestured is \(isDaemonThere ? "there" : "AWAY")\(reason)"
    }

    /// Time that clients have to take their last message.
    private static let endNanoseconds = 2_000_000_000

    fileprivate func end() throws {
        for number in clients.keys { close(number, code: 1001, reason: "gesture-web ends") }
        let deadline = Clock.monotonic() + Self.endNanoseconds
        while !clients.isEmpty, Clock.monotonic() < deadline { try server?.serve() }
    }
}
