import Geometry
package import Gestures
package import Interactions
import Motion
package import Protocol

extension UpdateBody {
    /// `recognizer`, if not nil, becomes the model's last field.
    package static func state(
        _ head: UpdateHead, _ shown: some Presentable, recognizer: GestureKind? = nil,
        into buffer: inout ByteBuffer
    ) {
        beginState(head, phase: shown.phase, into: &buffer)
        unsafe withUnsafeMutablePointer(to: &buffer) { buffer in
            var model = unsafe JSONStateSink(buffer)
            shown.model(into: &model)
            if let recognizer { model.field("recognizer", recognizer.rawValue) }
            unsafe buffer.pointee.append("},\"views\":{")
            var views = unsafe JSONStateSink(buffer)
            shown.views(into: &views)
            unsafe buffer.pointee.append("}}")
        }
    }

    package static func transition(
        _ head: UpdateHead, _ transition: Transition, into buffer: inout ByteBuffer
    ) {
        begin(head, into: &buffer)
        buffer.key("name")
        buffer.json(transition.name)
        buffer.key("event")
        buffer.json(transition.event.rawValue)
        if let from = transition.from {
            buffer.key("from")
            end(from, into: &buffer)
        }
        if let to = transition.to {
            buffer.key("to")
            end(to, into: &buffer)
        }
        if let meeting = transition.meeting { self.meeting(meeting, into: &buffer) }
        buffer.key("duration")
        buffer.json(fine: transition.duration)
        buffer.key("curve")
        buffer.json(transition.curve?.rawValue)
        buffer.append("}")
    }

    private static func meeting(
        _ meeting: Transition.Meeting, into buffer: inout ByteBuffer
    ) {
        buffer.key("items")
        for (index, item) in meeting.items.enumerated() {
            buffer.append(index == 0 ? "[" : ",")
            buffer.json(item)
        }
        buffer.append("]")
        if let boundary = meeting.boundary {
            buffer.key("boundary")
            buffer.json(boundary)
        }
        buffer.key("point")
        buffer.append("[")
        buffer.json(points: meeting.point.x)
        buffer.append(",")
        buffer.json(points: meeting.point.y)
        buffer.append("]")
    }

    private static func end(_ end: Transition.End, into buffer: inout ByteBuffer) {
        switch end {
        case .index(let index): buffer.json(index)
        case .screen(let screen): buffer.json(screen)
        }
    }
}
