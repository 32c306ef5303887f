import Geometry

/// An item in motion.
struct Body: Hashable, Sendable {
    var center: Vector
    var rotation: Double
    var velocity = Vector.zero
    var angularVelocity = 0.0
    private(set) var size: Size
    /// In 1/kg.
    private(set) var inverseMass = 1.0
    /// The radius of gyration √(I/m) in points.
    private(set) var gyration = 1.0
    /// Its inverse; 0 where rotation is not allowed.
    private(set) var inverseGyration = 1.0
    /// What a step's resistance leaves of the velocities.
    private(set) var linearFactor = 1.0
    private(set) var angularFactor = 1.0
    /// By continuous pushes, in pt/s².
    var acceleration = Vector.zero
    /// Its joints are the animator's from `firstJoint` on, newest first.
    var firstJoint: Int32 = 0
    var behaviorCount: Int32 = 0
    /// Steps in a row in which it was still.
    var stillSteps: Int32 = 0
    /// The number of its item's id; bodies are in the order of these.
    let number: UInt32
    // Narrow ones last: a body is no larger than it must be.
    var jointCount: Int16 = 0
    var isAwake = false
    /// A field moves it: it is not still, however slow.
    var isPushed = false
    /// An item of a gravity.
    var isHeavy = false
    private(set) var anchored = false
    let shape: ItemShape

    init(_ item: Item, number: UInt32) {
        precondition(item.rotation.isFinite, "a rotation of \(item.rotation)")
        center = item.center.reachable
        rotation = item.rotation
        size = item.size
        shape = item.shape
        self.number = number
        make(of: Material(item), size: item.size)
    }

    /// Gives it a size and a material; it moves on as it did, as far as it still may.
    mutating func make(of material: Material, size given: Size) {
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

    /// Gives it another mass (kg) and radius of gyration (pt) than its size would.
    mutating func weigh(_ mass: Double, gyration: Double) {
        inverseMass = 1 / mass
        self.gyration = gyration
        inverseGyration = inverseGyration > 0 ? 1 / gyration : 0
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

/// As a list in a fixed order: a world is made of bodies, and names would be most of them.
extension Body: Codable {
    private static let isAwakeBit: UInt8 = 1
    private static let isPushedBit: UInt8 = 2
    private static let isHeavyBit: UInt8 = 4
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
        isHeavy = flags & Self.isHeavyBit != 0
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
        firstJoint = try list.decode(Int32.self)
        jointCount = try list.decode(Int16.self)
        behaviorCount = try list.decode(Int32.self)
        stillSteps = try list.decode(Int32.self)
        try list.end()
    }

    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(number)
        var flags: UInt8 = isAwake ? Self.isAwakeBit : 0
        if isPushed { flags |= Self.isPushedBit }
        if isHeavy { flags |= Self.isHeavyBit }
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
        try list.encode(firstJoint)
        try list.encode(jointCount)
        try list.encode(behaviorCount)
        try list.encode(stillSteps)
    }
}
