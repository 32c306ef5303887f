import Interactions
import Notation
import Protocol

/// The members of one request, read and checked as its operation asks for them.
///
/// The `body` of a publish is not read here: it is found in the text and left as it came, so that
/// the decoder of the session's lane is the only one that reads it.
struct RequestFields {
    /// The whole request, without the `body` of a publish.
    let tree: Node
    /// The bytes of the request.
    let text: [UInt8]
    /// Where `body` stands in the text, if it was left unread.
    private let unreadBody: Range<Int>?

    init(_ text: [UInt8]) throws(Rejection) {
        self.text = text
        guard let body = MemberScan.value(of: "body", in: text) else {
            tree = try Self.object(text)
            unreadBody = nil
            return
        }
        var rest: [UInt8] = []
        rest.reserveCapacity(text.count - body.count + 4)
        rest += text[..<body.lowerBound]
        rest += "null".utf8
        rest += text[body.upperBound...]
        let tree = try Self.object(rest)
        if tree["op"]?.string == PublishRequest.operation {
            self.tree = tree
            unreadBody = body
        } else {
            self.tree = try Self.object(text)
            unreadBody = nil
        }
    }

    private static func object(_ text: [UInt8]) throws(Rejection) -> Node {
        do throws(DocumentError) {
            let node = try Document.json(text)
            if node.members != nil { return node }
        } catch {
            throw Rejection(.badJSON, error.message)
        }
        throw Rejection(.badJSON, "a request is one JSON object")
    }

    /// The request's own `id`, which the reply carries back; it waits with the reply, so it is
    /// bounded.
    func id() throws(Rejection) -> Node? {
        guard let id = tree["id"] else { return nil }
        // The usual one is surely short, and need not be written to be measured.
        if case .integer = id.value { return id }
        guard id.json().count <= Limits.requestIdBytesMax else {
            throw Rejection(
                .badValue, "id must have at most \(Limits.requestIdBytesMax) bytes")
        }
        guard !id.hasHugeNumber else {
            throw Rejection(.badValue, "a whole number in id must be from -2^63 to 2^64 - 1")
        }
        return id
    }

    subscript(_ name: String) -> Node? { tree[name] }

    func string(_ name: String) throws(Rejection) -> String {
        guard let node = tree[name] else {
            throw Rejection(.missingField, "the request needs \(name)")
        }
        guard let text = node.string else {
            throw Rejection(.badValue, "\(name) must be a string")
        }
        return text
    }

    /// Nil where it is absent.
    func bool(_ name: String) throws(Rejection) -> Bool? {
        guard let node = tree[name] else { return nil }
        guard let truth = node.bool else {
            throw Rejection(.badValue, "\(name) must be true or false")
        }
        return truth
    }

    /// A number of points.
    func coordinate(_ name: String) throws(Rejection) -> Double {
        guard let node = tree[name] else {
            throw Rejection(.missingField, "the request needs \(name)")
        }
        guard let number = node.double, NumberRange.coordinate.contains(number) else {
            throw Rejection(
                .badValue, "\(name) must be a number \(NumberRange.coordinate.rule)")
        }
        return number
    }

    /// `session`, a valid name.
    func session() throws(Rejection) -> String {
        let session = try string("session")
        guard Name.isValid(session) else {
            throw Rejection(
                .badValue, "session must be 1 to \(Name.bytesMax) bytes of A-Z a-z 0-9 . _ ~ -")
        }
        return session
    }

    /// The bytes of a publish's `body`, as they came; nil where there is none.
    var body: ArraySlice<UInt8>? { unreadBody.map { text[$0] } }
}

extension Node {
    /// Whether it holds a number that would not come back as it was: digits beyond 64 bits.
    fileprivate var hasHugeNumber: Bool {
        if let elements = array { return elements.contains { $0.hasHugeNumber } }
        if let members { return members.contains { $0.value.hasHugeNumber } }
        if case .number(let number) = value { return number >= 0x1p64 || number <= -0x1p63 }
        return false
    }
}
