import Codec
import Dispatch
import Geometry
import Membership
import Notation
import Protocol
import Sessions
import Store
import StoreSupport
import Testing

@testable import Daemon

/// A lane whose shard comes and goes, and a database that another member writes to.
@Suite struct LaneShardsTests {
    private static let like = #"{"kind":"likes"}"#
    /// The only shard, under the right with which the lane begins.
    private static let right = ShardRight(number: 0, epoch: 0, floor: 0)
    private static let nobodys = ClusterMap(member: 1, version: 1, members: [], owners: [nil])

    /// A lane that has stored a like for a session, on its way to an heir, who has stored it since.
    private func going(_ session: String) throws -> StoredLane {
        let stored = try StoredLane()
        #expect(stored.ask(session, Self.like).contains(#""ok":true"#))
        stored.order(.prepare(1, [Self.right]))
        // The hand-over waits for a commit, also where everything is stored.
        #expect(stored.pump { $0.database.commits.count == 2 && $0.commitsUnderWay == 0 })
        stored.database.change(session) { $0.state = Array("the heir's".utf8) }
        return stored
    }

    private func isHeirs(_ session: String, _ stored: StoredLane) -> Bool {
        stored.database.session(session)?.state == Array("the heir's".utf8)
    }

    /// A database with a session that nobody has used for a long time.
    private func oldDatabase() throws -> MemoryDatabase {
        let stored = try StoredLane()
        _ = stored.ask("old", Self.like)
        #expect(stored.end())
        stored.database.change("old") { $0.lastUsed = Limits.earliestTime }
        return stored.database
    }

    /// Sweeps, and has done what that leads to.
    private func sweep(_ stored: StoredLane) {
        stored.asked { lane in
            for _ in 0..<Limits.usedPhases { lane.expiry.storeUsed() }
            lane.expiry.evictIdle()
            lane.expiry.expireUnused()
        }
        for _ in 0..<4 { stored.asked { _ in } }
        // Changes that wait go along.
        #expect(stored.ask("other", Self.like).contains(#""ok":true"#))
    }

    @Test func aSweepStoresNothingOfWhatGoes() throws {
        let stored = try going("a")
        // A session is used from the step after its first event on.
        stored.asked { $0.table.settings.idleSteps = -Step.perSecond }
        sweep(stored)
        #expect(isHeirs("a", stored))
        stored.order(.drop([0], Self.nobodys))
        #expect(stored.end() && isHeirs("a", stored))
    }

    @Test func nothingExpiresOfWhatGoes() throws {
        let stored = try StoredLane(oldDatabase())
        stored.order(.prepare(1, [Self.right]))
        sweep(stored)
        #expect(stored.database.session("old") != nil)
        stored.order(.keep([0]))
        sweep(stored)
        #expect(stored.database.session("old") == nil)
        #expect(stored.end())
    }

    /// A sweep that stands before the store's answer about the session `old`.
    private func askedAboutOld(isWatched: Bool) throws -> StoredLane {
        let stored = try StoredLane(oldDatabase(), isLate: true)
        let late = try #require(stored.late)
        stored.asked { lane in
            if isWatched { lane.table.interests["old"] = .session }
            lane.expiry.expireUnused()
        }
        // Those of a wrong clock, and the list.
        for _ in 0..<2 {
            #expect(late.waiting == 1)
            late.letGo()
            stored.asked { _ in }
        }
        #expect(late.waiting == 1)
        return stored
    }

    @Test(arguments: [false, true])
    func whatTheStoreTellsOfLateExpires(isWatched: Bool) throws {
        let stored = try askedAboutOld(isWatched: isWatched)
        stored.late?.letGo()
        stored.asked { _ in }
        #expect(stored.lanes.counters.get(.expired) == 1)
        #expect(stored.end() && stored.database.session("old") == nil)
    }

    @Test(arguments: [false, true])
    func whatWasUsedSinceItWasListedDoesNotExpire(isWatched: Bool) throws {
        let stored = try askedAboutOld(isWatched: isWatched)
        stored.database.change("old") { $0.lastUsed = .max / 2 }
        stored.late?.letGo()
        stored.asked { _ in }
        #expect(stored.lanes.counters.get(.expired) == 0)
        #expect(stored.end() && stored.database.session("old") != nil)
    }

    /// It comes back at rest, as the protocol promises those who have subscribed to it by name.
    @Test func whatIsSubscribedToByNameIsRestoredWithItsShard() throws {
        let stored = try StoredLane(oldDatabase(), isLate: true)
        let late = try #require(stored.late)
        stored.asked { $0.table.interests["old"] = .session }
        stored.order(.take([Self.right], stored.database.open().fence))
        for _ in 0..<4 {
            stored.asked { _ in }
            if late.waiting > 0 { late.letGo() }
        }
        #expect(stored.asked { $0.table.activeSessions["old"] != nil })
        #expect(stored.end())
    }

    @Test func aRemovalThatWaitsGoesWithItsShard() throws {
        let stored = try StoredLane()
        #expect(stored.ask("a", Self.like).contains(#""ok":true"#))
        stored.asked { lane in
            if let active = lane.table.activeSessions["a"] { lane.table.close(active, .closed) }
        }
        stored.order(.drop([0], Self.nobodys))
        #expect(stored.ask("other", Self.like).contains(#""ok":true"#))
        #expect(stored.storedLikes("a") == 1)
        #expect(stored.end())
    }

