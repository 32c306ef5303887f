import Dynamics
package import Geometry
package import Gestures
import Motion

// MARK: - What is shown

extension Toss {
    package var phase: String {
        switch state {
        case .resting: "resting"
        case .dragging: "dragging"
        case .thrown: "thrown"
        case .returning: "returning"
        }
    }

    var pose: ViewPose {
        if let body { return body.pose }
        if case .returning(let homecoming) = state { return homecoming.pose(at: shownStep) }
        return ViewPose(center: parameters.frame.center, rotation: 0)
    }

    package func model(into sink: inout some StateSink) {
        sink.field("frame", frame: parameters.frame)
    }

    package func views(into sink: inout some StateSink) {
        let pose = self.pose
        sink.view(
            "item",
            ViewState(
                center: pose.center, size: parameters.frame.size, rotation: pose.rotation, z: 0,
                cut: cuts["item"]))
        guard let marks = shownMarks else { return }
        sink.view("touch", ViewState(center: marks.touch, size: Self.markSize, z: 1))
        sink.view("anchor", ViewState(center: marks.anchor, size: Self.markSize, z: 2))
    }

    private var shownMarks: Marks? {
        switch (parameters.markers, state) {
        case (.never, _): nil
        case (_, .dragging(let drag, let touch, _)): Marks(touch: touch, anchor: drag.finger)
        case (.dragging, _): nil
        // Before any finger came they are where the item rests.
        case (.always, _):
            marks ?? Marks(touch: parameters.frame.center, anchor: parameters.frame.center)
        }
    }

    /// The size of the marks that show the finger's first and present place.
    private static let markSize = Size(8, 8)
}

extension Toss {
    package func isSound(viewport: Size, tracker: VelocityTracker.Kind) -> Bool {
        guard tracker == self.tracker, marks?.isSound ?? true else { return false }
        switch state {
        case .resting: return body == nil
        case .returning(let way):
            return body == nil && way.x.isSound && way.y.isSound && way.rotation.isSound
        case .thrown: return isBodySound { body, push in body.animator.isPush(push) }
        case .dragging(let drag, let firstTouch, let grip):
            return drag.isSound(tracker) && firstTouch.isWithin(1e9)
                && isBodySound { $1 == grip && $0.animator.anchors(grip, $0.item) }
        }
    }

    /// Whether a decoded body is the view with the one behavior that moves it.
    private func isBodySound(_ isMoved: (TossBody, BehaviorID) -> Bool) -> Bool {
        guard let body, body.animator.consists(of: [body.item]),
            body.animator.isAlone(body.item),
            let behaviors = body.animator.behaviors(beside: []), behaviors.count == 1
        else { return false }
        return body.animator.isSound && isMoved(body, behaviors[0])
    }
}

extension Toss.Marks {
    fileprivate var isSound: Bool { touch.isWithin(1e9) && anchor.isWithin(1e9) }
}
