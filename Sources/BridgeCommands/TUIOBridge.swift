import Bridges
import Commands
import GesturedClient
import Notation
import Recordings

func bridgeTUIO(_ context: Context) throws(Failure) {
    let arguments = context.arguments
    try arguments.requirePositionals([])
    let (address, port) = try arguments.datagramPlace(usualPort: 3_333)
    try context.run("tuio") { (daemon) throws(Failure) in
        let touch = try TouchTarget(arguments, daemon)
        return TUIOBridge(
            touch,
            TUIO(
                touches: touch.touches(
                    of: TUIO.ContactKey.self, map: try TouchTarget.map(arguments))),
            try DatagramSocket(address: address, port: port))
    }
}

/// Reads datagrams and publishes the touches in them.
private final class TUIOBridge: BridgeDriver {
    private let touch: TouchTarget
    private var tuio: TUIO
    private let socket: DatagramSocket

    /// Datagrams of one turn, and its milliseconds: signals are seen within a flood, and no more
    /// touches gather than can wait for the daemon. A datagram may have a thousand.
    private static let turnMax = 256
    private static let turnMillisecondsMax = 4
    /// While a tracker is heard: contacts are repeated, and its silence is noticed.
    private static let tickMilliseconds = 50

    init(_ touch: TouchTarget, _ tuio: TUIO, _ socket: DatagramSocket) {
        self.touch = touch
        self.tuio = tuio
        self.socket = socket
    }

    var readiness: String { socket.url }
    var counters: String { "\(tuio.counters.line) \(tuio.touches.counters.line)" }
    var status: String {
        let tokens = tuio.touches.tokenCount
        let contacts = counted(tuio.touches.downCount - tokens, "contact")
        let ending = tokens > 0 ? ", \(counted(tokens, "token"))" : ""
        return "\(counted(tuio.sourceCount, "tracker")), \(contacts)\(ending)"
    }

    var descriptors: [WatchedDescriptor] {
        [WatchedDescriptor(descriptor: socket.descriptor)]
    }

    func turn(_ daemon: DaemonConnection, at moment: Moment) throws(Failure) -> Int {
        try touch.hear(daemon, for: &tuio.touches, at: moment)
        var count = 0
        var now = moment
        let end = moment.steady + Self.turnMillisecondsMax
        while count < Self.turnMax, now.steady <= end, let (bytes, sender) = socket.next() {
            now = BridgeShell.moment()
            tuio.take(bytes, from: sender, at: now)
            count += 1
        }
        tuio.tick(at: BridgeShell.moment())
        try touch.publish(daemon, from: &tuio.touches, at: moment)
        if count == Self.turnMax || now.steady > end { return 0 }
        return tuio.sourceCount > 0 ? Self.tickMilliseconds : .max
    }

    func end(_ daemon: DaemonConnection, at moment: Moment) throws(Failure) {
        tuio.touches.cancelAll(at: moment)
        try touch.publish(daemon, from: &tuio.touches, at: moment)
    }
}
