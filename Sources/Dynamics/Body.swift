import Geometry

/// An item in motion.
struct Body: Hashable, Sendable {
    var center: Vector
    var rotation: Double
    var velocity = Vector.zero
    var angularVelocity = 0.0
    let size: Size
    /// In 1/kg.
    let inverseMass: Double
    /// The radius of gyration √(I/m) in points.
    let gyration: Double
    /// Its inverse; 0 where rotation is not allowed.
    let inverseGyration: Double
    /// What a step's resistance leaves of the velocities.
    let linearFactor: Double
    let angularFactor: Double
    /// By continuous pushes, in pt/s².
    var acceleration = Vector.zero
    /// Its joints are the animator's from `firstJoint` on, newest first.
    var firstJoint: Int32 = 0
    var jointCount: Int32 = 0
    var behaviorCount: Int32 = 0
    /// Steps in a row in which it was still.
    var stillSteps: Int32 = 0
    var isAwake = false
    /// A field moves it: it is not still, however slow.
    var isPushed = false
    let anchored: Bool

    init(_ item: Item) {
        precondition(item.size.width > 0 && item.size.height > 0, "an item of \(item.size)")
        precondition((1e-6...1e6).contains(item.density), "a density of \(item.density)")
        precondition(item.rotation.isFinite, "a rotation of \(item.rotation)")
        precondition(item.resistance >= 0 && item.angularResistance >= 0, "a negative resistance")
        let width = item.size.width.clamped(to: Tuning.sides)
        let height = item.size.height.clamped(to: Tuning.sides)
        center = item.center.reachable
        rotation = item.rotation
        size = Size(width, height)
        inverseMass = Tuning.areaUnit / (item.density * width * height)
        gyration = ((width * width + height * height) / 12).squareRoot()
        inverseGyration = item.allowsRotation ? 1 / gyration : 0
        linearFactor = 1 / (1 + Tuning.step * item.resistance)
        angularFactor = 1 / (1 + Tuning.step * item.angularResistance)
        anchored = item.anchored
    }

    /// Which of the animator's joints are its own.
    var jointRange: Range<Int> {
        Int(firstJoint)..<Int(firstJoint) + Int(jointCount)
    }

    /// Where a point given in the body's own coordinates is.
    func point(at offset: Vector) -> Vector {
        let (sine, cosine) = Angle.sineCosine(rotation)
        return center + offset.rotated(sine: sine, cosine: cosine)
    }
}
