import Geometry
import Gestures
package import Interactions
import Motion
package import Protocol
package import Sessions

extension UpdateBody {
    package static func state(
        _ head: UpdateHead, _ shown: some Presentable, _ notes: StateNotes,
        into buffer: inout ByteBuffer
    ) {
        begin(head, into: &buffer)
        state(shown, notes, into: &buffer)
    }

    /// The members of a state behind what it begins with, to the end of the object.
    package static func state(
        _ shown: some Presentable, _ notes: StateNotes, into buffer: inout ByteBuffer
    ) {
        beginState(phase: shown.phase, into: &buffer)
        unsafe withUnsafeMutablePointer(to: &buffer) { buffer in
            var model = unsafe JSONStateSink(buffer, texts: notes.texts)
            shown.model(into: &model)
            if let recognizer = notes.recognizer {
                model.field("recognizer", recognizer.rawValue)
            }
            unsafe beginViews(into: &buffer.pointee)
            var views = unsafe JSONStateSink(buffer, cutFloor: notes.cutFloor)
            shown.views(into: &views)
            unsafe buffer.pointee.append(UInt8(ascii: "}"))
        }
        if !notes.running.isEmpty { running(notes, into: &buffer) }
        if let input = notes.input {
            buffer.key("input")
            buffer.json(points: input)
        }
        buffer.append(UInt8(ascii: "}"))
    }

    private static func running(_ notes: StateNotes, into buffer: inout ByteBuffer) {
        buffer.key("running")
        for (index, run) in notes.running.enumerated() {
            buffer.append(index == 0 ? "[{\"name\":" : ",{\"name\":")
            buffer.json(run.transition.name)
            ends(run.transition, into: &buffer)
            buffer.key("began")
            buffer.json(notes.opened + run.began)
            buffer.key("duration")
            buffer.json(fine: run.transition.duration)
            buffer.key("curve")
            curve(run.transition.curve, into: &buffer)
            buffer.append(UInt8(ascii: "}"))
        }
        buffer.append(UInt8(ascii: "]"))
    }

    package static func transition(
        _ head: UpdateHead, _ transition: Transition, into buffer: inout ByteBuffer
    ) {
        begin(head, into: &buffer)
        self.transition(transition, into: &buffer)
    }

    /// The members of a transition behind what it begins with, to the end of the object.
    static func transition(_ transition: Transition, into buffer: inout ByteBuffer) {
        buffer.key("name")
        buffer.json(transition.name)
        buffer.key("event")
        buffer.json(transition.event.rawValue)
        ends(transition, into: &buffer)
        if let meeting = transition.meeting { self.meeting(meeting, into: &buffer) }
        buffer.key("duration")
        buffer.json(fine: transition.duration)
        buffer.key("curve")
        curve(transition.curve, into: &buffer)
        buffer.append(UInt8(ascii: "}"))
    }

    private static func curve(_ curve: MotionCurve?, into buffer: inout ByteBuffer) {
        switch curve {
        case nil: buffer.append("null")
        case .timing(let curve): buffer.json(curve.rawValue)
        case .spring(let curve):
            buffer.append("{\"spring\":[")
            buffer.json(fine: curve.stiffness)
            buffer.append(",")
            buffer.json(fine: curve.damping)
            buffer.append(",")
            buffer.json(fine: curve.velocity)
            buffer.append("]}")
        }
    }

    /// Where it leads from and to, or the row or the state that it is about.
    private static func ends(_ transition: Transition, into buffer: inout ByteBuffer) {
        if let from = transition.from {
            buffer.key("from")
            end(from, into: &buffer)
        }
        if let to = transition.to {
            buffer.key("to")
            end(to, into: &buffer)
        }
        if let isOn = transition.isOn {
            buffer.key("on")
            buffer.json(isOn)
        }
        if let item = transition.item {
            buffer.key("item")
            buffer.json(item)
        }
        if let index = transition.index {
            buffer.key("index")
            buffer.json(index)
        }
        if let token = transition.token {
            buffer.key("token")
            buffer.json(token)
        }
        if let angle = transition.angle {
            buffer.key("angle")
            buffer.json(radians: angle)
        }
        guard let row = transition.row else { return }
        buffer.key("row")
        buffer.json(row.number)
        if let direction = row.direction {
            buffer.key("direction")
            buffer.json(direction)
        }
        if let action = row.action {
            buffer.key("action")
            buffer.json(action)
        }
        if let item = row.item {
            buffer.key("item")
            buffer.json(item)
        }
    }

    private static func meeting(
        _ meeting: Transition.Meeting, into buffer: inout ByteBuffer
    ) {
        buffer.key("items")
        for (index, item) in meeting.items.enumerated() {
            buffer.append(index == 0 ? "[" : ",")
            buffer.json(item)
        }
        buffer.append(UInt8(ascii: "]"))
        if let boundary = meeting.boundary {
            buffer.key("boundary")
            buffer.json(boundary)
        }
        buffer.key("point")
        buffer.append(UInt8(ascii: "["))
        buffer.json(points: meeting.point.x)
        buffer.append(UInt8(ascii: ","))
        buffer.json(points: meeting.point.y)
        buffer.append(UInt8(ascii: "]"))
        if let impulse = meeting.impulse {
            buffer.key("impulse")
            buffer.json(points: impulse)
        }
    }

    private static func end(_ end: Transition.End, into buffer: inout ByteBuffer) {
        switch end {
        case .index(let index): buffer.json(index)
        case .screen(let screen): buffer.json(screen)
        }
    }
}
