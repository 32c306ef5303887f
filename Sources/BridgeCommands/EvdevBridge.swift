import Bridges
import Commands
import GesturedClient
import Glibc
import Notation
import Recordings

func bridgeEvdev(_ context: Context) throws(Failure) {
    let arguments = context.arguments
    guard !arguments.positionals.isEmpty else { throw .usage("DEVICE is missing") }
    guard arguments.positionals.count <= EvdevBridge.sourcesMax else {
        throw .usage("at most \(EvdevBridge.sourcesMax) devices")
    }
    let notch = try arguments.number("--notch", in: 1...10_000) ?? WheelLog.pointsOfNotch
    let panel = try TouchTarget.map(arguments)
    var sources: [any InputSource] = []
    for path in arguments.positionals {
        sources.append(try source(path, grabs: arguments.has("--grab")))
    }
    let opened = sources
    try context.run("evdev") { (daemon) throws(Failure) in
        let touch = try TouchTarget(arguments, daemon)
        let touches = touch.touches(of: InputBridge.ContactKey.self, map: TouchMap())
        return EvdevBridge(
            touch, InputBridge(touches: touches, panel: panel, pointsOfNotch: notch), opened)
    }
}

/// A plain file is a recording; anything else, also what is not there yet, is a device.
private func source(_ path: String, grabs: Bool) throws(Failure) -> any InputSource {
    var status = stat()
    let isThere = unsafe stat(path, &status) == 0
    let isRecording = path == "-" || isThere && status.st_mode & S_IFMT == S_IFREG
    if isRecording { return try EvemuSource(path: path) }
    return try DeviceSource(path: path, grabs: grabs)
}

/// Reads devices and publishes what `InputBridge` makes of them.
private final class EvdevBridge: BridgeDriver {
    /// Devices of one bridge; a machine has some dozen.
    static let sourcesMax = 64

    private let touch: TouchTarget
    private var bridge: InputBridge
    private let sources: [any InputSource]
    private var hasBegun = false
    /// While devices are read: contacts are repeated, and those that wait begin.
    private static let tickMilliseconds = 50

    init(_ touch: TouchTarget, _ bridge: InputBridge, _ sources: [any InputSource]) {
        self.touch = touch
        self.bridge = bridge
        self.sources = sources
    }

    var readiness: String { sources.map(\.name).joined(separator: " ") }
    var counters: String { "\(bridge.counters.line) \(bridge.touches.counters.line)" }
    var isDone: Bool { sources.allSatisfy(\.isOver) }
    var status: String {
        "\(bridge.deviceCount) devices, \(bridge.touches.downCount) contacts"
    }

    var descriptors: [WatchedDescriptor] {
        guard hasBegun else { return [] }
        return sources.compactMap(\.descriptor).map { WatchedDescriptor(descriptor: $0) }
    }

    func turn(_ daemon: DaemonConnection, at moment: Moment) throws(Failure) -> Int {
        try touch.hear(daemon, for: &bridge.touches, at: moment)
        bridge.setViewport(touch.viewport, at: moment)
        for (number, source) in sources.enumerated() {
            try source.open(into: &bridge, as: number, at: moment)
        }
        guard try begins(daemon, at: moment) else { return Self.tickMilliseconds }
        var rest = Int.max
        for (number, source) in sources.enumerated() where !source.isOver {
            rest = min(rest, try source.read(into: &bridge, as: number, at: moment))
        }
        bridge.touches.tick(at: moment)
        try publish(daemon, at: moment)
        return bridge.touches.isEmpty ? rest : min(rest, Self.tickMilliseconds)
    }

    /// Whether devices are read: from when the session is there first. The kernel keeps what they
    /// send before, and a recording would play to nobody.
    private func begins(_ daemon: DaemonConnection, at moment: Moment) throws(Failure) -> Bool {
        if hasBegun { return true }
        hasBegun = daemon.isThere && touch.viewport != nil
        if touch.viewport == nil { try touch.open(daemon, at: moment) }
        return hasBegun
    }

    func end(_ daemon: DaemonConnection, at moment: Moment) throws(Failure) {
        bridge.touches.cancelAll(at: moment)
        try publish(daemon, at: moment)
    }

    private func publish(_ daemon: DaemonConnection, at moment: Moment) throws(Failure) {
        try touch.publish(daemon, from: &bridge.touches, at: moment)
        for event in bridge.takeWheels() { try daemon.publish(event) }
    }
}
