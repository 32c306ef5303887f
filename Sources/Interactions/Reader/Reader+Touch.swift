package import Geometry
package import Gestures

/// How a raw contact stops what moves by itself, and is no tap then.
extension Reader {
    package mutating func touch(_ touch: Touch, at now: Step, into effects: inout Effects) {
        switch state {
        case .resting, .dragging: break
        case .paging(var paging):
            switch touch {
            case .down: paging.hold(at: shownStep)
            case .moved: break
            case .up: paging.letGo(at: now, parameters.pace)
            }
            shownStep = now
            state = .paging(paging)
        case .returning(var scroller):
            scroller.touch(touch)
            if scroller.isResting { effects.needsPublish = true }
            state = scroller.isResting ? .resting : .returning(scroller)
        }
    }

    package func isInMotion(at point: Vector) -> Bool {
        switch state {
        case .resting, .dragging: false
        case .returning(let scroller): scroller.isCoasting
        case .paging: true
        }
    }
}
