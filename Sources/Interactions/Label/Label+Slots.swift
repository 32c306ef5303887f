extension Label {
    /// A finger passes through it to what lies behind, as with UIKit's labels.
    package func isTouchable(_ view: String, isOccupied: Bool) -> Bool { false }
}
