import Testing

@testable import Bridges

@Suite struct DaemonUpdatesTests {
    /// The updates that come out, each with its number among those that came in.
    private func passed(_ topics: [String], epochs: [String]? = nil) -> [String] {
        var updates = DaemonUpdates<String>(countMax: 100, bytesMax: 1_000)
        for (number, topic) in topics.enumerated() {
            let isTaken = updates.append(
                "\(topic) \(number)", topic: topic, epoch: epochs?[number] ?? "d.1", bytes: 1)
            #expect(isTaken)
        }
        return rest(of: &updates)
    }

    private func rest(of updates: inout DaemonUpdates<String>) -> [String] {
        var given: [String] = []
        while let update = updates.takeFirst() { given.append(update) }
        return given
    }

    @Test(arguments: [
        (["scene/a", "scene/b", "scene/a"], ["scene/a 2", "scene/b 1"]),
        // The state may be of a component that the older scene alone has announced.
        (["scene/a", "state/a/t", "scene/a"], ["scene/a 2", "state/a/t 1"]),
        (["scene/a", "session/a", "scene/a"], ["scene/a 0", "session/a 1", "scene/a 2"]),
        (["scene/a", "session/b", "scene/a"], ["scene/a 2", "session/b 1"]),
        // The newer scene may lack the component, whose event would be lost.
        (
            ["scene/a", "transition/a/t", "scene/a", "scene/a"],
            ["scene/a 0", "transition/a/t 1", "scene/a 3"]
        ),
        (["state/a/t", "badge/a", "state/a/t"], ["state/a/t 0", "badge/a 1", "state/a/t 2"]),
        (["heartbeat", "scene/a/t", "scene/a/t"], ["heartbeat 0", "scene/a/t 1", "scene/a/t 2"]),
    ])
    func onlyTheNewestSceneOfASessionWaits(topics: [String], order: [String]) {
        #expect(passed(topics) == order)
    }

    @Test func aSceneOfAnotherRunReplacesNone() {
        let order = passed(["scene/a", "scene/a", "scene/a"], epochs: ["d.1", "e.1", "e.1"])
        #expect(order == ["scene/a 0", "scene/a 2"])
    }

    @Test func aSceneThatWasTakenIsReplacedNoMore() {
        var updates = DaemonUpdates<String>(countMax: 10, bytesMax: 100)
        _ = updates.append("1", topic: "scene/a", epoch: "d.1", bytes: 1)
        _ = updates.append("2", topic: "state/a/t", epoch: "d.1", bytes: 1)
        let first = updates.takeFirst()
        _ = updates.append("3", topic: "scene/a", epoch: "d.1", bytes: 1)
        let others = rest(of: &updates)
        #expect(first == "1" && others == ["2", "3"])
    }

    @Test func scenesThatAreReplacedTakeNoRoom() {
        var updates = DaemonUpdates<Int>(countMax: 2, bytesMax: 10)
        _ = updates.append(-1, topic: "state/a/t", epoch: "d.1", bytes: 4)
        for number in 0..<100 {
            let isTaken = updates.append(number, topic: "scene/a", epoch: "d.1", bytes: 6)
            #expect(isTaken)
        }
        #expect(updates.bytes == 10)
        let isLargerTaken = updates.append(100, topic: "scene/a", epoch: "d.1", bytes: 7)
        let isOtherTaken = updates.append(101, topic: "scene/b", epoch: "d.1", bytes: 0)
        #expect(!isLargerTaken && !isOtherTaken)
        let first = updates.takeFirst()
        #expect(first == -1 && updates.bytes == 6)
        // One alone has room, whatever its size.
        let isAloneTaken = updates.append(102, topic: "scene/a", epoch: "d.1", bytes: 50)
        let alone = updates.takeFirst()
        #expect(isAloneTaken && alone == 102 && updates.bytes == 0)
    }

    /// The bridge learns so when it has all that there was when it joined.
    @Test func placesAreCounted() {
        var updates = DaemonUpdates<Int>(countMax: 10, bytesMax: 100)
        _ = updates.append(0, topic: "scene/a", epoch: "d.1", bytes: 1)
        _ = updates.append(1, topic: "state/a/t", epoch: "d.1", bytes: 1)
        let joined = updates.appendedCount
        _ = updates.append(2, topic: "scene/a", epoch: "d.1", bytes: 1)
        _ = updates.append(3, topic: "badge/a", epoch: "d.1", bytes: 1)
        #expect(joined == 2 && updates.appendedCount == 3)
        let first = updates.takeFirst()
        #expect(first == 2 && updates.takenCount < joined)
        let second = updates.takeFirst()
        #expect(second == 1 && updates.takenCount == joined)
    }
}

@Suite struct TurnWorkTests {
    /// Milliseconds of a step, and the steps that a turn has time for.
    @Test(arguments: [(1, TurnWork.millisecondsMax), (7, 3), (100, 1)])
    func aTurnHasTimeForSomeSteps(milliseconds: Int, steps: Int) {
        var (now, count) = (1_000, 0)
        let isMore = TurnWork.run(clock: { now }) {
            now += milliseconds
            count += 1
            return true
        }
        #expect(isMore && count == steps)
    }

    @Test func aTurnEndsWithTheWork() {
        var left = 3
        let isMore = TurnWork.run(clock: { 0 }) {
            left -= 1
            return left >= 0
        }
        #expect(!isMore && left == -1)
    }
}
