package import Geometry
package import Gestures
import Interactions
package import Sessions

/// A whole session on virtual time, and everything that it tells.
///
/// Events are played at the clock's step; nothing is told before `flush` or `step`.
package struct Theater {
    package var session: Session
    package var log = UpdateLog()
    package var interest: Channels

    /// The session's step 0, in nanoseconds since the Unix epoch.
    package static let opened = Instant(nanoseconds: 1_700_000_000_000_000_000)

    package init(_ scene: Scene, frameRate: Int = 60, interest: Channels = .all) {
        session = Session(
            id: "alice", epoch: "e.1", scene: scene, opened: Self.opened, frameRate: frameRate)
        self.interest = interest
    }

    /// Updates on a topic, such as `state/tips`; nil: on all.
    package func told(_ topic: String? = nil) -> [Told] {
        topic.map { topic in log.told.filter { $0.topic == topic } } ?? log.told
    }

    /// The steps that a topic's updates show.
    package func steps(_ topic: String) -> [Int] {
        told(topic).map {
            Step(notAfter: $0.stamp.instant.nanoseconds - Self.opened.nanoseconds).count
        }
    }

    /// Every component's picture, and the counts.
    package var pictures: [Picture] {
        session.machines.indices.map {
            Picture(session.machines[$0], recognizer: session.recognizer(on: $0))
        }
    }

    /// One component's picture.
    package func picture(_ component: String) -> Picture {
        guard let index = session.scene.components.firstIndex(where: { $0.id == component })
        else { preconditionFailure("no component \(component)") }
        return pictures[index]
    }

    package mutating func flush() {
        session.flush(to: interest, inFrame: session.isInFrame, into: &log)
    }

    /// Lets steps pass one by one, telling what is due after each.
    package mutating func step(_ count: Int = 1) {
        for _ in 0..<count {
            session.advance(to: session.clock + 1)
            flush()
        }
    }

    /// Steps until nothing moves and no timer runs, at most `limit` times; nil: it never did.
    package mutating func stepsToRest(limit: Int = 1_200) -> Int? {
        for passed in 0...limit {
            if !session.isMoving && session.machines.allSatisfy({ $0.nextTimer == nil }) {
                return passed
            }
            if passed < limit { step() }
        }
        return nil
    }

    // MARK: Events

    @discardableResult
    package mutating func receive(
        _ payload: Event.Payload, time: Double? = nil, id: String? = nil
    ) -> Session.Reception {
        let received = Double(session.instant.nanoseconds) / 1e6
        return session.receive(Event(payload, time: time, id: id), received: received)
    }

    @discardableResult
    package mutating func pan(
        _ component: String, _ phase: Phase, _ x: Double, _ y: Double, velocity: Vector? = nil
    ) -> Session.Reception {
        let pan = Pan(phase: phase, location: Vector(x, y), velocity: velocity)
        return receive(.gesture(component: component, .pan(pan)))
    }

    /// A sample of a raw contact.
    @discardableResult
    package mutating func pointer(
        _ component: String, _ phase: Phase, _ pointer: Int, _ x: Double, _ y: Double
    ) -> Session.Reception {
        let sample = Pointer(
            phase: phase, pointer: PointerNumber(pointer), location: Vector(x, y))
        return receive(.gesture(component: component, .pointer(sample)))
    }

    @discardableResult
    package mutating func scroll(_ offset: Double) -> Session.Reception {
        let scroll = Scroll(phase: .changed, offset: offset)
        return receive(.gesture(component: "profile", .scroll(scroll)))
    }

    @discardableResult
    package mutating func command(
        _ component: String, _ name: String, index: Int? = nil, kind: String? = nil,
        id: String? = nil
    ) -> Session.Reception {
        receive(
            .command(component: component, ComponentCommand(name, .of(index: index, kind: kind))),
            id: id)
    }

    @discardableResult
    package mutating func notify(
        _ kind: String, _ change: CountChange = .add(1), id: String? = nil
    ) -> Session.Reception {
        receive(.notification(kind: kind, change), id: id)
    }
}
