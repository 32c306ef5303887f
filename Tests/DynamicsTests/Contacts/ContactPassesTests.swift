import Dynamics
import Geometry
import Testing

/// The passes over the contacts of an island run side by side, unless it has joints.
@Suite struct ContactPassesTests {
    /// Boxes that fall in a heap onto a floor and a shelf, each on a rope of this length (pt).
    private func heap(seed: UInt64, rope: Double?) -> Room {
        var random = SplitMix64(seed: seed)
        var room = Room()
        room.add(150, 400, 120, 20) { $0.anchored = true }
        for index in 0..<24 {
            let x = 80 + 160 * random.unit()
            room.add(x, 560 - 45 * Double(index), 30 + 40 * random.unit(), 40)
        }
        room.collide()
        guard let rope else { return room }
        for item in room.items.dropFirst() {
            _ = room.animator.add(
                Attachment(
                    item: item, end: .anchor(Vector(200, 300)), type: .limit(length: rope)))
        }
        return room
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func aSlackRopeChangesNoBitOfAHeap(seed: UInt64) {
        var (sideBySide, inTurn) = (heap(seed: seed, rope: nil), heap(seed: seed, rope: 1e6))
        for step in 1...240 {
            sideBySide.animator.step()
            inTurn.animator.step()
            for (item, other) in zip(sideBySide.items, inTurn.items) {
                let motions = (
                    sideBySide.animator.motion(of: item), inTurn.animator.motion(of: other)
                )
                guard motions.0 == motions.1 else {
                    Issue.record("\(item) in step \(step): \(motions.0), \(motions.1)")
                    return
                }
            }
        }
    }

    @Test func aTautRopeChangesAHeap() {
        var (free, held) = (heap(seed: 1, rope: nil), heap(seed: 1, rope: 150))
        for _ in 0..<240 {
            free.animator.step()
            held.animator.step()
        }
        #expect(free.center(3) != held.center(3))
    }
}
