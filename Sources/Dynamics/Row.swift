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
        return rows.solve(velocity, count: count)
    }

    func axis(_ index: Int) -> Vector { Vector(rows[index].x, rows[index].y) }
    func impulse(_ index: Int) -> Double { rows[index].impulse }
}

/// Few rows, solved as those of a list, to the same bits, but without its memory.
struct ShortRowList<let capacity: Int>: RowSolver {
    private var rows = InlineArray<capacity, Row>(repeating: Row(x: 0, y: 0, mass: 0, impulse: 0))
    private var count = 0

    @inline(__always) init() {}

    @inline(__always)
    mutating func append(_ row: Row) {
        rows[count] = row
        count += 1
    }

    @inline(__always)
    mutating func solve(_ velocity: RowVelocity) -> RowVelocity {
        var rows = rows.mutableSpan
        return rows.solve(velocity, count: count)
    }

    @inline(__always)
    func axis(_ index: Int) -> Vector { Vector(rows[index].x, rows[index].y) }

    @inline(__always)
    func impulse(_ index: Int) -> Double { rows[index].impulse }
}

extension MutableSpan<Row> {
    @inline(__always)
    fileprivate mutating func solve(_ velocity: RowVelocity, count: Int) -> RowVelocity {
        var velocity = velocity
        for index in 0..<count { velocity.add(self[index].impulse, along: self[index]) }
        for _ in 0..<Tuning.velocityPasses {
            for index in 0..<count {
                let row = self[index]
                let speed = row.x * velocity.x + row.y * velocity.y + row.turn * velocity.turn
                if row.gamma == 0 {
                    // A rigid row forgives nothing, and the next row waits for what is summed.
                    let change = -row.mass * (speed + row.bias)
                    self[index].impulse += change
                    velocity.add(change, along: row)
                    continue
                }
                let change = -row.mass * (speed + row.bias + row.gamma * row.impulse)
                self[index].impulse += change
                velocity.add(change, along: row)
            }
        }
        return velocity
    }
}

extension RowVelocity {
    @inline(__always)
    fileprivate mutating func add(_ impulse: Double, along row: Row) {
        x += row.x * impulse
        y += row.y * impulse
        turn += row.turn * impulse
    }
}
