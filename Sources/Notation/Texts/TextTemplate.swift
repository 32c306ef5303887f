/// A value that a template names.
package enum TextValue: Hashable, Sendable {
    case number(Double)
    case text(String)
    case truth(Bool)

    /// As it is written where a template asks for no format.
    package var plain: String {
        switch self {
        case .number(let number): Int(exactly: number)?.description ?? number.description
        case .text(let text): text
        case .truth(let truth): truth ? "true" : "false"
        }
    }
}

/// Texts with the names of values between braces, as Python's format strings: `{price:.2f}`, and
/// `{{` for a brace.
package enum TextTemplate {
    /// A part of a template.
    package enum Part: Hashable, Sendable {
        case literal(String)
        /// A value by its name, and its format; nil: as it is written.
        case field(name: String, NumberFormat?)
    }

    /// Why a text is no template: it completes "the text …".
    package struct Fault: Error, Hashable, Sendable {
        package var message: String
    }

    /// The parts of a text.
    package static func parts(of text: String) throws(Fault) -> [Part] {
        var parts: [Part] = []
        var literal = ""
        var rest = text[...]
        while let place = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            literal += rest[..<place]
            let brace = rest[place]
            rest = rest[rest.index(after: place)...]
            if rest.first == brace {
                literal.append(brace)
                rest = rest.dropFirst()
                continue
            }
            guard brace == "{" else {
                throw Fault(message: "has a } without a {: write }} for a brace")
            }
            guard let end = rest.firstIndex(of: "}") else {
                throw Fault(message: "has a { without a }: write {{ for a brace")
            }
            if !literal.isEmpty { parts.append(.literal(literal)) }
            literal = ""
            parts.append(try field(rest[..<end]))
            guard parts.count <= Limits.templatePartsMax else {
                throw Fault(message: "names more than \(Limits.templatePartsMax / 2) values")
            }
            rest = rest[rest.index(after: end)...]
        }
        literal += rest
        if !literal.isEmpty { parts.append(.literal(literal)) }
        return parts
    }

    private static func field(_ text: Substring) throws(Fault) -> Part {
        let colon = text.firstIndex(of: ":") ?? text.endIndex
        let name = String(text[..<colon])
        guard !name.isEmpty else {
            throw Fault(message: "names no value between its braces: write {{}} for braces")
        }
        guard colon < text.endIndex else { return .field(name: name, nil) }
        let written = String(text[text.index(after: colon)...])
        guard let format = NumberFormat(written) else {
            throw Fault(
                message: "has a format \"\(TableReader.shortened(written))\" that is none; formats "
                    + "are as 03, .2f, +d, 8, >8, ,d or .0%")
        }
        return .field(name: name, format)
    }

    /// The text with a value in place of each name. Names without a value stay as they stand, and
    /// so does all of a text that is no template. It ends at the bound of a shown text.
    package static func filled(_ text: String, _ value: (String) -> TextValue?) -> String {
        guard text.utf8.contains(where: { $0 == 0x7B || $0 == 0x7D }),
            let parts = try? parts(of: text)
        else { return text }
        var filled = ""
        for part in parts {
            switch part {
            case .literal(let literal): filled += literal
            case .field(let name, let format):
                guard let value = value(name) else {
                    filled += "{\(name)}"
                    continue
                }
                filled += format?.text(of: value) ?? value.plain
            }
            if filled.utf8.count > Limits.shownTextBytesMax {
                return cut(filled)
            }
        }
        return filled
    }

    /// The beginning of a text, with a mark that it goes on.
    private static func cut(_ text: String) -> String {
        var (count, end) = (0, text.startIndex)
        while end < text.endIndex {
            count += text[end].utf8.count
            if count > Limits.shownTextBytesMax - 3 { break }
            end = text.index(after: end)
        }
        return text[..<end] + "…"
    }
}

extension Limits {
    /// Parts of a template: 64 names with texts between.
    package static let templatePartsMax = 128
    /// Bytes of a text as it is shown, once its template is filled in. A longer one is cut, and
    /// ends with an ellipsis.
    package static let shownTextBytesMax = 16 * 1024
}
