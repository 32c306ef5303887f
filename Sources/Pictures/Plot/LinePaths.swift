import Geometry

/// The lines of a panel as they are drawn, so that names find places beside them.
struct LinePaths {
    /// Unbroken runs in the panel's points; each goes from the left to the right.
    private let runs: [[Vector]]

    init(_ runs: [[Vector]]) { self.runs = runs.filter { !$0.isEmpty } }

    /// Where lines run between two places: a range of heights for each run that is there.
    func heights(from left: Double, to right: Double) -> [ClosedRange<Double>] {
        runs.compactMap { run in
            // The first point that is not left of the span; the line to it begins before it.
            var (first, end) = (0, run.count)
            while first < end {
                let middle = (first + end) / 2
                if run[middle].x < left { first = middle + 1 } else { end = middle }
            }
            var (least, most) = (Double.infinity, -Double.infinity)
            func add(_ y: Double) { (least, most) = (min(least, y), max(most, y)) }
            for place in first..<run.count {
                let point = run[place]
                if point.x <= right { add(point.y) }
                if place > 0, run[place - 1].x < point.x {
                    let before = run[place - 1]
                    func height(at x: Double) -> Double {
                        before.y + (point.y - before.y) * (x - before.x) / (point.x - before.x)
                    }
                    if before.x < left { add(height(at: left)) }
                    if before.x <= right, point.x > right { add(height(at: right)) }
                }
                if point.x > right { break }
            }
            return least <= most ? least...most : nil
        }
    }
}
