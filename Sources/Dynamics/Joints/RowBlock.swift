import Geometry

/// At most `capacity` rows, solved in registers; unused ones are all 0 and do nothing.
///
/// Instead of the velocity it carries each row's residual: the impulse it still lacks. An
/// impulse on one row changes the residual of each other by a fixed factor, so satisfying a row
/// takes one product and one difference per row, of which the next row awaits a single one. By
/// the velocity it would await seven operations; the impulses are the same but for rounding.
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
        // A row's effect on itself is exactly 1: afterwards it lacks nothing.
        let effect = InlineArray<capacity, InlineArray<capacity, Double>> { i in
            InlineArray { j in
                i == j ? 1 : mass[j] * (x[i] * x[j] + y[i] * y[j] + turn[i] * turn[j])
            }
        }
        for _ in 0..<Tuning.velocityPasses {
            for i in 0..<capacity {
                let lack = residual[i]
                impulse[i] -= lack
                for j in 0..<capacity { residual[j] -= effect[i][j] * lack }
            }
        }
        return moved(velocity)
    }

    /// A velocity that all rows' impulses were applied to.
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
