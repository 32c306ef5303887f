import Interactions
import Notation
import Protocol

@testable import Daemon

extension Target {
    /// A request's parts say what its text says.
    static let request = Target(name: "request") { bytes in
        do throws(Rejection) {
            let fields = try RequestFields(bytes)
            if let publish = unsafe bytes.withUnsafeBytes({ unsafe PlainPublish($0) }) {
                judge(publish, as: fields, bytes)
            }
            if let id = try fields.id() {
                expect((try? Document.json(id.json())) == id, "an id that comes back as another")
            }
            if let body = fields.body { judge(Array(body), of: fields, bytes) }
            let operation = try fields.string("op")
            for type in ControlRequests.all where type.operation == operation {
                _ = try type.init(fields)
            }
        } catch {
            expectWords(error.message)
            guard error.code == .badJSON else { return }
            let isPlain = unsafe bytes.withUnsafeBytes { unsafe PlainPublish($0) != nil }
            expect(!isPlain, "\(bytes.text) is refused, and is a plain publish")
            let tree = try? Document.json(bytes, valuesMax: Limits.requestValuesMax)
            expect(tree?.members == nil, "\(bytes.text) is refused: \(error.message)")
        }
    }

    /// A publish that was read plainly says what all members say.
    private static func judge(
        _ publish: PlainPublish, as fields: RequestFields, _ bytes: [UInt8]
    ) {
        let isSame =
            fields["op"]?.string == PublishRequest.operation
            && fields["topic"]?.string.map { Array($0.utf8) } == Array(bytes[publish.topic])
            && fields.body == bytes[publish.body] && fields["id"] == publish.id
        expect(isSame, "\(bytes.text) is read as another publish")
    }

    /// A body that was found in the text is the one that the text has.
    private static func judge(_ body: [UInt8], of fields: RequestFields, _ bytes: [UInt8]) {
        guard let whole = try? Document.json(bytes), let member = whole["body"] else {
            expect((try? Document.json(body)) == nil, "\(bytes.text) is no JSON for itself alone")
            return
        }
        // A list, because numbers alone are read in another way.
        let list = try? Document.json(Array("[".utf8) + body + Array("]".utf8))
        expect(list?.array == [member], "\(body.text) is not the body of \(bytes.text)")
        expect(fields["op"] == whole["op"], "another operation than in \(bytes.text)")
    }
}
