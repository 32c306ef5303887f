import Geometry
import Interactions
import Notation
import Sessions

/// `hit`: what lies under a point of a session's viewport. It touches nothing.
struct HitRequest: SessionRequest {
    static let operation = "hit"

    let session: String
    private let point: Vector

    var right: RequestRight { .reading(session) }

    init(_ fields: RequestFields) throws(Rejection) {
        session = try fields.session()
        point = Vector(try fields.coordinate("x"), try fields.coordinate("y"))
    }

    /// Hits are costly while some of them take long, in scenes of very many views.
    func isCostly(on table: LaneTable) -> Bool { table.costs.hits.isLong }

    func perform(
        on table: LaneTable, for envelope: Envelope, at moment: Moment
    ) throws(Rejection) {
        let open = try table.findCurrent(session, moment)
        let began = Clock.processor()
        defer { table.costs.hits.note(nanoseconds: Clock.processor() - began) }
        let hit = open.session.named(open.session.hit(at: point))
        table.sink.chunk.reply(to: envelope) { $0.write(hit) }
    }
}
