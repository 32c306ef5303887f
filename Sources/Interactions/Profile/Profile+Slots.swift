package import Geometry
package import Gestures

extension ProfileParameters {
    /// `content`, which scrolls.
    package func slotSize(_ name: String, viewport: Size) -> Size? {
        name == "content" ? Size(viewport.width, contentHeight) : nil
    }

    package var slotNames: [String]? { ["content"] }
}

extension Profile {
    package static var gestures: Set<GestureKind> { [.scroll, .wheel] }
    package var reach: Reach { .frame }
    package func isInMotion(at point: Vector) -> Bool { scroller.isCoasting }
    package func canScroll(by way: Double) -> Bool { scroller.canFollow(way) }
    package func endOfDrag(before way: Double) -> Double? { scroller.endOfDrag(before: way) }
}
