import ClientSupport
import Testing

@testable import GesturedClient

private func update(_ sequence: Int, _ more: String = "") throws -> ReceivedUpdate {
    let said = Said.update("state/a/x", sequence, more)
    return try #require(
        ReceivedUpdate(topic: Array(said.topic.utf8), body: Array(said.body.utf8)))
}

@Suite struct WaitingUpdatesTests {
    private func rest(of waiting: inout WaitingUpdates) -> [Int] {
        var given: [Int] = []
        while let update = waiting.takeFirst() { given.append(update.sequence) }
        return given
    }

    @Test func updatesBeyondTheCountAreDropped() throws {
        var waiting = WaitingUpdates(countMax: 2)
        for sequence in 1...3 { waiting.append(try update(sequence)) }
        let kept = rest(of: &waiting)
        #expect(kept == [1, 2] && waiting.isEmpty)
        waiting.append(try update(4))
        let later = rest(of: &waiting)
        #expect(later == [4])
    }

    @Test func updatesBeyondTheBytesAreDropped() throws {
        let size = try update(1).memoryBytes
        var waiting = WaitingUpdates(bytesMax: 2 * size)
        for sequence in 1...3 { waiting.append(try update(sequence)) }
        let first = waiting.takeFirst()
        #expect(first?.sequence == 1)
        // It has made room for one.
        for sequence in 4...5 { waiting.append(try update(sequence)) }
        waiting.keepOnly { $0.sequence != 2 }
        waiting.append(try update(6))
        waiting.append(try update(7))
        let kept = rest(of: &waiting)
        #expect(kept == [4, 6])
    }

    @Test func oneOfAnySizeHasRoomAlone() throws {
        var waiting = WaitingUpdates(bytesMax: 1)
        waiting.append(try update(1))
        waiting.append(try update(2))
        let kept = rest(of: &waiting)
        #expect(kept == [1])
    }

    /// A reader that stands still holds no gigabytes.
    @Test func anUpdateCountsWithItsTree() throws {
        let numbers = [String](repeating: "1", count: 1_000).joined(separator: ",")
        let large = try update(1, #","n":[\#(numbers)]"#)
        #expect(large.memoryBytes > 10 * large.body.count)
        #expect(WaitingUpdates.bytesMax == 64 * 1_024 * 1_024)
        #expect(UpdateSocket.heldMax == 1_000)
    }
}
