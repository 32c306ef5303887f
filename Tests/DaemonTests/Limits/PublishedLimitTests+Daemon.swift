import Geometry
import Interactions
import Notation
import Protocol
import Sessions
import StoreSupport
import TestSupport
import Testing
import ZeroMQ

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
        "limit_scene_bytes": .driven { value in
            let shelf = SceneShelf()
            let least = Limits.sceneValueBytes + 1
            let most = value - least
            // A scene that counts so many bytes, by as many values as that allows.
            func scene(_ bytes: Int, _ letter: Character) -> Scene {
                let (commas, rest) = (bytes - Limits.sceneValueBytes)
                    .quotientAndRemainder(dividingBy: least)
                var scene = Scene(name: nil, viewport: Size(320, 568), components: [])
                scene.document =
                    String(repeating: ",", count: commas) + String(repeating: letter, count: rest)
                return scene
            }
            _ = try shelf.insert(scene(most, "a"))
            _ = try shelf.insert(scene(most, "a"))
            _ = try shelf.insert(scene(least, "b"))
            let error = #expect(throws: Rejection.self) {
                try shelf.insert(scene(least, "c"))
            }
            #expect(error?.code == .sessionLimit && shelf.bytes == value)
            for _ in 0..<2 { shelf.remove(scene(most, "a").document) }
            #expect(shelf.bytes == least)
            _ = try shelf.insert(scene(most, "c"))
        },
        "limit_lane_ms": .driven { value in
            let load = LaneLoad()
            var batch = Batch()
            batch.eventCount = value
            load.expect(batch)
            // Notes approach what the work takes.
            for _ in 0..<100 { load.note(nanoseconds: 900_000, works: 1) }
            #expect(load.hasRoom)
            for _ in 0..<100 { load.note(nanoseconds: 1_100_000, works: 1) }
            #expect(!load.hasRoom)
            #expect(load.finish(batch) && load.hasRoom)
        },
        "limit_costly_requests_of_peer": .elsewhere(
            file: "Tests/DaemonTests/Turns/TurnTests.swift",
            test: "whatIsBeyondTheBoundsIsRefused", by: "costlyRequestsOfPeerMax"),
        "limit_document_values": .driven { value in
            func isRead(_ count: Int) -> Bool {
                // The list is a value, too.
                let list = "[" + Array(repeating: "1", count: count - 1).joined(separator: ",")
                let text = #"{"op":"import","session":"a","document":\#(list)]}"#
                return (try? RequestFields(Array(text.utf8)).document("document")?.node()) != nil
            }
            #expect(isRead(value) && !isRead(value + 1))
        },
        "limit_changes_ms": .elsewhere(
            file: "Tests/DaemonTests/Turns/TurnTests.swift",
            test: "changesOfASceneAreWeighedByTheirTime", by: "changesMillisecondsMax"),
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
            let choice = LaneChoice(count: 1)
            let (anna, berta) = (choice.key(of: "anna"), choice.key(of: "berta"))
            for _ in 0..<value {
                #expect(throws: Never.self) { try unanswered.addPublish(of: anna) }
            }
            let error = #expect(throws: Rejection.self) { try unanswered.addPublish(of: anna) }
            #expect(error?.code == .busy)
            #expect(throws: Never.self) { try unanswered.addPublish(of: berta) }
            var envelope = Envelope(identity: [], hasDelimiter: false)
            envelope.publishes = anna
            unanswered.remove(envelope)
            #expect(throws: Never.self) { try unanswered.addPublish(of: anna) }
        },
        "limit_subscriptions_per_round": .driven { value in
            var subscriptions = Subscriptions()
            subscriptions.beginRound()
            #expect((0..<2 * value).count { _ in subscriptions.mayReadOne() } == value)
            subscriptions.beginRound()
            let mayRead = subscriptions.mayReadOne()
            #expect(mayRead)
        },
        "limit_subscriptions_peer_bytes": .driven { value in
            // One letter more than 1,000 bytes with the overhead.
            let length = 1_000 - Limits.subscriptionOverheadBytes
            var holders = SubscriptionHolders()
            let peer = Sender(number: 1, descriptor: 5)
            func insert(_ index: Int) -> Sender? {
                let name = "\(index)"
                let prefix = name + String(repeating: "a", count: length - name.utf8.count)
                _ = holders.insert(prefix, by: peer)
                return holders.nextToCut(after: peer)
            }
            for index in 0..<value / 1_000 { #expect(insert(index) == nil) }
            #expect(insert(-1) == peer)
            #expect(insert(-2) == nil, "it is cut once")
        },
        "limit_subscriptions_bytes": .driven { value in
            let length = 1_000 - Limits.subscriptionOverheadBytes
            var holders = SubscriptionHolders()
            func insert(_ index: Int) -> Sender? {
                let name = "\(index)"
                let peer = Sender(number: index % 64 + 1, descriptor: CInt(index % 64 + 1))
                let prefix = name + String(repeating: "a", count: length - name.utf8.count)
                _ = holders.insert(prefix, by: peer)
                return holders.nextToCut(after: peer)
            }
            for index in 0..<value / 1_000 { #expect(insert(index) == nil) }
            #expect(insert(value / 1_000) != nil)
        },
        "limit_subscriptions_burst_bytes": .driven { value in
            for (bytes, isCut) in [(value, false), (value + 1, true)] {
                var judge = ConnectionJudge()
                let sample = ConnectionJudge.Sample(
                    descriptor: 5, role: .updates, received: bytes, consumed: 0)
                let verdicts = judge.judge([sample], .init(), at: 1)
                #expect(verdicts == (isCut ? [.tooManySubscriptions(5)] : []))
            }
        },
        "limit_subscriptions_burst_bytes_in_all": .driven { value in
            // Those that took much of it are cut, and not the one of few.
            let each = Limits.subscriptionBurstBytesMax
            for (count, isCut) in [(value / each, false), (value / each + 1, true)] {
                var judge = ConnectionJudge()
                var samples = (0..<count).map {
                    ConnectionJudge.Sample(
                        descriptor: CInt($0 + 5), role: .updates, received: each, consumed: 0)
                }
                samples.append(.init(descriptor: 4, role: .updates, received: 100, consumed: 0))
                let verdicts =
                    judge.judge(samples.dropLast(), .init(), at: 1)
                    + judge.judge(samples, .init(), at: 2)
                #expect(verdicts.isEmpty != isCut)
                #expect(!verdicts.contains(.tooManySubscriptions(4)))
            }
        },
        "limit_updates_unread_bytes": .driven { value in
            for (bytes, isCut) in [(value, false), (value + 1, true)] {
                var judge = ConnectionJudge()
                let sample = ConnectionJudge.Sample(
                    descriptor: 5, role: .updates, received: 100, consumed: 100, isBehind: true)
                let verdicts =
                    judge.judge([sample], .init(), at: 1)
                    + judge.judge([sample], .init(updateBytes: bytes), at: 2)
                #expect(verdicts == (isCut ? [.tooManyUpdatesUnread(5)] : []))
            }
        },
        "limit_updates_unread": .driven { value in
            for (count, isCut) in [(value, false), (value + 1, true)] {
                var unread = UnreadUpdates(perConnectionMax: .max)
                unread.note(5, read: 100, sent: 100 + count, untaken: 7, of: 7)
                let excess = unread.excess()
                #expect(excess == (isCut ? [5] : []))
            }
        },
        "limit_large_updates_bytes": .driven { value in
            let outbox = try Outbox()
            outbox.largeUpdates.add(value - 1)
            #expect(!outbox.hasManyLarge)
            outbox.largeUpdates.add(1)
            #expect(outbox.hasManyLarge)
        },
        "limit_small_updates_bytes": .driven { value in
            for (bytes, isOver) in [(value, false), (value + 1, true)] {
                var restraint = Restraint()
                restraint.look(waiting: bytes, busy: 0, at: 1)
                let later = 1 + Limits.restraintNanoseconds
                restraint.look(waiting: bytes, busy: later, at: later)
                #expect((restraint.spacing > 1) == isOver)
            }
        },
        "limit_unfinished_bytes_in_all": .elsewhere(
            file: "Tests/DaemonTests/Peers/ConnectionJudgeTests.swift",
            test: "theOldestOfTooManyUnfinishedMessagesAreCut", by: "unfinishedBytesInAllMax"),
        "limit_unfinished_bytes": .driven { value in
            func judged(_ growth: Int) -> [ConnectionJudge.Verdict] {
                var judge = ConnectionJudge()
                var progress = ConnectionJudge.Progress()
                func look(_ consumed: Int) -> [ConnectionJudge.Verdict] {
                    progress.events += PeerTraffic.emptied
                    let sample = ConnectionJudge.Sample(
                        descriptor: 5, role: .events, received: consumed, consumed: consumed)
                    return judge.judge([sample], progress, at: 1)
                }
                // Much is unread: from then on it is looked at.
                let before = look(Limits.unreadBytesMax + 1)
                #expect(before.isEmpty && judge.isAuditing)
                let after = Limits.unreadBytesMax + 1 + growth
                // It is cut once the socket was found empty twice since.
                return look(after) + look(after) + look(after)
            }
            #expect(judged(value) == [])
            #expect(judged(value + 1) == [.unfinishedMessage(5)])
        },
        "limit_replies_peer_bytes": .driven { value in
            var waiting = WaitingReplies()
            let taken = (0..<100).count { _ in waiting.take(value / 64, for: 5) }
            #expect(taken == 64 && waiting.bytes == value)
        },
        "limit_replies_bytes": .driven { value in
            // Peers of which none reads, with replies of 256 KiB, and then small ones.
            var waiting = WaitingReplies()
            for bytes in [256, 16, 1].map({ $0 * 1_024 }) {
                for peer in 0..<4_000 {
                    while waiting.take(bytes, for: CInt(peer)) {}
                }
            }
            #expect(waiting.bytes == value)
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
        "limit_round_messages": .driven { value in
            let stage = try ReactorStage()
            // As long as messages come one by one, a round has few of them.
            var most = 0
            for _ in 0..<100 where most < value {
                try stage.publish(2 * value, bodyBytes: 20)
                for _ in 0..<2 { most = max(most, try stage.round().count) }
            }
            #expect(most == value)
        },
        "limit_round_bytes": .driven { value in
            let stage = try ReactorStage()
            let body = 60_000
            var most = 0
            for _ in 0..<100 where most < value {
                try stage.publish(2 * value / body, bodyBytes: body)
                for _ in 0..<2 {
                    let round = try stage.round()
                    #expect(round.bytes < value + body + 100)
                    most = max(most, round.bytes)
                }
            }
            #expect(most >= value)
        },
        "limit_hand_overs": .driven { value in
            // Each commit has one session of more than its part may have, and none is finished.
            var tuning = WriteBehind.Tuning()
            tuning.partSessionsMax = 1
            var cache = WriteBehind(tuning: tuning)
            for index in 0...2 * value { cache.changed(cache.opened("s\(index)", saved: nil)) }
            var actions: [WriteBehind.Action] = []
            cache.workEnded(at: 0, into: &actions)
            cache.timerFired(at: tuning.gatheringNanoseconds, into: &actions)
            for _ in 0..<2 * value { cache.yielded(into: &actions) }
            #expect(actions.count { if case .submit = $0 { true } else { false } } == value)
            #expect(cache.commitsUnderWay == value)
        },
        "limit_handed_over_at_once": .driven { value in
            let tuning = WriteBehind.Tuning()
            var cache = WriteBehind(tuning: tuning)
            for index in 0..<value + 1 { cache.changed(cache.opened("s\(index)", saved: nil)) }
            var actions: [WriteBehind.Action] = []
            cache.workEnded(at: 0, into: &actions)
            cache.timerFired(at: tuning.gatheringNanoseconds, into: &actions)
            cache.yielded(into: &actions)
            let sizes = actions.compactMap { action -> Int? in
                if case .submit(let batch) = action { batch.rows.count } else { nil }
            }
            #expect(sizes == [value, 1])
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
            #expect(Clock.isPieceOver(since: Clock.monotonic() - value * 1_000))
            // No piece is over that begins in the future.
            #expect(!Clock.isPieceOver(since: Clock.monotonic() + 1_000_000_000))
        },
        "limit_export_bytes": .elsewhere(
            file: "Tests/EndToEnd/test_imports.py", test: "test_an_oversized_document_is_refused",
            by: "limit_export_bytes"),
    ]
}
