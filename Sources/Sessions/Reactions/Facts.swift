package import Interactions
package import Notation

/// The values of what happened, for the placeholders of an action.
struct Facts: Hashable, Sendable, Codable {
    var from: ReportedValue?
    var to: ReportedValue?
    var item: ReportedValue?
    var row: ReportedValue?
    var index: ReportedValue?
    var kind: ReportedValue?
    var count: ReportedValue?
    var on: ReportedValue?
    var boundary: ReportedValue?
    var with: ReportedValue?
    var token: ReportedValue?
    var angle: ReportedValue?
    /// The value of a variable.
    var value: VariableValue?
    /// The table that a notification brought.
    var data: Node?
    /// The person whose contact led to it; nil: none did, or nobody knows.
    var user: ReportedValue?

    init() {}

    init(user: String?) { self.user = user.map { ReportedValue.text($0) } }

    init(kind: String, count: Int) {
        self.kind = .text(kind)
        self.count = .whole(count)
    }

    init(_ transition: Transition, of report: TransitionReport) {
        from = report.value(.from, of: transition)
        to = report.value(.to, of: transition)
        item = report.value(.item, of: transition)
        row = report.value(.row, of: transition)
        index = report.value(.index, of: transition)
        on = report.value(.on, of: transition)
        boundary = report.value(.boundary, of: transition)
        with = report.value(.with, of: transition)
        token = report.value(.token, of: transition)
        angle = report.value(.angle, of: transition)
    }

    /// The value of a placeholder; nil: it is not told.
    subscript(_ name: FactName) -> Node? {
        switch name.placeholder {
        case .from: from?.node
        case .to: to?.node
        case .item: item?.node
        case .row: row?.node
        case .index: index?.node
        case .kind: kind?.node
        case .count: count?.node
        case .on: on?.node
        case .boundary: boundary?.node
        case .with: with?.node
        case .token: token?.node
        case .angle: angle?.node
        case .value: value?.node
        case .data: name.path.reduce(data) { $0?[$1] }
        case .user: user?.node ?? Node(.string(""))
        }
    }

    /// Whether decoded facts could be any.
    var isSound: Bool {
        let names = [from, to, item, kind, boundary, with, user].allSatisfy {
            guard case .text(let text)? = $0 else { return true }
            return Name.isValid(text)
        }
        return names && value?.isSound != false
            && (data?.jsonBytes ?? 0) <= Limits.notificationDataBytesMax
    }
}

/// A value of what happened, as a text names it: `$item`, or `$data.order.number`.
package struct FactName: Hashable, Sendable {
    package var placeholder: Placeholder
    /// The members that lead into `$data`, the outermost first; empty for others.
    package var path: [String] = []

    /// Reads the name at the beginning of a text behind its `$`; nil: there is none.
    init?(beginning text: Substring, end: inout Substring.Index) {
        let letters = text.prefix { $0.isASCII && $0.isLowercase }
        guard let placeholder = Placeholder(rawValue: String(letters)) else { return nil }
        self.placeholder = placeholder
        end = letters.endIndex
        guard placeholder == .data else { return }
        while end < text.endIndex, text[end] == "." {
            let member = text[text.index(after: end)...].prefix { character in
                character.isASCII
                    && (character.isLetter || character.isNumber || character == "_"
                        || character == "-")
            }
            // A full stop at the end of a sentence.
            guard !member.isEmpty else { return }
            path.append(String(member))
            end = member.endIndex
        }
    }

    /// A text that is one name as a whole.
    package init?(_ text: String) {
        guard text.utf8.first == UInt8(ascii: "$") else { return nil }
        let rest = text.dropFirst()
        var end = rest.startIndex
        self.init(beginning: rest, end: &end)
        guard end == rest.endIndex else { return nil }
    }
}

extension Placeholder {
    /// The placeholder that a string is as a whole, `$item`.
    package init?(_ text: String) {
        guard let name = FactName(text) else { return nil }
        self = name.placeholder
    }
}

extension Node {
    /// Whether a string in it stands for what happened, or has a part that does.
    package var namesFacts: Bool { factCount > 0 }

    /// How many strings in it, and parts of strings, stand for what happened.
    package var factCount: Int {
        if let string { return string.factCount }
        return array?.reduce(0) { $0 + $1.factCount }
            ?? members?.reduce(0) { $0 + $1.value.factCount } ?? 0
    }

    /// The same with what happened in place of each name of it.
    func filled(_ facts: Facts) -> Node {
        switch value {
        case .null, .bool, .integer, .unsigned, .number: self
        case .string(let text):
            FactName(text).map { facts[$0] ?? Node(.null) } ?? Node(.string(text.filled(facts)))
        case .array(let elements): Node(.array(elements.map { $0.filled(facts) }))
        case .object(let members):
            Node(.object(members.map { Member($0.name, $0.value.filled(facts)) }))
        }
    }
}

extension String {
    /// 1 where it is a placeholder as a whole; else how often it names a notification's data.
    fileprivate var factCount: Int {
        guard utf8.contains(UInt8(ascii: "$")) else { return 0 }
        return FactName(self) != nil ? 1 : parts(between: "$data.").count - 1
    }

    /// The text with each `$data.member` in it filled in, with nothing where the data has no such
    /// member. Other placeholders are filled in only where they are the whole text.
    fileprivate func filled(_ facts: Facts) -> String {
        guard holds("$data.") else { return self }
        var (filled, rest) = ("", self[...])
        while let place = rest.firstIndex(of: "$") {
            filled += rest[..<place]
            let behind = rest[index(after: place)...]
            var end = behind.startIndex
            let name = FactName(beginning: behind, end: &end)
            if let name, !name.path.isEmpty {
                filled += facts[name]?.plainText ?? ""
                rest = behind[end...]
            } else {
                filled += "$"
                rest = behind
            }
        }
        return filled + rest
    }
}

extension Limits {
    /// Places in the arguments of a reaction's command that stand for what happened: each may take
    /// all of a notification's data.
    package static let factsMax = 64
    /// Bytes of these arguments, as JSON, once they are filled in: twice what they have before.
    package static let filledBytesMax = 16 * 1024
    /// Bytes of the data of a notification, as JSON: a few texts and numbers.
    package static let notificationDataBytesMax = 4 * 1024
}
