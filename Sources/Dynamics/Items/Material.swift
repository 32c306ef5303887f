/// Mass, surface and freedom of an item: all that an ``ItemBehavior`` can change. Units as in
/// ``Item``.
struct Material: Hashable, Sendable, Codable {
    var density = 1.0
    var friction = 0.2
    var elasticity = 0.2
    var resistance = ItemProperties.standardResistance
    var angularResistance = ItemProperties.standardResistance
    var charge = 0.0
    var allowsRotation = true
    var anchored = false

    init() {}

    init(_ item: Item) {
        density = item.density
        friction = item.friction
        elasticity = item.elasticity
        resistance = item.resistance
        angularResistance = item.angularResistance
        charge = item.charge
        allowsRotation = item.allowsRotation
        anchored = item.anchored
    }

    /// Overwrites the properties that are not nil.
    mutating func set(_ properties: ItemProperties) {
        density = properties.density ?? density
        friction = properties.friction ?? friction
        elasticity = properties.elasticity ?? elasticity
        resistance = properties.resistance ?? resistance
        angularResistance = properties.angularResistance ?? angularResistance
        charge = properties.charge ?? charge
        allowsRotation = properties.allowsRotation ?? allowsRotation
        anchored = properties.anchored ?? anchored
    }

    /// Traps on values that a session must have refused.
    func check() {
        precondition((1e-6...1e6).contains(density), "a density of \(density)")
        precondition(resistance >= 0 && angularResistance >= 0, "a negative resistance")
        precondition(friction >= 0 && elasticity >= 0, "a negative friction or elasticity")
        precondition(charge.isFinite, "a charge of \(charge)")
    }
}
