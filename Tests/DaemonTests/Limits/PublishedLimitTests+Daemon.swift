import Geometry
import Interactions
import Notation
import Protocol
import Sessions
import StoreSupport
import TestSupport
import Testing

@testable import Daemon

/// Bounds that reactor, lanes and store hold.
extension PublishedLimitTests {
    private static func makeStorage() throws -> LaneStorage {
        let log = Log(level: .error, to: .lines(-1))
        let writer = try StoreWriter(MemoryDatabase().open(), counters: Counters(), log: log)
        return try LaneStorage(writer)
    }

    static let daemonRows: [String: Row] = [
        "limit_sessions": .driven { value in
            let lanes = try Lanes(1, sessionsMax: value)
            var batch = Batch()
            for index in 0...value { batch.notify("s\(index)") }
            lanes.lanes[0].submit(&batch)
            lanes.rest()
            #expect(lanes.counters.get(.sessions) == value)
            #expect(lanes.rejections().map(\.rejection.code) == [.sessionLimit])
        },
        "limit_lane_events": .driven { value in
            let lane = try Lanes(1).lanes[0]
            var batch = Batch()
            batch.eventCount = value - 1
            lane.load.expect(batch)
            #expect(lane.load.hasRoom)
            batch.eventCount = 1
            lane.load.expect(batch)
            #expect(!lane.load.hasRoom)
        },
        "limit_lane_bytes": .driven { value in
            let lane = try Lanes(1).lanes[0]
            var batch = Batch()
            batch.documentBytes = value - 1
            lane.load.expect(batch)
            #expect(lane.load.hasRoom)
            batch.documentBytes = 1
            lane.load.expect(batch)
            #expect(!lane.load.hasRoom)
        },
        "limit_outbox_bytes": .driven { value in
            let outbox = try Outbox()
            let chunk = outbox.chunk()
            for _ in 0..<value - 1 { chunk.bytes.append(UInt8(0)) }
            outbox.post(chunk)
            #expect(!outbox.isFull)
            let last = outbox.chunk()
            last.bytes.append(UInt8(0))
            outbox.post(last)
            #expect(outbox.isFull)
        },
        "limit_requests_unanswered": .driven { value in
            var unanswered = UnansweredRequests()
            for _ in 0..<value {
                #expect(unanswered.haveRoom)
                unanswered.addRequest()
            }
            #expect(!unanswered.haveRoom)
            unanswered.remove(Envelope(identity: [], hasDelimiter: false))
            #expect(unanswered.haveRoom)
        },
        "limit_publishes_unanswered": .driven { value in
            var unanswered = UnansweredRequests()
            for _ in 0..<value {
                #expect(throws: Never.self) { try unanswered.addPublish(of: "anna") }
            }
            let error = #expect(throws: Rejection.self) { try unanswered.addPublish(of: "anna") }
            #expect(error?.code == .busy)
            #expect(throws: Never.self) { try unanswered.addPublish(of: "berta") }
            var envelope = Envelope(identity: [], hasDelimiter: false)
            envelope.publishes = "anna"
            unanswered.remove(envelope)
            #expect(throws: Never.self) { try unanswered.addPublish(of: "anna") }
        },
        "limit_subscriptions_per_round": .driven { value in
            var subscriptions = Subscriptions()
            subscriptions.beginRound()
            #expect((0..<2 * value).count { _ in subscriptions.mayReadOne() } == value)
            subscriptions.beginRound()
            let mayRead = subscriptions.mayReadOne()
            #expect(mayRead)
        },
        "limit_subscriptions_tracked": .driven { value in
            var book = SubscriptionBook()
            for index in 0..<value { _ = book.insert("o\(index)", .other) }
            #expect(book.count == value && !book.isOverflown && book.broadChannels == [])
            let isTracked = book.insert("more", .other)
            #expect(!isTracked)
            #expect(book.isOverflown && book.broadChannels == .all)
        },
        "limit_sync_nonces": .driven { value in
            var numbers = SyncNumbers()
            for index in 0..<value { _ = numbers.next(for: "n\(index)") }
            #expect(numbers.next(for: "n0") == 2)
            _ = numbers.next(for: "more")
            #expect(numbers.next(for: "n0") == 1, "the oldest is forgotten")
        },
        "limit_rejections_per_second": .driven { value in
            let budget = RejectionBudget(perSecondMax: Limits.rejectionsPerSecondMax)
            #expect((0..<2 * value).count { budget.take(at: $0) } == value)
        },
        "limit_message_bytes": .elsewhere(
            file: "Tests/EndToEnd/test_limits.py", test: "\"limit_message_bytes\"", by: "drops"),
        "limit_subscription_bytes": .elsewhere(
            file: "Tests/EndToEnd/test_limits.py", test: "\"limit_subscription_bytes\"",
            by: "drops"),
        "limit_round_messages": .elsewhere(
            file: "Tests/DaemonTests/ReactorTests.swift", test: "aRoundReadsNoMoreThanItsBounds",
            by: "roundMessagesMax"),
        "limit_round_bytes": .elsewhere(
            file: "Tests/DaemonTests/ReactorTests.swift", test: "aRoundReadsNoMoreThanItsBounds",
            by: "roundBytesMax"),
        "limit_hand_overs": .driven { value in
            // WriteBehindTests drive it: partsStopWhereTooManyCommitsAreUnderWay.
            #expect(WriteBehind.Tuning().commitsMax == value)
        },
        "limit_handed_over_at_once": .driven { value in
            // WriteBehindTests drive it: manySessionsGoInPartsAndTheRepliesWithTheLastPiece.
            #expect(WriteBehind.Tuning().partSessionsMax == value)
        },
        "limit_removals_unstored": .driven { value in
            let storage = try makeStorage()
            for index in 0..<value {
                #expect(storage.mayRemove)
                storage.delete("s\(index)", version: 0)
            }
            #expect(!storage.mayRemove)
        },
        "limit_versions_unstored": .driven { value in
            // Half of it is told before a version is stored, the rest is room for the last commits.
            for (ahead, mayChange) in [(value / 2 - 1, true), (value / 2, false)] {
                let storage = try makeStorage()
                let session = Session(
                    id: "anna", epoch: "e", scene: .phone(), opened: Theater.opened,
                    frameRate: 60, beginning: .new(version: value))
                let open = ActiveSession(session, openedAt: .zero, interest: [])
                storage.opened(
                    open,
                    saved: SavedMark(
                        seenTotal: 0, version: open.session.badges.version - ahead,
                        lastUse: .zero))
                #expect(storage.mayChangeCounts(of: open) == mayChange)
            }
        },
        "limit_piece_us": .driven { value in
            let lane = try Lanes(1).lanes[0]
            #expect(lane.isPieceOver(since: Clock.monotonic() - value * 1_000))
            // No piece is over that begins in the future.
            #expect(!lane.isPieceOver(since: Clock.monotonic() + 1_000_000_000))
        },
        "limit_export_bytes": .elsewhere(
            file: "Tests/EndToEnd/test_imports.py", test: "test_what_fits_no_message_is_too_large",
            by: "limit_export_bytes"),
    ]
}
