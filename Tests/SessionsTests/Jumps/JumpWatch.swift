import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport

/// Watches each component of a session for jumps, from step to step.
struct JumpWatch {
    /// A change of what is shown on purpose, to see that the detector finds it.
    typealias Tamper = (_ component: String, _ step: Int, inout Look) -> Void

    private struct Finger: Hashable {
        var component: String?
        var pointer: PointerNumber?
    }

    private var detectors: [String: JumpDetector] = [:]
    private var places: [Finger: Vector] = [:]
    private var phases: [String: String] = [:]
    private var moving: [String: Bool] = [:]
    private let tamper: Tamper?
    private(set) var faults: [String] = []
    private(set) var found: Set<JumpDetector.Jump.Rule> = []

    init(_ session: Session, tamper: Tamper? = nil) {
        self.tamper = tamper
        for component in session.scene.components { detectors[component.id] = JumpDetector() }
        look(at: session)
    }

    /// An event is about to come.
    mutating func note(_ payload: Event.Payload) {
        guard case .gesture(let component, let gesture) = payload else {
            begin()
            // A command may free an item of a world, which then goes where it is held.
            if case .command("world", _) = payload { detectors["world"]?.moved(by: 120) }
            return
        }
        var way = 0.0
        switch gesture {
        // A client's offset places the content, and so does a wheel without phases at an edge.
        case .scroll: way = 700
        case .wheel(let wheel): way = wheel.delta.length + (wheel.phase == nil ? 700 : 0)
        case .pan(let pan): way = (pan.velocity?.length ?? 0) / 60
        default: break
        }
        if let place = gesture.point, gesture.phase != nil {
            let finger = Finger(component: component, pointer: gesture.pointer)
            if let last = places[finger] { way += (place - last).length }
            places[finger] = place
        }
        for id in detectors.keys where component == nil || component == id {
            detectors[id]?.moved(by: way)
            detectors[id]?.begins()
        }
    }

    /// Something may begin in any component.
    mutating func begin() {
        for id in detectors.keys { detectors[id]?.begins() }
    }

    /// Looks at all components.
    mutating func look(at session: Session) {
        for (component, machine) in zip(session.scene.components, session.machines) {
            let isNew = phases.updateValue(machine.phase, forKey: component.id) != machine.phase
            let wasMoving = moving.updateValue(machine.isMoving, forKey: component.id) ?? false
            if isNew || (machine.isMoving && !wasMoving) { detectors[component.id]?.begins() }
            let mayMove = machine.isMoving || wasMoving || tamper != nil
            guard mayMove || detectors[component.id]?.isTold != false else {
                detectors[component.id]?.rests()
                continue
            }
            var look = Look(machine)
            tamper?(component.id, session.clock.count, &look)
            for jump in detectors[component.id]?.look(look) ?? [] {
                found.insert(jump.rule)
                faults.append(
                    "\(component.id) at \(session.clock.count), \(machine.phase): \(jump)")
            }
        }
    }
}
