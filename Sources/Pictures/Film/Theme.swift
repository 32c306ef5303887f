/// The colors around a picture.
package enum Theme: String, CaseIterable, Sendable {
    case light, dark

    package var background: Color { self == .light ? .white : Color(0x0d1117) }
    package var ink: Color { self == .light ? Color(0x1f2328) : Color(0xe6edf3) }
    package var faint: Color { ink.opacity(0.6) }
    package var edge: Color { ink.opacity(0.18) }
}
