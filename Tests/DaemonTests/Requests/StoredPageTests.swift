import Dispatch
import Notation
import Store
import StoreSupport
import Synchronization
import Testing

@testable import Daemon

/// A page of stored sessions with their scenes: the lane reads it in pieces, and says so.
@Suite struct StoredPageTests {
    /// A look into the store, as the lane stood.
    private struct Look {
        /// The number of the instant, from 1; 0: none.
        var instant: Int
        var isAtWork: Bool
    }

    private final class Looks: Sendable {
        let all = Mutex<[Look]>([])
        let lane = Mutex<Lane?>(nil)
    }

    @Test func scenesAreReadInPiecesByALaneThatIsAtWork() throws {
        let log = Log(level: .error, to: .lines(-1))
        let database = MemoryDatabase()
        let store = database.open()
        let names = (100..<130).map { "s\($0)" }
        try store.commit(
            StoreCommit(
                fence: store.fence,
                changes: names.map { .put(StoredSession(id: $0, state: [], lastUsed: 1)) }))
        let looks = Looks()
        let writer = try StoreWriter(
            WatchedStore(store, looks), counters: Counters(), log: log)
        let lanes = try Lanes(1, storage: LaneStorage(writer))
        let lane = lanes.lanes[0]
        looks.lane.withLock { $0 = lane }
        defer { looks.lane.withLock { $0 = nil } }
        let request = try SessionsRequest(
            RequestFields(Array(#"{"op":"sessions","detail":true}"#.utf8)))
        let page = Pending<StoredPage.Content>()
        let envelope = Envelope(identity: [1], hasDelimiter: false)
        lane.queue.async {
            StoredPage.read(request, for: envelope, on: lane.table) { page.take(.success($0)) }
        }
        #expect(try page.wait().scenes.keys.sorted() == names)
        lanes.rest()
        let found = looks.all.withLock { $0 }
        #expect(found.count == names.count)
        #expect(found.allSatisfy { $0.isAtWork && $0.instant > 0 })
        #expect(Set(found.map(\.instant)).count > 2, "no piece takes long")
        let isAtWork = lane.load.isAtWork.load(ordering: .relaxed)
        #expect(!isAtWork)
    }

    /// A store that is slow, and notes how it is read.
    private final class WatchedStore: Store {
        private let base: MemoryStore
        private let looks: Looks

        init(_ base: MemoryStore, _ looks: Looks) { (self.base, self.looks) = (base, looks) }

        var identity: StoreIdentity { base.identity }
        var fence: StoreFence { base.fence }
        var hasBegun: Bool { base.hasBegun }
        func commit(_ commit: StoreCommit) throws(StoreError) { try base.commit(commit) }
        func check() {}
        func close() { base.close() }
        func makeReader() -> any StoreReader { WatchedReader(base.makeReader(), looks) }
    }

    private final class WatchedReader: StoreReader {
        private let base: any StoreReader
        private let looks: Looks
        private var instants = 0
        private var isOneInstant = false

        init(_ base: any StoreReader, _ looks: Looks) { (self.base, self.looks) = (base, looks) }

        func begin() throws(StoreError) {
            (instants, isOneInstant) = (instants + 1, true)
            try base.begin()
        }

        func end() {
            isOneInstant = false
            base.end()
        }

        func lookUp(
            _ id: String, late: @escaping StoreAnswer<StoredSession?>
        ) throws(StoreError) -> StoreLookUp {
            let isAtWork = looks.lane.withLock { $0?.load.isAtWork.load(ordering: .relaxed) }
            let look = Look(instant: isOneInstant ? instants : 0, isAtWork: isAtWork == true)
            looks.all.withLock { $0.append(look) }
            let end = Clock.monotonic() + Limits.pieceMicrosecondsMax * 1_000 / 4
            while Clock.monotonic() < end {}
            return try base.lookUp(id, late: late)
        }

        func names(_ query: StoreQuery, then: @escaping StoreAnswer<[String]>) {
            base.names(query, then: then)
        }

        func has(_ id: String) -> Bool { base.has(id) }
        func count(then: @escaping StoreAnswer<Int>) { base.count(then: then) }
    }
}
