import Bridges
import Commands
import Geometry
import GesturedClient
import Manual
import Notation

/// Keeps a device's touches in step with the session that they are for.
///
/// It follows the session's viewport, and opens the session when somebody touches and it is not
/// open, as any event for a session does.
final class TouchTarget {
    private var session: TouchedSession
    private let scene: String
    /// The id of the request that opens the session.
    private var opening: String?
    private var isComplaintSaid = false

    init(_ arguments: Arguments, _ daemon: DaemonConnection) throws(Failure) {
        guard let name = try arguments.session("--session") else {
            throw .usage("--session SESSION is missing")
        }
        session = TouchedSession(name: name)
        scene = arguments.values["--scene"] ?? "phone"
        guard Name.isValid(scene) else { throw .usage("--scene must be \(Name.rule)") }
        daemon.follow(session.prefixes)
    }

    /// Touches that are numbered apart from those of other devices.
    func touches<Key>(of _: Key.Type, map: TouchMap) -> Touches<Key> {
        // A million contacts later the numbers may be another bridge's.
        let first = Int.random(in: 0..<1 << 30) << 20
        return Touches(session: session.name, map: map, firstPointer: first)
    }

    /// The session's viewport; nil while it is not open.
    var viewport: Size? { session.viewport }

    /// Hears what the daemon says; it comes before the device is read.
    func hear<Key>(
        _ daemon: DaemonConnection, for touches: inout Touches<Key>, at moment: Moment
    ) throws(Failure) {
        if !daemon.isThere { session.forget() }
        try daemon.takeUpdates { session.take(topic: $0.topic, $0.content) }
        for reply in try daemon.replies() where reply.id == opening {
            opening = nil
            take(reply.result)
        }
        touches.setViewport(session.viewport, at: moment)
        touches.setDaemon(isThere: daemon.isThere, at: moment)
    }

    private func take(_ result: Result<Node, ClientError>) {
        switch result {
        case .success(let reply):
            if let scene = reply["scene"] { session.take(scene: scene) }
        case .failure(let error):
            if !isComplaintSaid {
                BridgeLog.printWarning("cannot open \(session.name): \(error)")
            }
            isComplaintSaid = true
        }
    }

    /// Publishes what the device's contacts have become.
    func publish<Key>(
        _ daemon: DaemonConnection, from touches: inout Touches<Key>, at moment: Moment
    ) throws(Failure) {
        for event in touches.takeEvents() { try daemon.publish(event) }
        if touches.wantsViewport { try open(daemon, at: moment) }
    }

    /// Asks the daemon to open the session, but not again and again.
    func open(_ daemon: DaemonConnection, at moment: Moment) throws(Failure) {
        guard daemon.isThere, session.shallAsk(at: moment) else { return }
        opening = try daemon.ask(
            "open",
            [
                Node.Member("session", Node(.string(session.name))),
                Node.Member("scene", Node(.string(scene))),
                Node.Member("describe", Node(.bool(true))),
            ])
    }

    static func map(_ arguments: Arguments) throws(Failure) -> TouchMap {
        var map = TouchMap()
        if let text = arguments.values["--area"] {
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
                .compactMap { Double($0) }
            guard numbers.count == 4,
                let area = TouchMap(
                    left: numbers[0], top: numbers[1], right: numbers[2], bottom: numbers[3])
            else {
                throw .usage("--area must be LEFT,TOP,RIGHT,BOTTOM, as 0,0,1,1, not '\(text)'")
            }
            map = area
        }
        if let text = arguments.values["--turn"] {
            guard let place = ["0", "90", "180", "270"].firstIndex(of: text) else {
                throw .usage("--turn must be 0, 90, 180 or 270, not '\(text)'")
            }
            map.turns = place
        }
        return map
    }
}
