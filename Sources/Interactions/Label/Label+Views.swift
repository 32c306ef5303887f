package import Geometry
package import Gestures
import Motion

// MARK: - What is shown

extension Label {
    package var phase: String {
        if fading != nil { return isShown ? "showing" : "hiding" }
        return isShown ? "shown" : "hidden"
    }

    var isHidden: Bool { !isShown && fading == nil }

    package func model(into sink: inout some StateSink) {
        sink.field("text", face.text)
        sink.field("image", face.image)
        sink.field("former_text", change?.former.text)
        sink.field("former_image", change?.former.image)
    }

    package func views(into sink: inout some StateSink) {
        if isHidden { return }
        let whole = min(max(0, wholeAlpha(at: shownStep)), 1)
        if let change {
            let alpha = change.formerAlpha * (1 - faceAlpha(at: shownStep))
            sink.view("former", view(alpha: alpha * whole, z: 0, cut: cuts["former"]))
        }
        let alpha = faceAlpha(at: shownStep) * whole
        sink.view("label", view(alpha: alpha, z: 1, cut: cuts["label"]))
    }

    private func view(alpha: Double, z: Int, cut: Int) -> ViewState {
        ViewState(
            center: Vector(size.width, size.height) / 2, size: size, alpha: alpha, z: z, cut: cut)
    }

    /// The alpha of both faces together. Where a spring goes beyond its target it is not within
    /// 0 … 1.
    func wholeAlpha(at now: Step) -> Double { fading?.value(at: now) ?? (isShown ? 1 : 0) }

    /// The alpha of the present face.
    func faceAlpha(at now: Step) -> Double {
        min(max(0, change?.way.value(at: now) ?? 1), 1)
    }
}

extension Label {
    package func isSound(viewport: Size, tracker: VelocityTracker.Kind) -> Bool {
        guard size == viewport, fading?.isSound != false else { return false }
        guard let change else { return true }
        return !isHidden && change.way.isSound && (0...1).contains(change.formerAlpha)
    }
}
