extension Tabs {
    /// Whether an item's page shows.
    package func isIn(_ state: PartState, _ part: ComponentPart) -> Bool {
        guard state == .selected, case .item(let id) = part,
            parameters.items.indices.contains(selected)
        else { return false }
        return parameters.items[selected].id == id
    }
}
