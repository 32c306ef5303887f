import Dispatch
import Geometry
import Notation
import Sessions
import Testing
import ZeroMQ

@testable import Daemon

struct SubscriberCountsTests {
    private let most = Limits.manySubscribersMin

    private func task(
        _ session: String?, _ own: Int, ofBeginning: Int = 0
    ) -> SubscriberCountTask {
        SubscriberCountTask(
            session: session, counts: SubscriberCounts.OfName(own: own, ofBeginning: ofBeginning))
    }

    @Test func lanesAreToldOfPowersOfTwo() {
        var counts = SubscriberCounts()
        let interest = SubscriptionBook.interest(of: "frame/anna/")
        var told: [Int: SubscriberCountTask] = [:]
        for number in 1...4 * most { told[number] = counts.add(1, to: interest) }
        #expect(
            told == [
                most: task("anna", most), 2 * most: task("anna", 2 * most),
                4 * most: task("anna", 4 * most),
            ])
        let none = counts.add(-1, to: SubscriptionBook.interest(of: "sync/1"))
        #expect(none == nil)
        let last = counts.add(-4 * most, to: interest)
        #expect(last == task("anna", 0))
    }

    /// One that ends within a name is of all whose names begin so; one of no name is of all.
    @Test func beginningsAndWholeChannelsCountForTheSessionsThatTheyMean() {
        var counts = SubscriberCounts()
        let beginning = counts.add(most, to: SubscriptionBook.interest(of: "state/an"))
        #expect(beginning == task("an", most, ofBeginning: most))
        let broad = counts.add(most, to: SubscriptionBook.interest(of: "state/"))
        #expect(broad == task(nil, most))
    }

    @Test func aSessionHasThoseOfItsNameOfItsBeginningsAndOfAll() throws {
        let lanes = try Lanes(1)
        let lane = lanes.lanes[0]
        var batch = Batch()
        for name in ["anna", "anton", "berta"] { batch.notify(name) }
        lane.submit(&batch)
        lanes.rest()
        let counts = try lane.queue.sync {
            let moment = Moment(now: 0, step: Step(0))
            task("anna", 64).perform(on: lane, at: moment)
            task("an", 128, ofBeginning: 32).perform(on: lane, at: moment)
            task(nil, 256).perform(on: lane, at: moment)
            func count(_ name: String) throws -> Int {
                let open = try #require(lane.table.activeSessions[name])
                return lane.table.interests.subscribers.count(of: open)
            }
            var found = try ["anna", "anton", "berta"].map(count)
            task("an", 0).perform(on: lane, at: moment)
            found.append(try count("anton"))
            return found
        }
        #expect(counts == [64 + 32 + 256, 32 + 256, 256, 256])
        lane.stop()
    }

    /// libzmq tells of subscribers one by one, and of those that have left.
    @Test func subscribersAreCountedAsTheyComeAndGo() {
        var subscriptions = Subscriptions()
        let prefix = "frame/anna/"
        let interest = SubscriptionBook.interest(of: prefix)
        for number in 1...most {
            let sender = Sender(number: number, descriptor: CInt(number))
            for _ in 0..<2 {
                _ = subscriptions.apply(prefix, interest, isNew: true, by: sender)
            }
        }
        #expect(subscriptions.takeCountChanges() == [task("anna", most)])
        _ = subscriptions.apply(prefix, interest, isNew: false, by: nil)
        #expect(subscriptions.takeCountChanges() == [task("anna", 0)])
        #expect(subscriptions.takeCountChanges().isEmpty)
    }
}
