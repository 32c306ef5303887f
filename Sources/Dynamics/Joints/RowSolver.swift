import Geometry

/// A velocity as rows see it: (x, y, gyration · ω), all in pt/s.
///
/// In these units the body's mass and inertia are 1 and cancel from every equation.
struct RowVelocity {
    var x: Double
    var y: Double
    var turn: Double
}

/// One scalar velocity constraint of a body, prepared once per step.
struct Row {
    /// The constraint's direction J; x and y are its linear part.
    var x: Double
    var y: Double
    var turn = 0.0
    /// (J·J + γ)⁻¹: the impulse that changes the row's velocity by 1.
    var mass: Double
    /// The demanded velocity (pt/s), negated.
    var bias = 0.0
    /// γ of a soft constraint: an impulse relaxes the equation by γ times itself.
    var gamma = 0.0
    /// Before solving the last step's impulse, afterwards this one's.
    var impulse: Double
}

/// Sequential impulses (projected Gauss–Seidel): a fixed number of passes satisfies each row in
/// turn, which disturbs the others a little.
protocol RowSolver {
    mutating func append(_ row: Row)
    /// Returns the velocity after all passes. Then the rows hold this step's impulses.
    mutating func solve(_ velocity: RowVelocity) -> RowVelocity
    /// The linear part of a row's direction.
    func axis(_ index: Int) -> Vector
    func impulse(_ index: Int) -> Double
}

/// Any number of rows, solved literally. The reference for `RowBlock`.
struct RowList: RowSolver {
    private var rows: [Row] = []

    mutating func append(_ row: Row) { rows.append(row) }

    mutating func solve(_ velocity: RowVelocity) -> RowVelocity {
        let count = rows.count
        var rows = rows.mutableSpan
        var velocity = velocity
        for index in 0..<count { velocity.add(rows[index].impulse, along: rows[index]) }
        for _ in 0..<Tuning.velocityPasses {
            for index in 0..<count {
                let row = rows[index]
                let speed = row.x * velocity.x + row.y * velocity.y + row.turn * velocity.turn
                let change = -row.mass * (speed + row.bias + row.gamma * row.impulse)
                rows[index].impulse += change
                velocity.add(change, along: row)
            }
        }
        return velocity
    }

    func axis(_ index: Int) -> Vector { Vector(rows[index].x, rows[index].y) }
    func impulse(_ index: Int) -> Double { rows[index].impulse }
}

extension RowVelocity {
    @inline(__always)
    fileprivate mutating func add(_ impulse: Double, along row: Row) {
        x += row.x * impulse
        y += row.y * impulse
        turn += row.turn * impulse
    }
}
