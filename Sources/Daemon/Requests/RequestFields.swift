import Interactions
import Notation
import Protocol

/// The members of one request, read and checked as its operation asks for them.
///
/// The `body` of a publish is not read here: it is found in the text and left as it came, so that
/// the decoder of the session's lane is the only one that reads it. Members that are long are left
/// as they came, too: the reactor reads this, and everybody waits for it meanwhile.
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
        if text.count > Limits.longMemberBytesMin, let long = try Self.longMembers(in: text) {
            tree = try Self.object(Self.text(text, with: long.cuts))
            guard Document.isJSON(text) else {
                throw Rejection(.badJSON, "the request is not JSON")
            }
            let isPublish = tree["op"]?.string == PublishRequest.operation
            unread = long.values
            unreadBody =
                isPublish ? unread["body"] ?? RequestMembers.value(of: "body", in: text) : nil
            return
        }
        guard let body = RequestMembers.value(of: "body", in: text) else {
            tree = try Self.object(text)
            unreadBody = nil
            return
        }
        let tree = try Self.object(Self.text(text, with: [(body, "null")]))
        if tree["op"]?.string == PublishRequest.operation {
            self.tree = tree
            unreadBody = body
        } else {
            self.tree = try Self.object(text)
            unreadBody = nil
        }
    }

    /// The parts of a long request that are left unread.
    private struct LongMembers {
        /// Where values stand, by the names of their members.
        var values: [String: Range<Int>] = [:]
        /// The parts of the text that are left out, in their order, and what stands for each.
        var cuts: [(part: Range<Int>, text: String)] = []
    }

    /// The members of a long request that are long themselves; nil: none is. Throws where a name is
    /// there twice: all of the request had to be read.
    private static func longMembers(in text: [UInt8]) throws(Rejection) -> LongMembers? {
        let max = Limits.requestMembersMax
        guard let members = RequestMembers.all(in: text, atMost: max + 1) else { return nil }
        guard members.count <= max else {
            throw Rejection(.badValue, "a request has at most \(max) members")
        }
        var long = LongMembers()
        var names: Set<String> = []
        for member in members {
            let isLong = member.value.count >= Limits.longMemberBytesMin
            if member.name.count > (member.hasEscape ? 6 : 1) * Limits.memberNameBytesMax {
                // Nothing asks for it. Swift would bring it into its normal form to tell it from
                // the others, which takes a tenth of a second for a MB.
                long.cuts.append((member.name, ""))
            } else {
                // No JSON at all: the whole is read, and refused.
                guard let name = RequestMembers.name(of: member, in: text) else { return nil }
                guard names.insert(name).inserted else {
                    throw Rejection(
                        .badValue,
                        "a request of more than \(Limits.longMemberBytesMin) bytes has each name "
                            + "once")
                }
                if isLong { long.values[name] = member.value }
            }
            if isLong { long.cuts.append((member.value, "null")) }
        }
        return long.cuts.isEmpty ? nil : long
    }

    /// The text with something shorter for each of these parts.
    private static func text(
        _ text: [UInt8], with cuts: [(part: Range<Int>, text: String)]
    ) -> [UInt8] {
        var rest: [UInt8] = []
        var end = 0
        for cut in cuts {
            rest += text[end..<cut.part.lowerBound]
            rest += cut.text.utf8
            end = cut.part.upperBound
        }
        return rest + text[end...]
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

    /// The id of a request of which only the beginning is there; nil where it is not found.
    static func id(inBeginning text: [UInt8]) -> Node? {
        guard let range = RequestMembers.value(of: "id", inBeginning: text),
            let list = try? Document.json([UInt8(ascii: "[")] + text[range] + [UInt8(ascii: "]")])
        else { return nil }
        return list.array?.first
    }

    subscript(_ name: String) -> Node? { tree[name] }

    func string(_ name: String) throws(Rejection) -> String {
        guard let node = tree[name] else {
            throw .absent(name)
        }
        guard let text = node.string else {
            throw .wrong(name, "must be a string")
        }
        return text
    }

    /// Nil where it is absent.
    func bool(_ name: String) throws(Rejection) -> Bool? {
        guard let node = tree[name] else { return nil }
        guard let truth = node.bool else {
            throw .wrong(name, "must be true or false")
        }
        return truth
    }

    /// A number of points.
    func coordinate(_ name: String) throws(Rejection) -> Double {
        guard let node = tree[name] else {
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
        return tree[name].map { .read($0) }
    }

    /// The bytes of a publish's `body`, as they came; nil where there is none.
    var body: ArraySlice<UInt8>? { unreadBody.map { text[$0] } }
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
    /// it: an operation's longest has twelve.
    static let memberNameBytesMax = 64
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
