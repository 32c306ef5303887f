import Geometry
import Notation
import Protocol
package import Recordings
import Sessions

/// The fingers of a recording: where each contact and each recognised gesture is at a time.
package struct Touches: Sendable {
    /// A finger at a time.
    package struct Finger: Hashable, Sendable {
        package var x: Double
        package var y: Double
        /// The component in whose coordinates it is; nil: the viewport's.
        package var component: String?
        /// 1 while it is down, and less soon after it was lifted.
        package var strength: Double
        package var color = Touches.color(of: nil, 0)
        /// The person's name; nil: nobody knows it.
        package var user: String?
    }

    private struct Sample: Sendable {
        var time: Double
        var x: Double
        var y: Double
        var isDown: Bool
    }

    /// One finger of a session, and all its samples by time.
    private struct Trace: Sendable {
        var session: String
        var component: String?
        var color: Color
        var user: String?
        var samples: [Sample] = []
    }

    /// Milliseconds for which a lifted finger is still seen, and for which a touch that has no
    /// phases is down.
    private static let fading = 180.0
    /// Fingers in a recording; more are passed over.
    private static let tracesMax = 256

    private var traces: [Trace] = []

    /// Times count from the first event, in milliseconds.
    package init(_ recording: Recording) {
        let first = recording.events.first?.time ?? 0
        var places: [String: Int] = [:]
        for event in recording.events {
            guard case .gesture(let session, let component)? = try? Topic(event.topic),
                let body = try? Document.json(event.body),
                // An object on a table is no finger.
                body["gesture"]?.string != "token",
                let x = body["x"]?.double?.bounded(by: Picture.placeMax),
                let y = body["y"]?.double?.bounded(by: Picture.placeMax)
            else { continue }
            let isContact = body["gesture"]?.string == "pointer"
            let finger = isContact ? body["pointer"]?.int ?? 0 : -1
            let key = "\(session)/\(component ?? "")/\(finger)"
            if places[key] == nil {
                guard traces.count < Self.tracesMax else { continue }
                places[key] = traces.count
                let user = isContact ? body["user"]?.string : nil
                let name = user.flatMap { Name.isValid($0) ? $0 : nil }
                traces.append(
                    Trace(
                        session: session, component: component,
                        color: Self.color(of: name, max(finger, 0)), user: name))
            }
            guard let place = places[key] else { continue }
            let phase = body["phase"]?.string
            traces[place].samples.append(
                Sample(
                    time: event.time - first, x: x, y: y,
                    isDown: phase == "began" || phase == "changed"))
        }
    }

    /// The color of a contact, as a daemon tells it where it knows no publishers.
    private static func color(of user: String?, _ pointer: Int) -> Color {
        Color(css: ContactColor(user: user, pointer: Int64(pointer)).text) ?? .black
    }

    /// The fingers that are to be seen on a session at a time.
    package func fingers(on session: String, at time: Double) -> [Finger] {
        traces.compactMap { trace in
            guard trace.session == session,
                let index = trace.samples.last(notAfter: time, by: \.time)
            else { return nil }
            let sample = trace.samples[index]
            var finger = Finger(
                x: sample.x, y: sample.y, component: trace.component, strength: 1,
                color: trace.color, user: trace.user)
            if sample.isDown {
                // Between two samples it is between their places.
                guard index + 1 < trace.samples.count else { return finger }
                let next = trace.samples[index + 1]
                let part =
                    next.time > sample.time
                    ? (time - sample.time) / (next.time - sample.time) : 0
                finger.x += (next.x - sample.x) * part
                finger.y += (next.y - sample.y) * part
                return finger
            }
            finger.strength = 1 - (time - sample.time) / Self.fading
            return finger.strength > 0 ? finger : nil
        }
    }
}

extension Painter {
    /// Draws fingers over the picture.
    package func paint(_ fingers: [Touches.Finger]) {
        for finger in fingers {
            let origin = finger.component.map { self.origin(of: $0) } ?? .zero
            let (x, y) = (origin.x + finger.x, origin.y + finger.y)
            canvas.grouped(alpha: finger.strength) {
                paint(hand: Picture.Touch(x: x, y: y, color: finger.color, user: finger.user))
            }
        }
    }

    /// Where a component's coordinates begin, as long as nothing that holds it is turned or scaled.
    private func origin(of id: String) -> Vector {
        var origin = Vector.zero
        var next: String? = id
        for _ in 0...Limits.nestingMax {
            guard let component = picture.components.first(where: { $0.id == next }) else { break }
            origin += component.frame.origin
            let slot = component.parent.flatMap { picture.states[$0] }?.views
                .first { $0.name == component.slot }
            if let slot {
                origin += Vector(slot.x - slot.width / 2, slot.y - slot.height / 2)
            }
            next = component.parent
        }
        return origin
    }
}
