/// The turns of a device's wheels since its last report.
struct Wheel: Sendable {
    /// The units of a notch in the codes `…_HI_RES`.
    static let unitsOfNotch = 120.0

    /// Once a device has sent fine turns, its coarse ones tell the same again.
    private var isFine = false
    private var (coarseX, coarseY) = (0, 0)
    private var (fineX, fineY) = (0, 0)

    /// Returns false for a code that is of no wheel.
    mutating func turn(_ code: Int, by value: Int) -> Bool {
        switch code {
        case InputCode.wheelAcross: coarseX += value
        case InputCode.wheel: coarseY += value
        case InputCode.fineWheelAcross: fineX += value
        case InputCode.fineWheel: fineY += value
        default: return false
        }
        if code == InputCode.fineWheel || code == InputCode.fineWheelAcross { isFine = true }
        return true
    }

    /// The notches since the last call, to the right and down; nil where nothing turned.
    ///
    /// A wheel counts upward; the protocol's `dy` counts with the content's offset.
    mutating func takeNotches() -> (across: Double, down: Double)? {
        let notches =
            isFine
            ? (Double(fineX) / Self.unitsOfNotch, -Double(fineY) / Self.unitsOfNotch)
            : (Double(coarseX), -Double(coarseY))
        (coarseX, coarseY, fineX, fineY) = (0, 0, 0, 0)
        return notches == (0, 0) ? nil : notches
    }
}
