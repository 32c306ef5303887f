// TEMPORARY: what the engine does not have yet, so that the component can be written against it.

extension Animator {
    package mutating func addGroup(of items: [Item]) -> (group: ItemID, members: [ItemID]) {
        let ids = items.map { add($0) }
        return (ids[0], ids)
    }
}
