import Commands
import GesturedClient
import Notation
import Protocol

/// A person's own line for each update: `%T %s %{views.item.x}`.
///
/// Signs and letters follow mosquitto_sub and kcat where these agree.
struct UpdateTemplate {
    /// Letters of a template.
    static let lettersMax = 4_096
    /// Cells of one value with its padding.
    static let widthMax = 500

    private enum Value: Equatable {
        case letter(Character)
        /// A field of the body.
        case path(String)
    }

    private enum Part: Equatable {
        case text(String)
        /// `width` below 0: to the left. `decimals` of numbers, or letters of texts.
        case value(Value, width: Int, decimals: Int?)
    }

    /// The letters, each with what it stands for.
    static let letters: [(letter: Character, meaning: String)] = [
        ("t", "topic"), ("k", "the topic's kind, as state"), ("s", "session"), ("c", "component"),
        ("b", "body, as JSON"), ("l", "body, as text"), ("n", "number (seq)"), ("e", "epoch"),
        ("T", "its instant, as ISO 8601"), ("U", "the same in seconds since 1970"),
        ("R", "when it was received"), ("D", "milliseconds from its instant until then"),
    ]

    private var parts: [Part] = []

    init(_ text: String) throws(Failure) {
        guard text.count <= Self.lettersMax else {
            throw .usage("--format: longer than \(Self.lettersMax) letters")
        }
        var rest = Substring(text)
        var literal = ""
        while let letter = rest.popFirst() {
            if letter == "\\", let escape = rest.first, let sign = Self.escapes[escape] {
                rest.removeFirst()
                literal += sign
            } else if letter != "%" {
                literal.append(letter)
            } else if rest.first == "%" {
                rest.removeFirst()
                literal += "%"
            } else {
                if !literal.isEmpty { parts.append(.text(literal)) }
                literal = ""
                parts.append(try Self.value(&rest))
            }
        }
        if !literal.isEmpty { parts.append(.text(literal)) }
    }

    private static let escapes: [Character: String] = ["n": "\n", "t": "\t", "\\": "\\"]

    /// Reads the part behind a percent sign: `-20t`, `8.2{views.item.x}`.
    private static func value(_ rest: inout Substring) throws(Failure) -> Part {
        let isLeft = rest.first == "-"
        if isLeft { rest.removeFirst() }
        let width = try number(&rest) ?? 0
        var decimals: Int?
        if rest.first == "." {
            rest.removeFirst()
            decimals = try number(&rest) ?? 0
        }
        guard let letter = rest.popFirst() else {
            throw .usage("--format ends behind a %; %% is the sign itself")
        }
        let value: Value
        if letter == "{" {
            guard let end = rest.firstIndex(of: "}") else {
                throw .usage("--format: no } behind %{\(rest)")
            }
            value = .path(String(rest[..<end]))
            rest = rest[rest.index(after: end)...]
        } else {
            guard letters.contains(where: { $0.letter == letter }) else {
                let known = letters.map { "%\($0.letter)" }.joined(separator: " ")
                throw .usage("--format: %\(letter) means nothing; there are \(known) %{FIELD} %%")
            }
            value = .letter(letter)
        }
        return .value(value, width: isLeft ? -width : width, decimals: decimals)
    }

    private static func number(_ rest: inout Substring) throws(Failure) -> Int? {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        if digits.isEmpty { return nil }
        rest = rest.dropFirst(digits.count)
        guard let number = Int(digits), number <= widthMax else {
            throw .usage("--format: at most \(widthMax) cells, not \(digits)")
        }
        return number
    }

    // MARK: Lines

    func line(_ update: ReceivedUpdate, received: WallTime) -> ShownText {
        parts.map { part in
            switch part {
            // Line ends and tabs are this person's own, other controls are shown by number.
            case .text(let text): ShownText(template: text)
            case .value(let value, let width, let decimals):
                Self.padded(Self.text(value, update, received, decimals), width)
            }
        }.joined()
    }

    private static func padded(_ text: ShownText, _ width: Int) -> ShownText {
        let blanks = ShownText(
            String(repeating: " ", count: max(0, Int(width.magnitude) - text.text.count)))
        return width < 0 ? text + blanks : blanks + text
    }

    private static func text(
        _ value: Value, _ update: ReceivedUpdate, _ received: WallTime, _ decimals: Int?
    ) -> ShownText {
        let parts = update.topic.split(separator: "/", omittingEmptySubsequences: false)
        switch value {
        case .path(let path): return shown(field(path, of: update.content), decimals)
        case .letter("t"): return cut(update.topic, decimals)
        case .letter("k"): return ShownText(String(parts[0]))
        case .letter("s"): return ShownText(parts.count > 1 ? String(parts[1]) : "")
        case .letter("c"): return ShownText(parts.count > 2 ? String(parts[2]) : "")
        case .letter("b"):
            return cut(String(decoding: ShownJSON(update.body).bytes, as: UTF8.self), decimals)
        case .letter("l"): return readableTexts(update).joined(separator: "  ")
        case .letter("n"): return "\(update.sequence)"
        case .letter("e"): return ShownText(update.epoch)
        case .letter("T"): return ShownText(WallTime(milliseconds: update.time).iso)
        case .letter("U"): return ShownText(fixed(update.time / 1_000, decimals ?? 3))
        case .letter("R"): return ShownText(received.iso)
        case .letter("D"):
            return ShownText(fixed(received.milliseconds - update.time, decimals ?? 3))
        case .letter: return ""
        }
    }

    private static func cut(_ text: String, _ letters: Int?) -> ShownText {
        ShownText(letters.map { String(text.prefix($0)) } ?? text)
    }

    private static func shown(_ node: Node?, _ decimals: Int?) -> ShownText {
        guard let node, !node.isNull else { return "" }
        if let decimals, let number = node.double { return ShownText(fixed(number, decimals)) }
        return cut(node.string ?? String(decoding: node.json(), as: UTF8.self), decimals)
    }

    /// A field by its path, such as `views.item.x` or `counts.likes`; a number in it is a place.
    private static func field(_ path: String, of content: Node) -> Node? {
        var node: Node? = content
        for part in path.split(separator: ".") {
            node =
                Int(part).flatMap { index in
                    node?.array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
                } ?? node?[String(part)]
        }
        return node
    }

    /// A number with exactly so many decimals.
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        let decimals = min(decimals, 9)
        let text = short(value, decimals: decimals)
        guard decimals > 0,
            text.contains(where: { $0 != "-" && $0 != "." && !$0.isNumber }) == false
        else { return text }
        let fraction =
            text.split(separator: ".").count > 1 ? text.split(separator: ".")[1].count : 0
        return text + (fraction == 0 ? "." : "")
            + String(repeating: "0", count: decimals - fraction)
    }
}
