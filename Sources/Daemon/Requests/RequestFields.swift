import Interactions
import Notation
import Protocol

/// The members of one request, read and checked as its operation asks for them.
///
/// The `body` of a publish is not read here: it is found in the text and left as it came, so that
/// the decoder of the session's lane is the only one that reads it. In a long request, members that
/// are long are left as they came, too, and those that no operation asks for: the reactor reads
/// this, and everybody waits for it meanwhile.
struct RequestFields {
    /// The whole request, without what was left unread.
    let tree: Node
    /// The bytes of the request.
    let text: [UInt8]
    /// Where `body` stands in the text, if it was left unread.
    private let unreadBody: Range<Int>?
    /// Where other members stand that were left unread, by their names.
    private var unread: [String: Range<Int>] = [:]

    init(_ text: [UInt8]) throws(Rejection) {
        self.text = text
        if text.count > Limits.longMemberBytesMin, let short = try ShortRequest(of: text) {
            tree = try Self.object(short.text)
            guard Document.isJSON(text) else {
                throw Rejection(.badJSON, "the request is not JSON")
            }
            unread = short.unread
            unreadBody = tree["op"]?.string == PublishRequest.operation ? short.body : nil
            return
        }
        guard let body = RequestMembers.value(of: "body", in: text) else {
            tree = try Self.object(text)
            unreadBody = nil
            return
        }
        let rest = text[..<body.lowerBound] + Array("null".utf8) + text[body.upperBound...]
        let tree = try Self.object(Array(rest))
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
            let node = try Document.json(text, valuesMax: Limits.requestValuesMax)
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
        if unread["id"] != nil {
            throw .wrong(
                "id", "must have at most \(Limits.requestIdBytesMax) bytes")
        }
        // The usual one is surely short, and need not be written to be measured.
        if case .integer = id.value { return id }
        guard id.json().count <= Limits.requestIdBytesMax else {
            throw .wrong(
                "id", "must have at most \(Limits.requestIdBytesMax) bytes")
        }
        guard !id.hasHugeNumber else {
            throw .wrong("id", "a whole number in it must be from -2^63 to 2^64 - 1")
        }
        return id
    }

    /// The id of a request of which only the beginning is there; nil where it is not found, or is
    /// none that a reply may carry.
    static func id(inBeginning text: [UInt8]) -> Node? {
        guard let range = RequestMembers.value(of: "id", inBeginning: text),
            range.count <= Limits.requestIdBytesMax,
            let list = try? Document.json([UInt8(ascii: "[")] + text[range] + [UInt8(ascii: "]")]),
            let id = list.array?.first, !id.hasHugeNumber
        else { return nil }
        return id
    }

    /// The members that any operation reads. A long request's other members are not read.
    static let names: Set<String> = [
        "op", "id", "session", "topic", "body", "scene", "document", "describe", "detail",
        "replace", "x", "y", "after", "limit", "only",
    ]

    subscript(_ name: String) -> Node? {
        assert(Self.names.contains(name), "\(name) is missing in the names")
        return tree[name]
    }

    func string(_ name: String) throws(Rejection) -> String {
        guard let node = self[name] else {
            throw .absent(name)
        }
        guard let text = node.string else {
            throw .wrong(name, "must be a string")
        }
        return text
    }

    /// Nil where it is absent.
    func bool(_ name: String) throws(Rejection) -> Bool? {
        guard let node = self[name] else { return nil }
        guard let truth = node.bool else {
            throw .wrong(name, "must be true or false")
        }
        return truth
    }

    /// A number of points.
    func coordinate(_ name: String) throws(Rejection) -> Double {
        guard let node = self[name] else {
            throw .absent(name)
        }
        guard let number = node.double, NumberRange.coordinate.contains(number) else {
            throw .wrong(name, "must be a number \(NumberRange.coordinate.rule)")
        }
        return number
    }

