import Codec
import Interactions
import Notation
import Protocol
import Security
import Sessions

/// `snapshot`: what every current topic of a session says at one instant, by its last number.
struct SnapshotRequest: SessionRequest {
    static let operation = "snapshot"

    let session: String
    /// Whether the asker may know the contacts that are down.
    private var tellsTouches = true
    var isForItsAskerAlone: Bool { true }

    var right: RequestRight { .reading(session) }

    init(_ fields: RequestFields) throws(Rejection) { session = try fields.session() }

    mutating func limit(to grant: Grant) { tellsTouches = grant.touches }

    func isCostly(on table: LaneTable) -> Bool { true }

    func perform(
        on table: LaneTable, for envelope: Envelope, at moment: Moment
    ) throws(Rejection) {
        let open = try table.findCurrent(session, moment)
        table.sink.chunk.reply(to: envelope) { buffer in
            write(open.session, into: &buffer)
        }
    }

    private func write(_ session: borrowing Session, into buffer: inout ByteBuffer) {
        let id = session.identity.id
        buffer.key("session")
        buffer.json(id)
        buffer.key("scene")
        buffer.json(session.identity.scene)
        buffer.key("epoch")
        buffer.json(session.identity.epoch)
        buffer.key("updates")
        buffer.append("[")
        begin(.scene(session: id), into: &buffer)
        UpdateBody.scene(session.head(of: .scene), session.sceneDescription, into: &buffer)
        buffer.append("},")
        for index in session.machines.indices {
            let name = session.scene.components[index].id
            begin(.state(session: id, component: name), into: &buffer)
            UpdateBody.state(
                session.head(of: .state(component: index)), session.machines[index],
                session.notes(of: index), into: &buffer)
            buffer.append("},")
        }
        for (index, rows) in session.currentRows() {
            let name = session.scene.components[index].id
            begin(.rows(session: id, component: name), into: &buffer)
            UpdateBody.rows(session.head(of: .rows(component: index)), rows, into: &buffer)
            buffer.append("},")
        }
        begin(.badge(session: id), into: &buffer)
        UpdateBody.badge(session.head(of: .badge), session.badges, into: &buffer)
        buffer.append("},")
        if let variables = session.variablePicture {
            begin(.variables(session: id), into: &buffer)
            UpdateBody.variables(session.head(of: .variables), variables, into: &buffer)
            buffer.append("},")
        }
        let touches = tellsTouches ? session.toldTouches : nil
        if let touches {
            begin(.touches(session: id), into: &buffer)
            UpdateBody.touches(session.head(of: .touches), touches, into: &buffer)
            buffer.append("},")
        }
        begin(.session(id), into: &buffer)
        UpdateBody.session(
            session.head(of: .session), session.lastEvent, scene: session.identity.scene,
            into: &buffer)
        buffer.append("},")
        begin(.frame(session: id), into: &buffer)
        var picture = session.wholePicture
        picture.touches = touches
        UpdateBody.frame(session.head(of: .frame), picture, into: &buffer)
        buffer.append("}]")
    }

    private func begin(_ topic: UpdateTopic, into buffer: inout ByteBuffer) {
        buffer.append("{\"topic\":")
        buffer.json(topic.text)
        buffer.append(",\"body\":")
    }
}

extension Session {
    /// The head of a snapshot's update: now, with the number sent last.
    func head(of topic: CurrentTopic) -> UpdateHead {
        UpdateHead(epoch: epoch, seq: seq(of: topic), time: instant)
    }
}
