package import Gestures

extension Button {
    package static var gestures: Set<GestureKind> { [.tap, .longpress] }
}
