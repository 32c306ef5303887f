import CSystem
import Codec
import Glibc
import Manual
import Notation
import Platform
import Security
import Sessions
import Store
import Supervision
import ZeroMQ

/// The daemon from its arguments to its exit status.
package enum Lifecycle {
    /// Runs what the command line asks for. Returns the exit status: 0, or that of a `StartError`
    /// with one line printed.
    package static func main(_ words: [String]) -> Int32 {
        do throws(StartError) {
            switch try Invocation(words) {
            case .help: StandardStreams.printOwnLines(Invocation.helpText)
            case .version: StandardStreams.printLine("gestured \(Version.text)")
            case .check(let file): return try check(file)
            case .checkScenes(let files):
                return files.map { check(scene: $0) }.max() ?? 0
            case .run(let arguments): return run(arguments)
            }
            return 0
        } catch {
            StandardStreams.printError("gestured: \(error.message)")
            return error.status
        }
    }

    /// Says all that is wrong with a configuration and its scenes, and what a start would refuse,
    /// one error a line. Returns the exit status.
    private static func check(_ file: String) throws(StartError) -> Int32 {
        var faults = ConfigurationFaults()
        let configuration = try Configuration(checking: file, &faults)
        for warning in configuration.security.warnings {
            StandardStreams.printError(
                "gestured: warning: \(warning.event.rawValue): \(warning.text)")
        }
        for warning in faults.warnings {
            StandardStreams.printError("gestured: warning: \(warning)")
        }
        for error in faults.errors { StandardStreams.printError("gestured: \(error.message)") }
        guard faults.errors.isEmpty else { return 2 }
        let scenes = configuration.scenes.keys.sorted().joined(separator: ", ")
        StandardStreams.printLine("\(file): good; scenes: \(scenes.isEmpty ? "none" : scenes)")
        return 0
    }

    /// Says all that is wrong with a scene, one error a line. Returns the exit status.
    private static func check(scene file: String) -> Int32 {
        let bytes: [UInt8]
        do throws(PlainFile.Failure) {
            bytes = try PlainFile.read(file, bytesMax: Limits.fileBytesMax)
        } catch {
            StandardStreams.printError("gestured: \(file): \(error.reason)")
            return 2
        }
        let errors = SceneFaults.found(in: bytes, file: file)
        for error in errors { StandardStreams.printError("\(error)") }
        if errors.count == Limits.sceneErrorsMax {
            StandardStreams.printError("\(file): perhaps more: these are the first of them")
        }
        if errors.isEmpty { StandardStreams.printLine("\(file): good") }
        return errors.isEmpty ? 0 : 2
    }

    /// Returns the exit status; the log has the reason of a failure.
    private static func run(_ arguments: Arguments) -> Int32 {
        gs_standard_open()
        gs_memory_large_apart()
        // Before any thread exists: no other thread reads the environment meanwhile, and every
        // thread leaves the signals to the reactor.
        let manager = ServiceManager()
        signal(SIGPIPE, SIG_IGN)
        let signals = gs_signals_open()
        let log = Log()
        var failure = LogEvent.cannotStart
        do {
            guard signals >= 0 else { throw StartError("cannot open a signalfd") }
            let configuration = try Configuration(arguments)
            log.set(configuration.logLevel)
            try lockState(configuration.resolvedStateDirectory)
            try serve(configuration, arguments, signals: signals, manager, log, &failure)
            log.tick(isLast: true)
            return 0
        } catch {
            let reason = (error as? StartError)?.message ?? "\(error)"
            log.write(failure, reason)
            manager.notify(status: "\(failure.rawValue): \(reason)")
            return (error as? StartError)?.status ?? 2
        }
    }

    /// Runs to the end. Returns once all sockets are closed, so that the next daemon, which waits
    /// for the lock, finds every endpoint free.
    private static func serve(
        _ configuration: Configuration, _ arguments: Arguments, signals: CInt,
        _ manager: ServiceManager, _ log: Log, _ failure: inout LogEvent
    ) throws {
        let reactor = try makeReactor(
            configuration, arguments, signals: signals,
            context: try Context(ioThreads: Sockets.IOThread.allCases.count), manager, log)
        failure = .failed
        manager.notify(.ready)
        try reactor.run()
    }

    /// Starts from the inside out: store, sockets, lanes, then the line that says it is ready.
    private static func makeReactor(
        _ configuration: Configuration, _ arguments: Arguments, signals: CInt, context: Context,
        _ manager: ServiceManager, _ log: Log
    ) throws -> Reactor {
        let cores = Host.processorCount
        let laneCount = configuration.lanes > 0 ? configuration.lanes : cores
        try Descriptors.expect(lanes: laneCount)
        let settings = LaneSettings(
            configuration, epoch: makeEpoch(), choice: LaneChoice(count: laneCount),
            key: UInt128.random(in: 0...UInt128.max),
            versionFloor: FormerVersions.versionFloor(at: Clock.wall()))
        let counters = Counters()
        let opening = StoreOpening(configuration, settings, log: log)
        let isMember = !configuration.cluster.url.isEmpty
        let ownWriter = isMember ? nil : try opening.makeWriter(counters: counters)
        var sockets = try Sockets(configuration, in: context)
        // The other members are told where the sockets are.
        let joining =
            isMember
            ? try ClusterJoining(configuration, settings, sockets, counters: counters, log: log)
            : nil
        let storeWriter = joining?.writer ?? ownWriter
        try sockets.exchange([], for: configuration.security.access.groups)
        let ports = sockets.peerPorts
        let ready =
            "gestured ready events=\(sockets.eventsEndpoints.joined(separator: ","))"
            + " updates=\(sockets.updatesEndpoints.joined(separator: ","))"
            + " control=\(sockets.controlEndpoints.joined(separator: ","))"
            + " epoch=\(settings.epoch)"
        let outbox = try Outbox()
        let driver = try joining?.makeDriver(outbox: outbox)
        let budget = RejectionBudget(perSecondMax: Limits.rejectionsPerSecondMax)
        let rejectionLog = RejectionLog()
        let lanes = try (0..<laneCount).map { number in
            let lane = try Lane(
                number: number, settings: settings, counters: counters, outbox: outbox,
                budget: budget, rejectionLog: rejectionLog,
                storage: try joining?.makeStorage(driver) ?? storeWriter.map(opening.makeStorage))
            if let joining { lane.table.opener.name(epochs: joining.epochs) }
            return lane
        }
        lanes.first?.table.storage?.reportUnreachable(to: log)
        for lane in lanes { lane.start() }
        let operations = Operations(
            manager, log: log, reload: Reload(arguments, outbox: outbox),
            rejectionLog: rejectionLog,
            configuration: configuration, settings: settings)
        let traffic = PeerTraffic(
            isEncrypted: configuration.security.serverKey != nil, tap: settings.tap)
        let connections = ConnectionGuard(
            ports, traffic, outbox: outbox, inboxes: lanes.map(\.inbox),
            cutter: ConnectionCutter(counters: counters, log: log),
            updatesWaitingMax: configuration.sendHighWaterMark)
        connections.start()
        let reactor = Reactor(
            sockets: sockets, lanes: lanes, counters: counters, outbox: outbox,
            signals: signals, storeWriter: storeWriter, operations: operations,
            traffic: traffic)
        if let joining, let driver {
            reactor.join(joining.table(driver, lanes: laneCount))
        }
        report(configuration, of: reactor, log)
        StandardStreams.printLine(ready)
        reactor.reportStatus()
        return reactor
    }

    private static func report(_ configuration: Configuration, of reactor: Reactor, _ log: Log) {
        reactor.reportKeys(configuration.security)
        log.write(
            .started,
            "\(Version.text) with \(reactor.lanes.count) lanes; scenes: "
                + configuration.scenes.keys.sorted().joined(separator: ", ")
                + (configuration.secret == nil ? "" : "; ids are kept by a key"))
    }

    /// A name for this run: its time and its process.
    private static func makeEpoch() -> String {
        let milliseconds = Clock.wall() / 1_000_000
        return String(milliseconds, radix: 36) + String(getpid() % 46_656, radix: 36)
    }

    /// Lets one daemon run on a state directory; the locks end with the process. One that was just
    /// killed may still be ending, so a lock is waited for.
    private static func lockState(_ folder: String) throws(StartError) {
        do throws(StartError) {
            try Files.makeFolder(folder)
        } catch {
            throw StartError("state directory \(error.message)")
        }
        var result = unsafe gs_lock_folder(folder, Files.lockName)
        for _ in 0..<Limits.lockTrials where result == -2 {
            usleep(Limits.lockPauseMicroseconds)
            result = unsafe gs_lock_folder(folder, Files.lockName)
        }
        if result == -2 {
            throw StartError(
                "\(folder): another gestured runs on this state: stop it, or give this one a "
                    + "state_dir of its own")
        }
        guard result == 0 else {
            let reason = unsafe String(cString: strerror(errno))
            let lock = "\(folder)/\(Files.lockName)"
            let thing = StoreAccess.thing(at: lock, followsLinks: false).map { "it is \($0)" }
            throw StartError(
                "\(lock): cannot be opened: \(thing ?? reason): remove it, or choose another "
                    + "state_dir")
        }
    }
}

extension Limits {
    /// Trials of a lock that another process holds, two seconds in all: the system takes some time
    /// to end a process, and longer on a busy machine.
    static let lockTrials = 200
    static let lockPauseMicroseconds: UInt32 = 10_000
}
