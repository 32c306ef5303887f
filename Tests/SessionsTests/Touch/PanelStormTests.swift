import Geometry
import Gestures
import Notation
import TestSupport
import Testing

/// A finger that moves by chance on a panel with a list in it.
@Suite struct PanelStormTests {
    #if DEBUG
        private static let strokes = 1_500
    #else
        private static let strokes = 10_000
    #endif

    @Test func nothingEverJumps() {
        var random = SplitMix64(seed: 7)
        var theater = sheetWithList()
        var faults: [String] = []
        for stroke in 0..<Self.strokes where faults.isEmpty {
            var finger = Double(random.whole(in: 310...550))
            theater.touch(.began, 160, finger)
            for sample in 0..<random.whole(in: 2...14) {
                theater.step()
                let before = offset(theater) - position(theater)
                let way = Double(random.whole(in: -90...90))
                finger += way
                theater.touch(.changed, 160, finger)
                let moved = offset(theater) - position(theater) - before
                // The sample that begins may carry the way of those before it.
                let most = sample < 3 ? 300 : way.magnitude + 1e-6
                if moved.magnitude > most { faults.append("\(stroke): \(moved) by \(way)") }
            }
            theater.touch(.ended, 160, finger)
            for _ in 0..<random.whole(in: 0...40) {
                let before = (offset(theater), position(theater))
                theater.step()
                let moved = max(
                    (offset(theater) - before.0).magnitude, (position(theater) - before.1).magnitude
                )
                if moved > 150 { faults.append("\(stroke): \(moved) by itself") }
            }
            theater.log = UpdateLog()
        }
        #expect(faults.isEmpty, "\(faults)")
        #expect(theater.stepsToRest(limit: 4_800) != nil)
    }
}
