import Testing

@testable import Web

struct RotationTests {
    /// Sources with so many things each, taken until the rotation finds none.
    private func order(_ counts: [Int], turnMax: Int) -> [Int] {
        var (counts, rotation, taken) = (counts, Rotation(turnMax: turnMax), [Int]())
        while let source = rotation.next(
            of: counts.count,
            { place -> Int? in
                guard counts[place] > 0 else { return nil }
                counts[place] -= 1
                return place
            })
        {
            taken.append(source)
        }
        return taken
    }

    @Test func oneSourceIsEmptiedHoweverMuchItHas() {
        #expect(order([100], turnMax: 32).count == 100)
        #expect(order([32], turnMax: 32).count == 32)
        #expect(order([], turnMax: 32).isEmpty)
    }

    @Test func sourcesTakeTurns() {
        #expect(order([5, 3, 0], turnMax: 2) == [0, 0, 1, 1, 0, 0, 1, 0])
    }

    @Test func nothingIsLeftInAnySource() {
        for counts in [[33, 64, 1], [0, 0, 97], [32, 32, 32], [1, 0, 0, 65]] {
            #expect(order(counts, turnMax: 32).count == counts.reduce(0, +))
        }
    }

    @Test func aSourceThatHasGoneIsPassedOver() {
        var rotation = Rotation(turnMax: 1)
        for expected in [0, 1, 2] { #expect(rotation.next(of: 3) { $0 } == expected) }
        _ = rotation.next(of: 3) { $0 }
        #expect(rotation.next(of: 1) { $0 } == 0)
    }
}
