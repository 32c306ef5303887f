package import Geometry
package import Gestures
import Motion

// MARK: - What is shown

extension Panel {
    package var phase: String {
        switch state {
        case .resting: "resting"
        case .caught, .dragging: "dragging"
        case .settling: "settling"
        }
    }

    package func model(into sink: inout some StateSink) {
        var name: String?
        if case .resting = state { name = parameters.anchors[anchor].name }
        sink.field("at", name)
        sink.field("position", points: position)
        sink.field("progress", points: progress)
    }

    package func views(into sink: inout some StateSink) {
        let middle = Vector(parameters.frame.width, parameters.frame.height) / 2
        let alpha = backdropAlpha
        if alpha > 0 {
            sink.view(
                "backdrop",
                ViewState(
                    center: middle, size: parameters.frame, alpha: alpha, z: 0,
                    cut: cuts["backdrop"]))
        }
        let box = box
        sink.view(
            "panel", ViewState(center: box.center, size: box.size, z: 1, cut: cuts["panel"]))
        sink.view(
            "content", ViewState(center: box.center, size: box.size, z: 2, cut: cuts["content"]))
        guard let handle else { return }
        sink.view(
            "handle",
            ViewState(center: handle.center, size: handle.size, z: 3, cut: cuts["handle"]))
    }

    /// The box that moves, in the component's coordinates: across the axis it stands in the middle.
    var box: Rect {
        let (size, frame) = (parameters.size, parameters.frame)
        switch parameters.axis {
        case .vertical:
            return Rect((frame.width - size.width) / 2, position, size.width, size.height)
        case .horizontal:
            return Rect(position, (frame.height - size.height) / 2, size.width, size.height)
        }
    }

    /// The handle, in the component's coordinates; nil: there is none.
    var handle: Rect? {
        parameters.handle.map { handle in
            let origin = box.origin + handle.origin
            return Rect(origin.x, origin.y, handle.size.width, handle.size.height)
        }
    }

    /// The alpha of the backdrop: it grows from the first anchor to the last.
    var backdropAlpha: Double {
        guard parameters.backdropAlpha > 0 else { return 0 }
        let (first, last) = (
            parameters.position(of: 0), parameters.position(of: parameters.last)
        )
        guard first != last else { return parameters.backdropAlpha }
        let share = (position - first) / (last - first)
        return parameters.backdropAlpha * min(1, max(0, share))
    }

    /// The share of the way from one of the two anchors around it to the next: from 0 to 1.
    private var progress: Double {
        let places = parameters.anchors.indices.map { parameters.position(of: $0) }
        guard places.count > 1 else { return 0 }
        let isRising = places[1] > places[0]
        // The last anchor that it has come to.
        let passed = places.lastIndex { isRising ? $0 <= position : $0 >= position } ?? 0
        let from = min(passed, places.count - 2)
        let share = (position - places[from]) / (places[from + 1] - places[from])
        return min(1, max(0, share))
    }
}

extension Panel {
    package func isSound(viewport: Size, tracker: VelocityTracker.Kind) -> Bool {
        guard parameters.frame == viewport, self.tracker == tracker,
            parameters.anchors.indices.contains(anchor), position.magnitude <= Self.farPoints,
            landing.map({ $0.isWithin(1e9) }) != false
        else { return false }
        switch state {
        case .resting: return position == parameters.position(of: anchor)
        case .caught: return true
        case .dragging(let grip):
            return grip.origin.magnitude <= Self.farPoints && grip.start.magnitude <= Self.farPoints
                && grip.extent >= parameters.frameLength && grip.extent <= Self.farPoints
                && grip.tracker.isSound(tracker)
        case .settling(let spring, let to):
            return parameters.anchors.indices.contains(to) && spring.isMoving && spring.isSound
                && spring.target == parameters.position(of: to) && spring.value == position
        }
    }

    private static let farPoints = 1e12
}
