import Bridges
import Commands
import Glibc
import Notation

/// One device, or one stream of evemu, as the bridge reads it.
protocol InputSource: AnyObject {
    var name: String { get }
    /// Nil while it is closed.
    var descriptor: CInt? { get }
    /// Whether nothing will ever come again.
    var isOver: Bool { get }
    /// Opens a device that is closed, if it is time to try. Throws where it will never do.
    func open(into bridge: inout InputBridge, as number: Int, at moment: Moment) throws(Failure)
    /// Reads what there is into the bridge, as the device of this number.
    ///
    /// Returns the milliseconds after which it must be called again at the latest.
    func read(into bridge: inout InputBridge, as number: Int, at moment: Moment)
        throws(Failure) -> Int
}

/// A device of Linux' input layer. One that is unplugged is tried again.
final class DeviceSource: InputSource {
    /// The pauses between two tries grow from the first to the second.
    private static let pauseMillisecondsMin = 250
    private static let pauseMillisecondsMax = 4_000
    /// Events read in one turn; a flood of one device must not starve the others.
    private static let eventsMax = 4_096

    let name: String
    private let grabs: Bool
    private var device: EvdevDevice?
    /// Whether the bridge knows the open device.
    private var isPlugged = false
    private var nextTry = 0
    private var pause = DeviceSource.pauseMillisecondsMin

    /// Throws where the device will never do; one that is not there yet is waited for.
    init(path: String, grabs: Bool) throws(Failure) {
        name = path
        self.grabs = grabs
        try access(at: BridgeShell.moment())
    }

    var isOver: Bool { false }
    var descriptor: CInt? { device?.descriptor }

    func read(
        into bridge: inout InputBridge, as number: Int, at moment: Moment
    ) throws(Failure) -> Int {
        guard let device else { return max(0, nextTry - moment.steady) }
        for _ in 0..<Self.eventsMax {
            switch device.next() {
            case .nothing: return .max
            case .lost: bridge.lose(of: number, at: moment)
            case .reading(let reading): bridge.read(reading, of: number, at: moment)
            case .gone:
                BridgeLog.printLine("gesturectl: \(name): unplugged; waiting for it")
                (self.device, isPlugged) = (nil, false)
                bridge.unplug(number, at: moment)
                wait(from: moment)
                return pause
            }
        }
        return 0
    }

    func open(
        into bridge: inout InputBridge, as number: Int, at moment: Moment
    ) throws(Failure) {
        if device == nil, moment.steady >= nextTry { try access(at: moment) }
        guard let device, !isPlugged else { return }
        guard bridge.plug(device.description, as: number) else {
            throw .file("\(name): has neither contacts, nor a pointer, nor a wheel")
        }
        if nextTry != 0 { BridgeLog.printLine("gesturectl: \(name): plugged in") }
        pause = Self.pauseMillisecondsMin
        isPlugged = true
    }

    private func access(at moment: Moment) throws(Failure) {
        do throws(EvdevDevice.Fault) {
            device = try EvdevDevice(path: name, grabs: grabs)
        } catch {
            try report(error.code)
            wait(from: moment)
        }
    }

    /// Throws at the first try, unless the device is only not there yet. Later the device may come
    /// back before this user may read it.
    private func report(_ fault: CInt) throws(Failure) {
        guard nextTry == 0 else { return }
        switch fault {
        case ENOENT, ENODEV, ENXIO:
            BridgeLog.printLine("gesturectl: \(name): not there; waiting for it")
        case ENOTTY: throw .file("\(name): not an input device")
        case EBUSY: throw .file("\(name): another program has grabbed it")
        case EACCES, EPERM:
            throw .file("\(name): \(Console.words(for: fault)); join the group input")
        default: throw .file("\(name): \(Console.words(for: fault))")
        }
    }

    private func wait(from moment: Moment) {
        nextTry = moment.steady + pause
        pause = min(2 * pause, Self.pauseMillisecondsMax)
    }
}

/// A stream of evemu: a file, a pipe, or standard input.
final class EvemuSource: InputSource {
    private static let pieceBytes = 16_384

    let name: String
    private var file: CInt
    private var stream: EvemuStream
    private var isPlugged = false
    private var isEnded = false
    private var malformed = 0

    init(path: String) throws(Failure) {
        name = inputName(path)
        file =
            path == "-" ? STDIN_FILENO : unsafe Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw .file("\(path): \(Console.words(for: errno))") }
        stream = EvemuStream(name: name)
    }

    deinit { if file > STDIN_FILENO { close(file) } }

    func open(into bridge: inout InputBridge, as number: Int, at moment: Moment) {}

    var isOver: Bool { isEnded && stream.isEmpty }
    var descriptor: CInt? { !isEnded && stream.hasRoom ? file : nil }

    func read(
        into bridge: inout InputBridge, as number: Int, at moment: Moment
    ) throws(Failure) -> Int {
        let now = moment.steady * 1_000
        readPiece(at: now)
        for reading in stream.takeDue(at: now) {
            if !isPlugged {
                isPlugged = true
                guard bridge.plug(stream.device, as: number) else {
                    throw .file("\(name): has neither contacts, nor a pointer, nor a wheel")
                }
            }
            bridge.read(reading, of: number, at: moment)
        }
        if stream.malformed > malformed {
            if malformed == 0, let fault = stream.firstFault { BridgeLog.printWarning("\(fault)") }
            bridge.countMalformed(stream.malformed - malformed)
            malformed = stream.malformed
        }
        if isOver { bridge.unplug(number, at: moment) }
        return stream.nextDue.map { max(0, ($0 - now + 999) / 1_000) } ?? .max
    }

    /// Reads only what is there: standard input may be in blocking mode, which others share.
    private func readPiece(at now: Int) {
        guard let descriptor else { return }
        var place = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&place, 1, 0) > 0 else { return }
        var bytes = [UInt8](repeating: 0, count: Self.pieceBytes)
        let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
        if count > 0 {
            stream.read(bytes.prefix(count), at: now)
        } else if count == 0 || ![EAGAIN, EINTR].contains(errno) {
            stream.finish(at: now)
            isEnded = true
        }
    }
}
