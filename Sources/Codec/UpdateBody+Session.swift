import Geometry
import Gestures
import Interactions
import Notation
package import Protocol
package import Sessions

/// The bodies that show a whole session: its frames, the contacts on it, and its scene.
extension UpdateBody {
    /// Returns the bytes of the member `touches` with the comma before it, which stands last; 0:
    /// the frame has none. So the sender can leave them out.
    @discardableResult
    package static func frame(
        _ head: UpdateHead, _ picture: SessionPicture, into buffer: inout ByteBuffer
    ) -> Int {
        begin(head, into: &buffer)
        buffer.append(",\"states\":[")
        var isFirst = true
        unsafe withUnsafeMutablePointer(to: &buffer) { buffer in
            func begin(_ component: String) {
                unsafe buffer.pointee.append(isFirst ? "{\"component\":" : ",{\"component\":")
                unsafe buffer.pointee.json(component)
                isFirst = false
            }
            picture.forEachState { component, machine, notes in
                begin(component)
                unsafe state(machine, notes, into: &buffer.pointee)
            }
            unsafe buffer.pointee.append(UInt8(ascii: "]"))
            guard picture.hasTransitions else { return }
            unsafe buffer.pointee.append(",\"transitions\":[")
            isFirst = true
            picture.forEachTransition { component, dated in
                begin(component)
                unsafe transition(dated, into: &buffer.pointee)
            }
            unsafe buffer.pointee.append(UInt8(ascii: "]"))
        }
        if let badges = picture.badges {
            buffer.key("badge")
            buffer.append(UInt8(ascii: "{"))
            badge(badges, into: &buffer)
        }
        if let variables = picture.variables {
            buffer.key("variables")
            buffer.append(UInt8(ascii: "{"))
            self.variables(variables, into: &buffer)
        }
        if picture.hasRows { rows(of: picture, into: &buffer) }
        let start = buffer.count
        if let contacts = picture.touches { touches(contacts, into: &buffer) }
        let count = buffer.count - start
        buffer.append(UInt8(ascii: "}"))
        return count
    }

    package static func variables(
        _ head: UpdateHead, _ variables: VariablePicture, into buffer: inout ByteBuffer
    ) {
        begin(head, into: &buffer)
        buffer.append(",")
        self.variables(variables, into: &buffer)
    }

    /// The members of variables, to the end of the object.
    private static func variables(
        _ variables: VariablePicture, into buffer: inout ByteBuffer
    ) {
        buffer.append("\"version\":")
        buffer.json(variables.version)
        buffer.append(",\"values\":{")
        var isFirst = true
        unsafe withUnsafeMutablePointer(to: &buffer) { buffer in
            variables.forEach { name, value in
                unsafe buffer.pointee.member(name, isFirst: isFirst)
                unsafe buffer.pointee.json(value.node)
                isFirst = false
            }
        }
        buffer.append("}}")
    }

    package static func touches(
        _ head: UpdateHead, _ contacts: ContactLedger, into buffer: inout ByteBuffer
    ) {
        begin(head, into: &buffer)
        touches(contacts, into: &buffer)
        buffer.append(UInt8(ascii: "}"))
    }

    /// The member of an update or a frame, with the comma before it.
    static func touches(_ contacts: ContactLedger, into buffer: inout ByteBuffer) {
        buffer.key("touches")
        for (place, contact) in contacts.entries.enumerated() {
            buffer.append(place == 0 ? "[{\"pointer\":" : ",{\"pointer\":")
            buffer.json(Int(contact.pointer))
            buffer.key("x")
            buffer.json(points: contact.point.x)
            buffer.key("y")
            buffer.json(points: contact.point.y)
            buffer.key("kind")
            buffer.json(contact.kind.rawValue)
            if let pressure = contact.pressure {
                buffer.key("pressure")
                buffer.json(fine: pressure)
            }
            if let user = contact.user {
                buffer.key("user")
                buffer.json(user)
            }
            buffer.key("color")
            buffer.json(contact.color.text)
            buffer.append(UInt8(ascii: "}"))
        }
        buffer.append(contacts.isEmpty ? "[]" : "]")
    }

    package static func scene(
        _ head: UpdateHead, _ scene: SceneDescription, into buffer: inout ByteBuffer
    ) {
        begin(head, into: &buffer)
        buffer.append(UInt8(ascii: ","))
        sceneMembers(scene, into: &buffer)
    }

    /// A scene as one object, without what updates begin with.
    package static func scene(_ scene: SceneDescription, into buffer: inout ByteBuffer) {
        buffer.append(UInt8(ascii: "{"))
        sceneMembers(scene, into: &buffer)
    }

    private static func sceneMembers(
        _ description: SceneDescription, into buffer: inout ByteBuffer
    ) {
        let scene = description.scene
        let insets = scene.insets
        var texts = SceneTextWriter(context: description.texts)
        buffer.append("\"scene\":")
        buffer.json(scene.name)
        buffer.key("revision")
        buffer.json(description.revision)
        buffer.key("viewport")
        buffer.json(points: [scene.viewport.width, scene.viewport.height])
        buffer.key("insets")
        buffer.json(points: [insets.top, insets.left, insets.bottom, insets.right])
        buffer.key("frame_rate")
        buffer.json(description.frameRate)
        buffer.key("content")
        content(scene.content, &texts, into: &buffer)
        buffer.key("components")
        for (index, component) in scene.components.enumerated() {
            buffer.append(index == 0 ? "[" : ",")
            self.component(component, in: scene, &texts, into: &buffer)
        }
        buffer.append(scene.components.isEmpty ? "[]}" : "]}")
    }

    private static func component(
        _ component: Scene.Component, in scene: Scene, _ texts: inout SceneTextWriter,
        into buffer: inout ByteBuffer
    ) {
        let (placement, frame) = (component.placement, component.placement.frame)
        buffer.append("{\"id\":")
        buffer.json(component.id)
        buffer.key("kind")
        buffer.json(component.parameters.kind)
        buffer.key("parent")
        buffer.json(placement.holder.map { scene.components[$0.component].id })
        buffer.key("slot")
        buffer.json(placement.holder?.slot.name)
        buffer.key("frame")
        buffer.json(
            points: [frame.origin.x, frame.origin.y, frame.size.width, frame.size.height])
        buffer.key("clip")
        buffer.json(placement.clips)
        buffer.key("parameters")
        let parameters = component.parameters.value.told
        buffer.json(texts.shown(parameters, lists: component.parameters.textLists))
        buffer.key("content")
        content(component.content, &texts, into: &buffer)
        buffer.append(UInt8(ascii: "}"))
    }

    private static func content(
        _ content: Node?, _ texts: inout SceneTextWriter, into buffer: inout ByteBuffer
    ) {
        guard let content else { return buffer.append("{}") }
        buffer.json(texts.shown(content))
    }
}

/// Puts values into the texts of one message, within the bound of all of them.
private struct SceneTextWriter {
    /// Nil: the texts are told as they are written.
    let context: TextContext?
    var bytesLeft = Limits.shownTextsBytesMax

    init(context: TextContext?) { self.context = context }

    /// `lists` are keys of the table whose values are lists of texts.
    mutating func shown(_ node: Node, lists: [String] = []) -> Node {
        context.map { context in
            node.withTexts(context, &bytesLeft).withTextLists(at: lists, context, &bytesLeft)
        } ?? node
    }
}

extension ByteBuffer {
    fileprivate mutating func json(points: [Double]) {
        for (index, value) in points.enumerated() {
            append(index == 0 ? "[" : ",")
            json(points: value)
        }
        append(UInt8(ascii: "]"))
    }
}
