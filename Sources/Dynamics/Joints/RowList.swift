import Geometry

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
