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

    /// The resistance of an item of which nothing else is said, per second.
    package static let standardResistance = 0.1

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
