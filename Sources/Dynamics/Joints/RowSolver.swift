import Geometry

/// A velocity as rows see it: (x, y, gyration · ω), all in pt/s.
///
/// In these units the body's mass and inertia are both 1 and cancel from every equation.
struct RowVelocity {
    var x: Double
    var y: Double
    var turn: Double
}

/// One scalar velocity constraint of a body, prepared once per step.
struct Row {
    /// The constraint's direction J.
    var x: Double
    var y: Double
    var turn = 0.0
    /// (J·J + γ)⁻¹: the impulse that changes the constraint's speed by 1.
    var mass: Double
    /// The speed (pt/s) that is asked for, reversed.
    var bias = 0.0
    /// How much speed an impulse is forgiven.
    var gamma = 0.0
    /// The last step's impulse, which this one starts with, and in the end this one's.
    var impulse: Double
}

/// Sequential impulses (projected Gauss–Seidel): each row in turn is satisfied, undoing a
/// little of the others, in a fixed number of passes.
protocol RowSolver {
    mutating func append(_ row: Row)
    /// The velocity after all passes. Afterwards the rows hold this step's impulses.
    mutating func solve(_ velocity: RowVelocity) -> RowVelocity
    /// The direction of a row, without the rotation's part.
    func axis(_ index: Int) -> Vector
    func impulse(_ index: Int) -> Double
}

/// Any number of rows, solved by the book.
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
