import Geometry

/// At most `capacity` rows, solved in registers. Unused rows are all 0 and do nothing.
///
/// Instead of the velocity it carries each row's residual: the impulse that the row still lacks. An
/// impulse on one row changes the residual of each other row by a fixed factor. So one row takes
/// one product and one difference per other row, and the next row waits for a single one of them;
/// with velocities it would wait for seven operations. The impulses agree but for rounding.
struct RowBlock<let capacity: Int>: RowSolver {
    private var x = InlineArray<capacity, Double>(repeating: 0)
    private var y = InlineArray<capacity, Double>(repeating: 0)
    private var turn = InlineArray<capacity, Double>(repeating: 0)
    private var mass = InlineArray<capacity, Double>(repeating: 0)
    private var bias = InlineArray<capacity, Double>(repeating: 0)
    private var gamma = InlineArray<capacity, Double>(repeating: 0)
    private var impulse = InlineArray<capacity, Double>(repeating: 0)
    private var count = 0

    @inline(__always) init() {}

    @inline(__always)
    mutating func append(_ row: Row) {
        x[count] = row.x
        y[count] = row.y
        turn[count] = row.turn
        mass[count] = row.mass
        bias[count] = row.bias
        gamma[count] = row.gamma
        impulse[count] = row.impulse
        count += 1
    }

    @inline(__always)
    func axis(_ index: Int) -> Vector { Vector(x[index], y[index]) }

    @inline(__always)
    func impulse(_ index: Int) -> Double { impulse[index] }

    @inline(__always)
    mutating func solve(_ velocity: RowVelocity) -> RowVelocity {
        let start = moved(velocity)
        var residual = InlineArray<capacity, Double> { i in
            let speed = x[i] * start.x + y[i] * start.y + turn[i] * start.turn
            return mass[i] * (speed + bias[i] + gamma[i] * impulse[i])
        }
        // The effect of a row on itself is exactly 1, so that its residual becomes 0.
        var effect = InlineArray<capacity, InlineArray<capacity, Double>>(
            repeating: InlineArray(repeating: 1))
        func satisfy(_ i: Int) {
            let lack = residual[i]
            impulse[i] -= lack
            for j in 0..<capacity { residual[j] -= effect[i][j] * lack }
        }
        // The first pass goes along: it waits for each row's effects alone, not for all of them.
        RowBlock.forEachRow { i in
            for j in i + 1..<capacity {
                let product = x[i] * x[j] + y[i] * y[j] + turn[i] * turn[j]
                effect[i][j] = mass[j] * product
                effect[j][i] = mass[i] * product
            }
            satisfy(i)
        }
        for _ in 1..<Tuning.velocityPasses { RowBlock.forEachRow(satisfy) }
        return moved(velocity)
    }

    /// Unrolled by hand: in a loop the compiler would keep the numbers in memory.
    @inline(__always)
    private static func forEachRow(_ body: (Int) -> Void) {
        body(0)
        body(1)
        body(2)
        body(3)
        if capacity > 4 { body(4) }
        if capacity > 5 { body(5) }
        if capacity > 6 { body(6) }
        if capacity > 7 { body(7) }
    }

    /// The velocity after applying the impulses of all rows.
    @inline(__always)
    private func moved(_ velocity: RowVelocity) -> RowVelocity {
        var velocity = velocity
        for i in 0..<capacity {
            velocity.x += x[i] * impulse[i]
            velocity.y += y[i] * impulse[i]
            velocity.turn += turn[i] * impulse[i]
        }
        return velocity
    }
}
