import Notation
import Sessions
import Store
import Threads

/// Opens the store at the start. A damaged file is set aside; a disk that fails to read says
/// nothing about the file, so that it is tried again.
struct StoreOpening {
    private let durability: SQLiteStore.Durability?
    private let path: String
    private let secret: Secret?
    private let settings: LaneSettings
    private let log: Log
    /// On the monotonic clock: when a disk that fails has had its time.
    private let end: Int

    init(_ configuration: Configuration, _ settings: LaneSettings, log: Log) {
        durability =
            switch configuration.durability {
            case .full: .full
            case .normal: .normal
            case .off: nil
            }
        path = "\(configuration.resolvedStateDirectory)/gestured.db"
        secret = configuration.secret
        self.settings = settings
        self.log = log
        end = Clock.monotonic() + Limits.openingSecondsMax * 1_000_000_000
    }

    /// Nil: nothing is to be stored.
    func makeWriter(counters: Counters) throws(StartError) -> StoreWriter? {
        guard let durability else { return nil }
        // Before the store writes anything.
        let lastWrite = [path, path + "-wal"].compactMap(Files.modified).max()
        let wallClock = WallClock(
            lastWrite: lastWrite, retentionSteps: settings.retentionSteps, counters: counters,
            log: log)
        let store = try retry { () throws(StoreError) in try open(durability) }
        for damage in store.damages { log.write(.storeDamaged, damage) }
        return try StoreWriter(store, wallClock: wallClock, counters: counters, log: log)
    }

    /// A lane's side of the store, which opens the file once more.
    func makeStorage(_ writer: StoreWriter) throws(StartError) -> LaneStorage {
        try retry { () throws(StoreError) in
            let rights = LaneRights(of: writer.identity, clock: settings.versionFloor)
            return try LaneStorage(writer, rights: rights)
        }
    }

    /// Throws `damaged` if the new file that takes the place of a damaged one is damaged, too.
    private func open(_ durability: SQLiteStore.Durability) throws(StoreError) -> SQLiteStore {
        let time = Clock.wall() / 1_000_000_000
        func open() throws(StoreError) -> SQLiteStore {
            try SQLiteStore(
                path, durability, newKey: settings.key, secret: secret,
                versionFloor: settings.versionFloor,
                versionsALife: Limits.versionsUnstoredMax, time: time)
        }
        do throws(StoreError) {
            return try open()
        } catch  where error.kind == .damaged {
            let aside = try SQLiteStore.quarantine(path, at: time)
            log.write(.storeDamaged, "\(error); it is kept as \(aside), and a new one begun")
            return try open()
        }
    }

    /// Tries again what the disk failed to do, until `end`.
    private func retry<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StartError) -> Result {
        while true {
            do throws(StoreError) {
                return try body()
            } catch {
                guard error.kind == .disk else { throw StartError("\(error)") }
                guard Clock.monotonic() < end else {
                    throw StartError(
                        temporary: "\(error); the disk failed for \(Limits.openingSecondsMax) s, "
                            + "and the store is left as it is")
                }
                log.write(.storeUnread, "\(error)")
                Thread.sleep(milliseconds: Limits.openingPauseMilliseconds)
            }
        }
    }
}

extension Limits {
    /// Seconds in which a start tries to open the store on a disk that fails: then it ends, and a
    /// service manager's limit of twenty starts in five minutes is not reached.
    static let openingSecondsMax = 15
    /// Milliseconds between two trials.
    static let openingPauseMilliseconds = 100
}
