import Dynamics
package import Geometry
package import Gestures
import Motion

// MARK: - What is shown

extension Tips {
    package var phase: String {
        switch state {
        case .dismissed: "dismissed"
        case .presenting: "presenting"
        case .entering: "entering"
        case .resting: "resting"
        case .dragging: "dragging"
        case .returning: "returning"
        case .leaving: "leaving"
        case .dismissing: "dismissing"
        }
    }

    package func model(into sink: inout some StateSink) {
        sink.field("index", index)
        // In place: cards are shared by all sessions of a scene, and counting the references to
        // them would have the lanes wait for each other.
        if let broughtCards {
            tell(broughtCards, areBrought: true, into: &sink)
        } else {
            tell(parameters.tips, areBrought: false, into: &sink)
        }
    }

    private func tell(
        _ cards: borrowing [Card], areBrought: Bool, into sink: inout some StateSink
    ) {
        sink.field("count", cards.count)
        // Field by field, for each frame tells them: a card would be copied whole.
        let shown = cards.indices.contains(index) ? index : nil
        sink.field("title", text: shown.map { cards[$0].title })
        sink.field("summary", text: shown.map { cards[$0].summary })
        sink.field("image", shown.flatMap { cards[$0].image })
        // The content of the scene's own cards stands in the scene.
        if areBrought, let content = shown.flatMap({ cards[$0].content }) {
            sink.field("content", content: content)
        }
    }

    /// A spring goes beyond its target, an alpha does not.
    private func shown(_ alpha: Double) -> Double { min(max(0, alpha), 1) }

    package func views(into sink: inout some StateSink) {
        if case .dismissed = state { return }
        let alphas = self.alphas(at: shownStep)
        sink.view(
            "backdrop",
            ViewState(
                center: middle, size: viewport, alpha: shown(alphas.backdrop), z: 0,
                cut: cuts["backdrop"]))
        guard let pose else { return }
        sink.view(
            "tip",
            ViewState(
                center: pose.center, size: parameters.size, rotation: pose.rotation,
                alpha: shown(alphas.tip), z: 1, cut: cuts["tip"]))
    }

    var middle: Vector { Vector(viewport.width / 2, viewport.height / 2) }

    var home: ViewPose { ViewPose(center: middle, rotation: 0) }

    /// The pose of a tip turned out to one side: a quarter turn about its pin.
    func place(_ side: Side) -> ViewPose {
        let arm = parameters.pivotOffset
        switch side {
        case .left:
            return ViewPose(center: middle + Vector(-arm, arm), rotation: -Double.pi / 2)
        case .right:
            return ViewPose(center: middle + Vector(arm, arm), rotation: Double.pi / 2)
        }
    }

    /// Nil while no tip is in the hierarchy.
    var pose: ViewPose? {
        if let pose = body?.pose { return pose }
        switch state {
        case .presenting(let fade, _), .dismissing(let fade, _): return fade.hasTip ? home : nil
        case .resting: return home
        case .dismissed, .entering, .dragging, .returning, .leaving: return nil
        }
    }

    func alphas(at now: Step) -> (backdrop: Double, tip: Double) {
        switch state {
        case .dismissed: (0, 0)
        case .presenting(let fade, _), .dismissing(let fade, _):
            (fade.backdrop.value(at: now), fade.tip.value(at: now))
        case .entering, .resting, .dragging, .returning, .leaving:
            (parameters.backdropAlpha, 1)
        }
    }
}

extension Tips {
    package func isSound(viewport: Size, tracker: VelocityTracker.Kind) -> Bool {
        guard viewport == self.viewport, tracker == self.tracker, index >= 0,
            index <= lastIndex, broughtCards?.areSound ?? true
        else { return false }
        switch state {
        case .dismissed: return body == nil && broughtCards == nil
        case .resting: return body == nil && !cards.isEmpty
        case .presenting(let fade, let finger):
            return !cards.isEmpty && fade.isSound && (finger?.isSound(tracker) ?? true)
                && isSwinging(ifTipIn: fade)
        case .dismissing(let fade, .none): return fade.isSound && isSwinging(ifTipIn: fade)
        case .dismissing(let fade, .some(let exit)):
            return fade.isSound && fade.hasTip && isSound(exit)
        case .entering, .returning: return !cards.isEmpty && body?.isSound(.snap) == true
        case .leaving(let exit, let until):
            return !cards.isEmpty && isSound(exit) && until >= .zero
        case .dragging(let grip):
            return !cards.isEmpty && grip.drag.isSound(tracker) && grip.speed >= 0
                && grip.speed <= 1e12 && body?.isSound(.rod(grip.rod)) == true
        }
    }

    private func isSwinging(ifTipIn fade: Fade) -> Bool {
        guard let body else { return true }
        return fade.hasTip && body.isSound(.snap)
    }

    private func isSound(_ exit: TipsExit) -> Bool {
        (exit.turn?.isSound ?? true) && (exit.push?.magnitude ?? 0) <= 1e12
            && body?.isSound(.rod(exit.rod)) == true
    }
}

extension Tips.Fade {
    fileprivate var isSound: Bool { backdrop.isSound && tip.isSound }
}
