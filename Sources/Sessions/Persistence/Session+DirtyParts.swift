/// Which parts of the saved record may have changed.
extension Session {
    /// Marks a component's saved state as possibly changed.
    mutating func markDirty(_ index: Int) {
        dirtyParts.insert(.component(index))
        used.insert(.component(index))
    }

    /// Everything may have changed, and components stand at other places.
    mutating func markAllChanged() {
        dirtyParts = .all
        used = .all
    }

    /// The parts of the saved record that may have changed since the last call. Motion on the way
    /// to a known rest changes none.
    package mutating func takeDirtyParts() -> SavedParts {
        defer { dirtyParts = [] }
        return dirtyParts
    }

    /// The components among `parts` that anything happened to since the last call for them; the
    /// others are written as they were.
    package mutating func takeUsed(of parts: SavedParts = .all) -> SavedParts {
        defer { used.subtract(parts) }
        return used.intersection(parts)
    }
}
