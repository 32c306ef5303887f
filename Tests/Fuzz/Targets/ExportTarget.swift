import Codec
import Geometry
import Interactions
import Notation
import Protocol
import Sessions
import TestSupport

extension Target {
    /// The document of a session. One that is taken goes on, and is exported as it is imported.
    static let export = Target(name: "export") { bytes in
        guard let tree = try? Document.json(bytes) else { return }
        judgeRecord(bytes)
        do throws(SessionDocumentError) {
            let export = try SessionExport(tree)
            do throws(NodeError) {
                judge(try session(export, continuing: moved), export.scene)
                judge(try session(export, continuing: .same), export.scene)
            } catch {
                expectWords(error.description)
            }
        } catch {
            expectWords(error.description)
        }
    }

    private static let moved = Continuation.moved(
        epoch: "f.1", opened: Instant(nanoseconds: 1_700_000_000_000_000_000), version: 7)

    private static func session(
        _ export: SessionExport, continuing: Continuation
    ) throws(NodeError) -> Session {
        try Session(
            export.state, id: "s", scene: export.scene, frameRate: 60, key: 42,
            continuing: continuing)
    }

    private static func judge(_ imported: Session, _ scene: Scene) {
        var session = imported
        let text = written(session)
        do {
            let export = try SessionExport(try Document.json(text, exactly: true))
            let again = written(try Self.session(export, continuing: .same))
            expect(again == text, "\(text.text) became \(again.text)")
        } catch {
            fatalError("\(text.text) cannot be imported: \(error)")
        }
        var listener = Listener()
        for _ in 0..<stepsPlayed {
            session.advance(to: session.clock + 1)
            session.flush(to: .all, inFrame: session.isInFrame, into: &listener)
        }
    }

    /// Steps that an import goes on for: a quarter of a second.
    private static let stepsPlayed = 30

    private static func written(_ session: Session) -> [UInt8] {
        var buffer = ByteBuffer(capacity: 4_096)
        expect(SessionExport.write(session, into: &buffer), "a session without a scene's text")
        return buffer.array()
    }

    /// The record of a session in the store: one that is taken reads back as it is written.
    private static func judgeRecord(_ bytes: [UInt8]) {
        do throws(SessionDocumentError) {
            let record = try SavedSession(document: bytes)
            var buffer = ByteBuffer(capacity: 1_024)
            record.write(into: &buffer)
            let again = try? SavedSession(document: buffer.array())
            expect(again == record, "\(bytes.text) became \(buffer.text())")
        } catch {
            expectWords(error.description)
        }
    }
}