    /// `session`, a valid name. One that an earlier version stored under `-` may be closed.
    func session(mayBeFormer: Bool = false) throws(Rejection) -> String {
        let session = try string("session")
        guard mayBeFormer ? Name.isValid(session) : Name.isValidSession(session) else {
            throw .wrong("session", "must be \(Name.sessionRule)")
        }
        return session
    }

    /// A member that may be long, to be read where there is time; nil where it is absent.
    func document(_ name: String) -> RequestDocument? {
        if let range = unread[name] { return .unread(Array(text[range])) }
        return self[name].map { .read($0) }
    }

    /// Whether a member is there, and too long to be read here.
    func isUnread(_ name: String) -> Bool { unread[name] != nil }

    /// The bytes of a publish's `body`, as they came; nil where there is none.
    var body: ArraySlice<UInt8>? { unreadBody.map { text[$0] } }
}

/// The part of a long request that the reactor reads. It does not check that the rest is JSON.
private struct ShortRequest {
    /// An object of the members that are short; in the place of long ones stands `null`.
    var text = Array("{".utf8)
    /// Where the long values stand in the request, by the names of their members.
    var unread: [String: Range<Int>] = [:]
    /// Where the value of `body` stands; nil: there is none.
    var body: Range<Int>?

    /// Nil where the request is no object. Throws where a name that is asked for is there twice:
    /// all of the request had to be read.
    init?(of request: [UInt8]) throws(Rejection) {
        let max = Limits.requestMembersMax
        guard let members = RequestMembers.all(in: request, atMost: max + 1) else { return nil }
        guard members.count <= max else {
            throw Rejection(.badValue, "a request has at most \(max) members")
        }
        var names: Set<String> = []
        for member in members {
            guard let name = Self.name(of: member, in: request) else { continue }
            guard names.insert(name).inserted else {
                throw Rejection(
                    .badValue,
                    "a request of more than \(Limits.longMemberBytesMin) bytes has each name once")
            }
            if names.count > 1 { text.append(UInt8(ascii: ",")) }
            text += "\"\(name)\":".utf8
            if name == "body" { body = member.value }
            if member.value.count >= Limits.longMemberBytesMin {
                unread[name] = member.value
                text += "null".utf8
            } else {
                text += request[member.value]
            }
        }
        text.append(UInt8(ascii: "}"))
    }

    /// The name of a member that an operation asks for; nil: none asks for it.
    private static func name(of member: JSONScanner.Member, in request: [UInt8]) -> String? {
        // Swift takes a tenth of a second to bring a name of a MB into its normal form.
        guard member.name.count <= (member.hasEscape ? 6 : 1) * Limits.memberNameBytesMax,
            let name = RequestMembers.name(of: member, in: request),
            RequestFields.names.contains(name)
        else { return nil }
        return name
    }
}

/// A member of a request that may be long.
enum RequestDocument: Sendable {
    case read(Node)
    /// The text as it came.
    case unread([UInt8])

    func node() throws(Rejection) -> Node {
        switch self {
        case .read(let node): return node
        case .unread(let bytes):
            do throws(DocumentError) {
                return try Document.json(bytes, valuesMax: Limits.documentValuesMax)
            } catch {
                throw Rejection(.badJSON, error.message)
            }
        }
    }
}

extension Limits {
    /// Bytes of a member of a request from which on the reactor leaves it unread.
    static let longMemberBytesMin = 4 * 1024
    /// Values of a document in a request: one for each eight bytes of the largest. A lane reads so
    /// many in some twenty milliseconds.
    static let documentValuesMax = 131_072
    /// Values of a request that the reactor reads itself: as many as a member has room for that it
    /// does not leave unread, and some more. It reads so many in some two milliseconds.
    static let requestValuesMax = 2_560
    /// Members of a request: no operation has more than ten.
    static let requestMembersMax = 256
    /// Bytes of the name of a member of a long request from which on the reactor does not look at
    /// it: no operation asks for a longer one.
    static let memberNameBytesMax = 8
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
