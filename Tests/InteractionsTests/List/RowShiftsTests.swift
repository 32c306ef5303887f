import Geometry
import Testing

@testable import Interactions

/// Rows that make place for others.
@Suite struct RowShiftsTests {
    /// Many rows are told together the same as each is told alone, to the bit.
    @Test(arguments: [0, 1, 7, 18, 35, 36])
    func manyRowsAreAsFarFromTheirPlacesAsEachOfThem(step: Int) {
        var shifts = RowShifts()
        for (place, points) in [44.0, -7.3, 0.1, 1e-9].enumerated() {
            shifts.insert(at: place)
            shifts.shift(place * 3..<place * 9 + 5, from: points, at: Step(place * 5))
            shifts.move(place * 7, from: -points * 3, at: Step(place * 4))
        }
        for rows in [0..<0, 0..<40, 3..<4, 6..<29, 30..<60] {
            #expect(
                shifts.displacements(of: rows, at: Step(step))
                    == rows.map { shifts.displacement(of: $0, at: Step(step)) })
        }
        #expect(shifts.displacements(of: 0..<40, at: Step(7)).contains { $0 != 0 })
    }
}
