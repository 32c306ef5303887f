package import Gestures

extension ReaderParameters {
    package static var clips: Bool { true }
}

extension Reader {
    package static var gestures: Set<GestureKind> { [.scroll, .wheel] }
    package var reach: Reach { .frame }
}
