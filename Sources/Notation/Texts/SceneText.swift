/// A text as a scene gives it: a string, or a table of strings by language. Each string may be a
/// template, in which names of values stand between braces: `{score} points`.
package struct SceneText: Hashable, Sendable {
    /// A string, or an object of strings.
    package let node: Node

    package init(_ text: String) { node = Node(.string(text)) }

    /// Nil: it can be no text.
    package init?(_ node: Node) {
        guard node.isText else { return nil }
        self.node = node.withoutLines
    }

    private var strings: [String] {
        node.string.map { [$0] } ?? node.members?.compactMap(\.value.string) ?? []
    }

    /// Bytes of all its strings.
    package var byteCount: Int { strings.reduce(0) { $0 + $1.utf8.count } }

    /// Bytes of the longest of its strings.
    package var longestBytes: Int { strings.reduce(0) { max($0, $1.utf8.count) } }

    /// The text as it is shown.
    package func shown(_ context: TextContext?) -> String {
        guard let context else { return node.string ?? node.members?.first?.value.string ?? "" }
        return context.shown(node)
    }
}

extension SceneText: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self.init(text) }
}

extension SceneText: Codable {
    package init(from decoder: any Decoder) throws {
        guard let text = SceneText(try Node(from: decoder)) else {
            throw decoder.error("must be a text, or texts by language")
        }
        self = text
    }

    package func encode(to encoder: any Encoder) throws { try node.encode(to: encoder) }
}

extension Node {
    /// Whether it can be a text: a string, or strings by language.
    package var isText: Bool {
        if string != nil { return true }
        guard let members, !members.isEmpty, members.count <= Limits.languagesMax else {
            return false
        }
        return members.allSatisfy { $0.value.string != nil && $0.name.isLanguage }
    }

    /// Why it cannot be a text, where it is none: completes "key x: …".
    package var textFlaw: String {
        guard let members else { return "must be a string" }
        guard !members.isEmpty else {
            return "must have a string for a language at least, as { en = \"Welcome\" }"
        }
        guard members.count <= Limits.languagesMax else {
            return "must have at most \(Limits.languagesMax) languages, not \(members.count)"
        }
        if let stranger = members.first(where: { !$0.name.isLanguage }) {
            return "\"\(TableReader.shortened(stranger.name))\" is no name of a language, "
                + "such as en or pt-BR"
        }
        guard let other = members.first(where: { $0.value.string == nil }) else {
            return "must be strings by language"
        }
        return "\(other.name) must be a string, as each text by language"
    }

    /// Whether it is shown otherwise than it stands there: it has languages, or braces.
    package var isTextToFill: Bool {
        if let string { return string.utf8.contains { $0 == 0x7B || $0 == 0x7D } }
        return isText
    }

    /// Whether a text in it names one of these values; texts by language name `language`.
    package func hasText(naming isMeant: (String) -> Bool) -> Bool {
        if let array { return array.contains { $0.hasText(naming: isMeant) } }
        return members?.contains { member in
            guard Self.textKeys.contains(member.name), member.value.isText else {
                return member.value.hasText(naming: isMeant)
            }
            return member.value.isText(naming: isMeant)
        } ?? false
    }

    private func isText(naming isMeant: (String) -> Bool) -> Bool {
        guard let string else {
            return isMeant("language")
                || members?.contains { $0.value.isText(naming: isMeant) } ?? false
        }
        guard isTextToFill, let parts = try? TextTemplate.parts(of: string) else { return false }
        return parts.contains { part in
            if case .field(let name, _) = part { return isMeant(name) }
            return false
        }
    }

    /// The keys whose values are texts, in content and in parameters.
    package static let textKeys: Set<String> = ["text", "detail", "title", "summary", "label"]

    /// The same with each text in it as it is shown, as long as `bytesLeft` is above 0; texts
    /// behind that are not filled in.
    package func withTexts(_ context: TextContext, _ bytesLeft: inout Int) -> Node {
        switch value {
        case .null, .bool, .integer, .unsigned, .number, .string: return self
        case .array(let elements):
            var shown: [Node] = []
            shown.reserveCapacity(elements.count)
            for element in elements { shown.append(element.withTexts(context, &bytesLeft)) }
            return Node(.array(shown))
        case .object(let members):
            var shown: [Member] = []
            shown.reserveCapacity(members.count)
            for member in members {
                guard Self.textKeys.contains(member.name), member.value.isText else {
                    let value = member.value.withTexts(context, &bytesLeft)
                    shown.append(Member(member.name, value))
                    continue
                }
                let text = bytesLeft > 0 ? context.shown(member.value) : context.plain(member.value)
                if member.value.isTextToFill { bytesLeft -= text.utf8.count }
                shown.append(Member(member.name, Node(.string(text))))
            }
            return Node(.object(shown))
        }
    }

    /// A table in which the lists at these keys are texts, with each of them as it is shown.
    package func withTextLists(
        at keys: [String], _ context: TextContext, _ bytesLeft: inout Int
    ) -> Node {
        guard !keys.isEmpty, let members else { return self }
        var shown: [Member] = []
        for member in members {
            guard keys.contains(member.name), let texts = member.value.array,
                texts.allSatisfy(\.isText)
            else {
                shown.append(member)
                continue
            }
            let strings = texts.map { text in
                let string = bytesLeft > 0 ? context.shown(text) : context.plain(text)
                if text.isTextToFill { bytesLeft -= string.utf8.count }
                return Node(.string(string))
            }
            shown.append(Member(member.name, Node(.array(strings))))
        }
        return Node(.object(shown))
    }
}

extension String {
    /// Whether it could name a language, as `en` or `pt-BR`.
    package var isLanguage: Bool {
        (2...16).contains(utf8.count)
            && utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }
}

/// The values that texts of a session name, and its language. It is an object so that the states of
/// sessions without such texts pay nothing for it.
package final class TextContext: Sendable {
    /// By name, as `score` or `count.likes`; what is absent has no value.
    package let values: @Sendable (String) -> TextValue?
    package let language: String
    /// The language where a text has none of that.
    package let fallback: String

    package init(
        language: String, fallback: String, values: @escaping @Sendable (String) -> TextValue?
    ) {
        self.values = values
        self.language = language
        self.fallback = fallback
    }

    /// A text, or texts by language, as it is shown.
    package func shown(_ node: Node) -> String { TextTemplate.filled(plain(node), values) }

    /// The text in the language that is chosen, without values.
    func plain(_ node: Node) -> String {
        if let text = node.string { return text }
        let chosen = node[language]?.string ?? node[fallback]?.string
        return chosen ?? node.members?.first?.value.string ?? ""
    }
}

extension Limits {
    /// Bytes of the texts with values that one message tells: twice the content of a scene. Texts
    /// behind them are told as they are written.
    package static let shownTextsBytesMax = 512 * 1024
    /// Languages of one text.
    package static let languagesMax = 32
}
