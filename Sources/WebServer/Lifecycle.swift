import CSystem
import Foundation
import Manual
import Notation
import Web
import ZeroMQ

/// The program from its arguments to its exit status.
package enum Lifecycle {
    package static func main(_ words: [String]) -> Int32 {
        do throws(StartError) {
            switch try Invocation(words) {
            case .help: StandardStreams.printOwnLines(Help.text(of: .gestureWeb))
            case .version: StandardStreams.printLine("gesture-web \(Version.text)")
            case .run(let arguments): try run(arguments)
            }
            return 0
        } catch {
            StandardStreams.printError("gesture-web: \(error.message)")
            return 2
        }
    }

    private static func run(_ arguments: Arguments) throws(StartError) {
        gs_standard_open()
        signal(SIGPIPE, SIG_IGN)
        // Before any thread exists: every thread leaves the signals to the loop.
        let signals = gs_signals_open()
        guard signals >= 0 else { throw StartError("cannot open a signalfd") }
        let files = ServedFiles(folder: try arguments.folder())
        do {
            let upstream = try Upstream(arguments.endpoints)
            let bridge = Bridge(
                Bridge.Settings(
                    isReadOnly: arguments.isReadOnly,
                    rule: OriginRule(origins: arguments.origins, names: [])),
                files: files, upstream)
            let server = try HTTPServer(
                HTTPServer.Settings(
                    address: arguments.address, port: arguments.port,
                    connectionsMax: Limits.webConnectionsMax,
                    messageBytesMax: Limits.webMessageBytesMax,
                    fragmentsMax: Limits.webFragmentsMax, pingSeconds: 20),
                handler: bridge)
            try bridge.start(server)
            try server.watch(descriptor: signals)
            StandardStreams.printLine(
                "gesture-web ready http://\(arguments.shownAddress):\(server.port)/")
            try serve(bridge, server, signals: signals)
        } catch let error as HTTPServer.Failure {
            throw StartError(
                "--listen \(arguments.shownAddress):\(arguments.port): \(error.reason)")
        } catch let error as StartError {
            throw error
        } catch {
            throw StartError("\(error)")
        }
    }

    private static func serve(_ bridge: Bridge, _ server: HTTPServer, signals: CInt) throws {
        while true {
            try server.serve()
            try bridge.pump()
            if [SIGTERM, SIGINT].contains(gs_signals_next(signals)) { break }
        }
        for number in bridge.clients.keys {
            bridge.close(number, code: 1001, reason: "gesture-web ends")
        }
        let deadline = Clock.monotonic() + 2_000_000_000
        while !bridge.clients.isEmpty, Clock.monotonic() < deadline { try server.serve() }
    }
}