    /// A removal hangs, the member is lost and joins anew, and the shard comes back to the lane.
    @Test func aRemovalOfAFormerLifeIsNotTriedAgain() throws {
        let stored = try StoredLane()
        #expect(stored.ask("a", Self.like).contains(#""ok":true"#))
        let gate = DispatchSemaphore(value: 0)
        stored.database.inject(.held(gate, .unavailable))
        stored.asked { lane in
            if let active = lane.table.activeSessions["a"] { lane.table.close(active, .closed) }
            lane.table.conclude()
        }
        let isUnderWay = stored.pump { $0.commitsUnderWay == 1 }
        let fence = stored.database.open().fence
        stored.order(
            .abandon, .drop([0], Self.nobodys),
            .take([ShardRight(number: 0, epoch: 1, floor: 0)], fence))
        stored.asked { _ in }
        gate.signal()
        #expect(isUnderWay && stored.pump { $0.commitsUnderWay == 0 })
        #expect(stored.ask("other", Self.like).contains(#""ok":true"#))
        #expect(stored.storedLikes("a") == 1)
        #expect(stored.ask("a", Self.like).contains(#""ok":true"#))
        #expect(stored.storedLikes("a") == 2, "it was looked up")
        #expect(stored.end())
    }

    /// A commit fails, and the one that prepares the hand-over succeeds behind it.
    @Test func whatFailedBeforeAHandOverIsNotTriedAgainBehindTheHeir() throws {
        let stored = try StoredLane()
        let gate = DispatchSemaphore(value: 0)
        stored.database.inject(.held(gate, .unavailable))
        stored.publish("a", Self.like)
        // It is under way alone: what is submitted meanwhile makes another commit.
        #expect(stored.pump { $0.commitsUnderWay == 1 && $0.database.faultsLeft == 0 })
        stored.order(.prepare(1, [Self.right]))
        #expect(stored.pump { $0.commitsUnderWay == 2 })
        gate.signal()
        #expect(stored.pump { $0.commitsUnderWay == 0 })
        #expect(stored.database.commits.count == 1, "the hand-over is prepared")
        stored.database.change("a") { $0.state = Array("the heir's".utf8) }
        // It goes with what is tried again.
        #expect(stored.ask("other", Self.like).contains(#""ok":true"#))
        #expect(isHeirs("a", stored))
        stored.order(.drop([0], Self.nobodys))
        #expect(stored.end() && isHeirs("a", stored))
    }

    /// The engine asks for the epoch, too.
    @Test func whatWasHandedOverInMidAirGoesOnInItsEpochAlone() throws {
        let stored = try going("a")
        stored.order(.drop([0], Self.nobodys))
        let text = #"{"viewport":[320,568],"components":[{"id":"toss","kind":"toss"}]}"#
        let scene = try SceneReader.scene(
            from: Document.json(Array(text.utf8)), fallbackName: "plain", isBounded: false)
        let session = Session(
            id: "a", epoch: "e", scene: scene, opened: Instant(nanoseconds: 0), frameRate: 60)
        var document = ByteBuffer(capacity: 4_096)
        #expect(SessionExport.write(session, into: &document))
        stored.database.change("a") {
            $0.motion = StoredMotion(document: document.array(), epoch: 1)
        }
        for (epoch, goesOn) in [(2, false), (1, true)] {
            let right = ShardRight(number: 0, epoch: epoch, floor: 0)
            stored.order(.take([right], StoreFence(writer: 0)))
            #expect(
                stored.pump { lane in lane.asked { $0.table.storage?.rights.has(right) == true } })
            // The motion is read in a piece of work of its own.
            stored.asked { _ in }
            #expect(stored.asked { $0.table.activeSessions["a"] != nil } == goesOn)
        }
        #expect(stored.end())
    }

    /// A lost member sends no updates but these.
    @Test func onlyTheUpdateThatASessionHasMovedSaysSo() throws {
        let stored = try StoredLane()
        stored.asked { lane in
            SessionInterestTask(session: "a", channels: .all, ofBeginning: [])
                .perform(on: lane, at: Moment(now: 0, step: Step(0)))
        }
        #expect(stored.ask("a", Self.like).contains(#""ok":true"#))
        var told: [(tellsMove: Bool, text: String)] = []
        stored.order(.drop([0], Self.nobodys))
        let isTold = becomesTrue {
            var contents = Outbox.Contents()
            stored.lanes.outbox.exchange(with: &contents)
            for chunk in contents.chunks {
                for record in chunk.records {
                    guard case .update(_, let tellsMove, _) = record.content else { continue }
                    let text = String(decoding: chunk.bytes.array(record.range), as: UTF8.self)
                    told.append((tellsMove, text))
                }
            }
            for completion in contents.completions { completion() }
            return told.contains { $0.text.contains(#""moved""#) }
        }
        #expect(isTold)
        #expect(told.allSatisfy { $0.tellsMove == $0.text.contains(#""moved""#) })
        #expect(stored.end())
    }

    /// The last hand-over's answer makes orders and the end in one round.
    @Test func aLeaverStoresNothingOfWhatIsItsHeirs() throws {
        let stored = try going("a")
        let stage = try ReactorStage(stored)
        stage.reactor.work.add(.task(ShardOrder.drop([0], Self.nobodys)), to: 0)
        try stage.reactor.finish()
        #expect(isHeirs("a", stored))
    }
}

extension StoredLane {
    fileprivate var commitsUnderWay: Int {
        asked { $0.table.storage?.writeBehind.commitsUnderWay ?? 0 }
    }
}
