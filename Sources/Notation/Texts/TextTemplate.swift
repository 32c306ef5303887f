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

    private static let opening = UInt8(ascii: "{")
    private static let closing = UInt8(ascii: "}")

    /// The parts of a text.
    package static func parts(of text: String) throws(Fault) -> [Part] {
        try parts(of: text) { (fault, _) throws(Fault) in throw fault }
    }

    /// The parts of a text as far as they can be read, and all that is wrong with it.
    package static func survey(of text: String) -> (parts: [Part], faults: [Fault]) {
        var faults: [Fault] = []
        let parts = parts(of: text) { fault, mayFollow in
            if !mayFollow, !faults.contains(fault) { faults.append(fault) }
        }
        return (parts, faults)
    }

    /// Braces are found by their bytes, which takes a hundredth of the time that letters would.
    /// `note` gets each fault, and whether it may follow from a brace that is wrong before it.
    private static func parts<Failure>(
        of text: String, noting note: (_ fault: Fault, _ mayFollow: Bool) throws(Failure) -> Void
    ) throws(Failure) -> [Part] {
        let bytes = text.utf8
        var parts: [Part] = []
        var literal = ""
        var areBracesWrong = false
        // Up to here it is taken.
        var start = bytes.startIndex
        while let place = bytes[start...].firstIndex(where: { $0 == opening || $0 == closing }) {
            let brace = bytes[place]
            let next = bytes.index(after: place)
            if next < bytes.endIndex, bytes[next] == brace {
                literal += text[start..<next]
                start = bytes.index(after: next)
                continue
            }
            guard brace == opening else {
                try note(
                    Fault(message: "has a } without a {: write }} for a brace"), areBracesWrong)
                areBracesWrong = true
                literal += text[start..<next]
                start = next
                continue
            }
            guard let end = bytes[next...].firstIndex(of: closing) else {
                try note(
                    Fault(message: "has a { without a }: write {{ for a brace"), areBracesWrong)
                break
            }
            literal += text[start..<place]
            if !literal.isEmpty { parts.append(.literal(literal)) }
            literal = ""
            if bytes[next..<end].contains(opening) { areBracesWrong = true }
            if let field = try field(text[next..<end], noting: note) { parts.append(field) }
            guard parts.count <= Limits.templatePartsMax else {
                try note(
                    Fault(
                        message: "has more than \(Limits.templatePartsMax) names and texts between"
                    ), false)
                return parts
            }
            start = bytes.index(after: end)
        }
        literal += text[start...]
        if !literal.isEmpty { parts.append(.literal(literal)) }
        return parts
    }

    /// Nil: it names no value, which is noted.
    private static func field<Failure>(
        _ text: Substring, noting note: (_ fault: Fault, _ mayFollow: Bool) throws(Failure) -> Void
    ) throws(Failure) -> Part? {
        let colon = text.firstIndex(of: ":") ?? text.endIndex
        let name = String(text[..<colon])
        guard !name.isEmpty else {
            try note(
                Fault(message: "names no value between its braces: write {{}} for braces"), false)
            return nil
        }
        guard colon < text.endIndex else { return .field(name: name, nil) }
        let written = String(text[text.index(after: colon)...])
        guard let format = NumberFormat(written) else {
            try note(
                Fault(
                    message: "has a format \"\(TableReader.shortened(written))\" that is none; "
                        + "formats are as 03, .2f, +d, 8, >8, ,d or .0%"), false)
            return .field(name: name, nil)
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

    /// The beginning of a text, with a mark that it goes on. Letters are told apart near its end
    /// alone: to do so takes long.
    private static func cut(_ text: String) -> String {
        let bytes = text.utf8
        let last = Limits.shownTextBytesMax - 3
        var end = bytes.index(bytes.startIndex, offsetBy: last - 128)
        while bytes[end] & 0xC0 == 0x80 { end = bytes.index(before: end) }
        var count = bytes.distance(from: bytes.startIndex, to: end)
        while end < text.endIndex {
            let next = text.index(after: end)
            count += bytes.distance(from: end, to: next)
            if count > last { break }
            end = next
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
