import Geometry
import Glibc
import Membership
import Notation
import Platform
import Sessions
import Store

/// A daemon's way into a cluster at its start: the engine, and what is made of it.
struct ClusterJoining {
    let writer: StoreWriter
    private let engine: PostgresEngine
    private let leaseSeconds: Double
    private let log: Log
    /// When the daemon joined, by the boot's clock.
    private let joined: Int

    init(
        _ configuration: Configuration, _ settings: LaneSettings, _ sockets: borrowing Sockets,
        counters: Counters, log: Log
    ) throws(StartError) {
        let options = configuration.cluster
        let member = NewMember(
            instance: try Self.instance(in: configuration.resolvedStateDirectory),
            name: configuration.memberName, daemon: settings.epoch,
            endpoints: MemberEndpoints(
                events: options.advertised(sockets.eventsEndpoints),
                push: options.advertised(sockets.pushEndpoints),
                updates: options.advertised(sockets.updatesEndpoints),
                control: options.advertised(sockets.controlEndpoints)),
            weight: options.weight)
        let retention = settings.retentionSteps / Step.perSecond
        let cluster = ClusterSettings(
            target: PostgresTarget(url: options.url, passFile: options.passFile), member: member,
            shards: options.shards, key: settings.key, secret: configuration.secret,
            durability: configuration.durability == .normal ? .normal : .full,
            lease: options.leaseSeconds,
            touchedStep: max(1, retention / Limits.retentionPartsOfUse),
            floorMax: Limits.versionsBegunMax, versionsALife: Limits.versionsUnstoredMax)
        joined = Clock.boot()
        do throws(StoreError) {
            engine = try PostgresEngine.join(cluster)
        } catch {
            throw error.recovery == .retry
                ? StartError(temporary: "\(error)") : StartError("\(error)")
        }
        for warning in engine.warnings { log.write(.standbyDoubted, warning) }
        leaseSeconds = options.leaseSeconds
        self.log = log
        writer = try StoreWriter(engine, counters: counters, log: log)
        log.write(
            .memberJoined,
            "\(member.name), member \(engine.member) of \(engine.tag) with \(engine.shards) shards")
    }

    /// The name of what runs from a state directory: whoever was there before is surely dead, for
    /// the directory is locked.
    private static func instance(in folder: String) throws(StartError) -> String {
        let file = "\(folder)/instance"
        if let bytes = try? Files.read(file),
            let found = InstanceName(
                String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace })
        {
            return found.text
        }
        let made = InstanceName.random()
        let code = File.replace(file, with: Array("\(made.text)\n".utf8))
        guard code == 0 else {
            let reason = unsafe String(cString: strerror(code))
            throw StartError("\(file): cannot be written: \(reason)")
        }
        return made.text
    }

    func makeDriver(outbox: Outbox) throws(StartError) -> ClusterDriver {
        try ClusterDriver(
            engine, leaseSeconds: leaseSeconds, joined: joined, wallClock: writer.wallClock,
            outbox: outbox, log: log)
    }

    func makeStorage(_ driver: ClusterDriver?) throws(StartError) -> LaneStorage? {
        guard let driver else { return nil }
        do throws(StoreError) {
            return try LaneStorage(writer, rights: LaneRights(driver, shards: engine.shards))
        } catch {
            throw StartError("\(error)")
        }
    }

    var epochs: EpochNames { EpochNames(cluster: engine.tag, shards: engine.shards) }

    func table(_ driver: ClusterDriver, lanes: Int) -> ShardTable {
        ShardTable(driver, tag: engine.tag, map: driver.firstMap, lanes: lanes)
    }
}

extension Limits {
    /// Parts of the retention to which times of use are rounded: few writes move a row then.
    static let retentionPartsOfUse = 256
}
