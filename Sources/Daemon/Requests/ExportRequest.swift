import Codec
import Interactions
import Notation
import Protocol
import Sessions

/// `export`: all of a session as it stands at this instant, for another daemon or for later.
struct ExportRequest: SessionRequest {
    static let operation = "export"

    let session: String
    var isForItsAskerAlone: Bool { true }

    var right: RequestRight { .reading(session) }

    init(_ fields: RequestFields) throws(Rejection) { session = try fields.session() }

    func isCostly(on table: LaneTable) -> Bool { true }

    func perform(
        on table: LaneTable, for envelope: Envelope, at moment: Moment
    ) throws(Rejection) {
        let open = try table.findCurrent(session, moment)
        var document = ByteBuffer(capacity: 4_096)
        guard SessionExport.write(open.session, into: &document) else {
            throw Rejection(.internal, "its scene cannot be written")
        }
        guard document.count <= Limits.exportBytesMax else {
            throw Rejection(
                .tooLarge, "an exported session has at most \(Limits.exportBytesMax) bytes")
        }
        table.sink.chunk.reply(to: envelope) { buffer in
            buffer.key("session")
            buffer.json(session)
            buffer.key("document")
            buffer.append(document.array())
        }
    }
}

extension Limits {
    /// Bytes of an exported session: it fits a message with what is beside it.
    static let exportBytesMax = messageBytesMax - 4 * 1024
}
