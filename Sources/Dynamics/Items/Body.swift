import Geometry

/// An item in the solver: position, velocity, mass. The animator steps it.
struct Body: MovingBody, Hashable, Sendable {
    var center: Vector
    var rotation: Double
    var velocity = Vector.zero
    var angularVelocity = 0.0
    private(set) var size: Size
    /// In 1/kg.
    private(set) var inverseMass = 1.0
    /// The radius of gyration √(I/m) in points.
    private(set) var gyration = 1.0
    /// The inverse of `gyration`; 0 where rotation is not allowed.
    private(set) var inverseGyration = 1.0
    /// The factors by which resistance reduces the velocities in one step.
    private(set) var linearFactor = 1.0
    private(set) var angularFactor = 1.0
    /// The acceleration by continuous pushes, in pt/s².
    var acceleration = Vector.zero
    /// The body's ground joints start at this index of the animator's list, newest first.
    var firstGroundJoint: Int32 = 0
    var behaviorCount: Int32 = 0
    /// Consecutive steps in which the body was still.
    var stillSteps: Int32 = 0
    /// The number of the item's id. Bodies are sorted by it.
    let number: UInt32
    // Narrow properties last, so that the struct has no padding.
    var groundJointCount: Int16 = 0
    var isAwake = false
    /// A field accelerates the body: it counts as moving, however slow it is.
    var isPushed = false
    /// Whether a ``Gravity`` behavior acts on the item.
    var hasGravity = false
    private(set) var anchored = false
    let shape: ItemShape

    init(_ item: Item, number: UInt32) {
        precondition(item.rotation.isFinite, "a rotation of \(item.rotation)")
        center = item.center.reachable
        rotation = item.rotation
        size = item.size
        shape = item.shape
        self.number = number
        setMaterial(Material(item), size: item.size)
    }

    /// Sets size and material, and derives mass and damping. Velocities stay as far as they still
    /// may.
    mutating func setMaterial(_ material: Material, size given: Size) {
        precondition(given.width > 0 && given.height > 0, "an item of \(given)")
        material.check()
        let width = given.width.clamped(to: Tuning.sides)
        let height = given.height.clamped(to: Tuning.sides)
        size = Size(width, height)
        switch shape {
        case .box:
            inverseMass = Tuning.areaUnit / (material.density * width * height)
            gyration = ((width * width + height * height) / 12).squareRoot()
        case .circle:
            let square = width * width / 4
            inverseMass = Tuning.areaUnit / (material.density * Double.pi * square)
            gyration = (square / 2).squareRoot()
        }
        inverseGyration = material.allowsRotation ? 1 / gyration : 0
        linearFactor = 1 / (1 + Tuning.step * material.resistance)
        angularFactor = 1 / (1 + Tuning.step * material.angularResistance)
        anchored = material.anchored
        if anchored { stop() }
        if inverseGyration == 0 { angularVelocity = 0 }
    }

    /// Overrides the mass (kg) and the radius of gyration (pt) that follow from size and material.
    mutating func setMass(_ mass: Double, gyration: Double) {
        inverseMass = 1 / mass
        self.gyration = gyration
        inverseGyration = inverseGyration > 0 ? 1 / gyration : 0
    }

    /// Indices of the body's ground joints in the animator's list.
    var groundJointRange: Range<Int> {
        Int(firstGroundJoint)..<Int(firstGroundJoint) + Int(groundJointCount)
    }

    /// Converts a point from the body's coordinates to the world's.
    func point(at offset: Vector) -> Vector {
        let (sine, cosine) = Angle.sineCosine(rotation)
        return center + offset.rotated(sine: sine, cosine: cosine)
    }
}

/// An unkeyed list in a fixed order: keys would be most of a world's document.
extension Body: Codable {
    private static let isAwakeBit: UInt8 = 1
    private static let isPushedBit: UInt8 = 2
    private static let hasGravityBit: UInt8 = 4
    private static let anchoredBit: UInt8 = 8
    private static let circleBit: UInt8 = 16

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        number = try list.decode(UInt32.self)
        let flags = try list.decode(UInt8.self)
        guard flags < 32 else {
            throw DecodingError.dataCorruptedError(in: list, debugDescription: "must be below 32")
        }
        isAwake = flags & Self.isAwakeBit != 0
        isPushed = flags & Self.isPushedBit != 0
        hasGravity = flags & Self.hasGravityBit != 0
        anchored = flags & Self.anchoredBit != 0
        shape = flags & Self.circleBit != 0 ? .circle : .box
        center = try list.decode(Vector.self)
        rotation = try list.decode(Double.self)
        velocity = try list.decode(Vector.self)
        angularVelocity = try list.decode(Double.self)
        size = try list.decode(Size.self)
        inverseMass = try list.decode(Double.self)
        gyration = try list.decode(Double.self)
        inverseGyration = try list.decode(Double.self)
        linearFactor = try list.decode(Double.self)
        angularFactor = try list.decode(Double.self)
        acceleration = try list.decode(Vector.self)
        firstGroundJoint = try list.decode(Int32.self)
        groundJointCount = try list.decode(Int16.self)
        behaviorCount = try list.decode(Int32.self)
        stillSteps = try list.decode(Int32.self)
        try list.end()
    }

    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(number)
        var flags: UInt8 = isAwake ? Self.isAwakeBit : 0
        if isPushed { flags |= Self.isPushedBit }
        if hasGravity { flags |= Self.hasGravityBit }
        if anchored { flags |= Self.anchoredBit }
        if shape == .circle { flags |= Self.circleBit }
        try list.encode(flags)
        try list.encode(center)
        try list.encode(rotation)
        try list.encode(velocity)
        try list.encode(angularVelocity)
        try list.encode(size)
        try list.encode(inverseMass)
        try list.encode(gyration)
        try list.encode(inverseGyration)
        try list.encode(linearFactor)
        try list.encode(angularFactor)
        try list.encode(acceleration)
        try list.encode(firstGroundJoint)
        try list.encode(groundJointCount)
        try list.encode(behaviorCount)
        try list.encode(stillSteps)
    }
}
