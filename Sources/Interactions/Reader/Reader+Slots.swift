package import Gestures

extension ReaderParameters {
    package static var clips: Bool { true }
}

extension Reader {
    package static var gestures: Set<GestureKind> { [.scroll, .wheel] }
    package var reach: Reach { .frame }

    /// A way pulls for a neighbour; a page that is off its place follows either way.
    package func canScroll(by way: Double) -> Bool {
        switch state {
        case .resting: hasNeighbour(way > 0 ? .next : .previous)
        case .dragging, .returning: true
        case .paging: false
        }
    }
}
