/// The items' own materials, and the properties that behaviors set on them.
struct Materials: Hashable, Sendable, Codable {
    struct Original: Hashable, Sendable, Codable {
        let number: UInt32
        var material: Material
    }

    /// The properties that a behavior set at one time.
    struct Write: Hashable, Sendable, Codable {
        let behavior: BehaviorID
        var items: [ItemID]
        var properties: ItemProperties
    }

    struct Record: Hashable, Sendable, Codable {
        let id: BehaviorID
        var behavior: ItemBehavior
    }

    /// Own materials that differ from the standard one, by item number.
    var originals: [Original] = []
    var records: [Record] = []
    /// In the order in which they were set. The last write wins.
    var writes: [Write] = []

    /// The item's material without behaviors.
    func original(of number: UInt32) -> Material {
        originals.first { $0.number == number }?.material ?? Material()
    }

    mutating func recordMaterial(_ material: Material, of number: UInt32) {
        originals.removeAll { $0.number == number }
        guard material != Material() else { return }
        originals.append(Original(number: number, material: material))
    }

    mutating func removeItem(_ item: ItemID) {
        originals.removeAll { $0.number == item.number }
        for place in records.indices {
            records[place].behavior.items.removeAll { $0 == item }
        }
        for place in writes.indices { writes[place].items.removeAll { $0 == item } }
    }

    /// The item's material with every property that behaviors set.
    func material(of number: UInt32) -> Material {
        var material = original(of: number)
        for write in writes where write.items.contains(where: { $0.number == number }) {
            material.set(write.properties)
        }
        return material
    }
}
