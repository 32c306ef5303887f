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
