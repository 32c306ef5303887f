package import Geometry
package import Gestures

// MARK: - What is shown

extension Button {
    package var phase: String {
        if case .disabled = state { return "disabled" }
        return isHighlighted ? "highlighted" : "resting"
    }

    /// Whether a contact presses it, and is on it or near it.
    var isHighlighted: Bool {
        switch state {
        case .pressed(let press): press.isNear
        case .held(let isNear, _): isNear
        case .resting, .ignoring, .disabled: false
        }
    }

    package func model(into sink: inout some StateSink) {
        sink.field("on", isOn)
        sink.field("highlighted", isHighlighted)
    }

    package func views(into sink: inout some StateSink) {
        sink.view(
            "button",
            ViewState(
                center: Vector(size.width, size.height) / 2, size: size, z: 0,
                cut: cuts["button"]))
    }
}

extension Button {
    package func isSound(viewport: Size, tracker: VelocityTracker.Kind) -> Bool {
        guard size == viewport else { return false }
        guard case .pressed(let press) = state else { return true }
        return (press.nextTap == nil) == (parameters.repeatSeconds == 0)
    }
}
