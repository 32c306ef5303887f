import Geometry

/// A body's movement through a step: straight, with an even rotation (Box2D's sweep).
struct Sweep {
    let start: Vector
    let translation: Vector
    let rotation: Double
    let rotationDelta: Double

    init(from start: SolverBody, to end: SolverBody) {
        self.start = start.center
        translation = end.center - start.center
        rotation = start.rotation
        rotationDelta = end.rotation - start.rotation
    }

    /// The transform after a share (0 to 1) of the sweep.
    func transform(after share: Double) -> Transform {
        Transform(center: start + share * translation, rotation: rotation + share * rotationDelta)
    }
}
