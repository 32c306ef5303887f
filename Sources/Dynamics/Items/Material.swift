/// Mass, surface and freedom of an item: all that an ``ItemBehavior`` can change. Units as in
/// ``Item``.
struct Material: Hashable, Sendable, Codable {
    var density = 1.0
    var friction = 0.2
    var elasticity = 0.2
    var resistance = 0.1
    var angularResistance = 0.1
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

/// Some of an item's properties. Nil leaves a property as it is.
package struct ItemProperties: Hashable, Sendable, Codable {
    /// 10⁻⁶ to 10⁶; 100×100 pt of density 1 weigh 1 kg.
    package var density: Double?
    /// At least 0.
    package var friction: Double?
    /// At least 0.
    package var elasticity: Double?
    /// At least 0, per second.
    package var resistance: Double?
    /// At least 0, per second.
    package var angularResistance: Double?
    package var charge: Double?
    package var allowsRotation: Bool?
    package var anchored: Bool?

    /// The number of properties.
    static var count: Int { 8 }

    package init(
        density: Double? = nil, friction: Double? = nil, elasticity: Double? = nil,
        resistance: Double? = nil, angularResistance: Double? = nil, charge: Double? = nil,
        allowsRotation: Bool? = nil, anchored: Bool? = nil
    ) {
        self.density = density
        self.friction = friction
        self.elasticity = elasticity
        self.resistance = resistance
        self.angularResistance = angularResistance
        self.charge = charge
        self.allowsRotation = allowsRotation
        self.anchored = anchored
    }

    /// The properties that differ from another set's.
    func changed(from other: ItemProperties) -> ItemProperties { compared(to: other, same: false) }

    /// The properties that are equal in another set.
    func kept(in other: ItemProperties) -> ItemProperties { compared(to: other, same: true) }

    private func compared(to other: ItemProperties, same: Bool) -> ItemProperties {
        func pick<Value: Equatable>(_ path: KeyPath<ItemProperties, Value?>) -> Value? {
            (self[keyPath: path] == other[keyPath: path]) == same ? self[keyPath: path] : nil
        }
        return ItemProperties(
            density: pick(\.density), friction: pick(\.friction),
            elasticity: pick(\.elasticity), resistance: pick(\.resistance),
            angularResistance: pick(\.angularResistance), charge: pick(\.charge),
            allowsRotation: pick(\.allowsRotation), anchored: pick(\.anchored))
    }
}

/// Sets properties on items while it exists.
///
/// If several behaviors set one property of an item, the value set last wins.
package struct ItemBehavior: Hashable, Sendable, Codable {
    package var items: [ItemID]
    package var properties: ItemProperties

    package init(items: [ItemID], properties: ItemProperties) {
        self.items = items
        self.properties = properties
    }
}
