import CPictures
import Geometry

extension Color {
    /// Bytes of a color's text; longer texts are no colors.
    private static let textBytesMax = 64
    /// Names that pango has beyond those of CSS.
    private static let foreignNames: Set = [
        "lightgoldenrod", "lightslateblue", "navyblue", "violetred",
    ]

    /// A color as CSS writes it, such as `#ff8000`, `tomato`, `rgb(255 128 0 / 50%)` or
    /// `hsl(30deg 100% 50%)`; nil for any other text.
    package init?(css text: String) {
        guard text.utf8.count <= Self.textBytesMax else { return nil }
        // Letters are the same in any case.
        let bytes = text.utf8.map { ColorText.isCapital($0) ? $0 | 0x20 : $0 }
        let word = ColorText.trimmed(bytes[...])
        if word.first == UInt8(ascii: "#") {
            self.init(digits: word.dropFirst())
        } else if let paren = word.firstIndex(of: UInt8(ascii: "(")), word.last == UInt8(ascii: ")")
        {
            let inside = word[(paren + 1)...].dropLast()
            guard let parts = ColorText.parts(of: inside) else { return nil }
            switch String(decoding: word[..<paren], as: UTF8.self) {
            case "rgb", "rgba": self.init(rgb: parts)
            case "hsl", "hsla": self.init(hsl: parts)
            default: return nil
            }
        } else {
            self.init(name: String(decoding: word, as: UTF8.self))
        }
    }

    private init?(name: String) {
        if name == "transparent" {
            self = Color(0, alpha: 0)
            return
        }
        var color = gp_color()
        guard name.utf8.allSatisfy(ColorText.isLetter), !Self.foreignNames.contains(name),
            unsafe gp_color_parse(name, &color) == 1
        else { return nil }
        self.init(color.red, color.green, color.blue)
    }

    /// Three or four digits, or twice as many.
    private init?(digits: ArraySlice<UInt8>) {
        var values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard values.count == digits.count else { return nil }
        switch values.count {
        case 3, 4: values = values.map { $0 * 17 }
        case 6, 8:
            values = stride(from: 0, to: values.count, by: 2).map { place in
                values[place] * 16 + values[place + 1]
            }
        default: return nil
        }
        self.init(
            Double(values[0]) / 255, Double(values[1]) / 255, Double(values[2]) / 255,
            alpha: values.count == 4 ? Double(values[3]) / 255 : 1)
    }

    private init?(rgb parts: ColorText.Parts) {
        let units = Set(parts.channels.map(\.unit))
        guard units.isSubset(of: [.none, .percent, .missing]) else { return nil }
        if parts.isLegacy && units.count > 1 { return nil }
        let channels = parts.channels.map { part in
            // Whole steps of 255, as browsers draw.
            (part.unit == .percent ? part.value / 100 * 255 : part.value).bounded(0...255)
                .rounded() / 255
        }
        self.init(channels[0], channels[1], channels[2], alpha: parts.alpha)
    }

    private init?(hsl parts: ColorText.Parts) {
        let (hue, rest) = (parts.channels[0], parts.channels.dropFirst())
        guard hue.unit != .percent,
            rest.allSatisfy({ part in
                part.unit == .percent || !parts.isLegacy && part.unit.isPlain
            })
        else { return nil }
        let turns = hue.value / hue.unit.perTurn
        let part = turns.isFinite ? turns - turns.rounded(.down) : 0
        let saturation = (rest[1].value / 100).bounded(0...1)
        let lightness = (rest[2].value / 100).bounded(0...1)
        let reach = saturation * min(lightness, 1 - lightness)
        let channels = [0.0, 8, 4].map { offset in
            let place = (offset + part * 12).truncatingRemainder(dividingBy: 12)
            let value = lightness - reach * max(-1, min(place - 3, 9 - place, 1))
            return (value * 255).rounded() / 255
        }
        self.init(channels[0], channels[1], channels[2], alpha: parts.alpha)
    }
}

extension Double {
    fileprivate func bounded(_ range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

/// The words of a function of CSS, in small letters.
private enum ColorText {
    enum Unit: String {
        case none = ""
        case percent = "%"
        case degrees = "deg"
        case gradians = "grad"
        case radians = "rad"
        case turns = "turn"
        /// The word `none` in the place of a number.
        case missing = "none"

        var isPlain: Bool { self == .none || self == .missing }

        var perTurn: Double {
            switch self {
            case .none, .percent, .missing, .degrees: 360
            case .gradians: 400
            case .radians: 2 * .pi
            case .turns: 1
            }
        }
    }

    struct Part {
        var value: Double
        var unit: Unit
    }

    struct Parts {
        /// Three of them.
        var channels: [Part]
        var alpha = 1.0
        /// With commas.
        var isLegacy: Bool
    }

    private enum Token {
        case part(Part)
        case mark(UInt8)
    }

    static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isBlank(_ byte: UInt8) -> Bool {
        [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(byte)
    }

    private static func isSign(_ byte: UInt8) -> Bool { [0x2B, 0x2D].contains(byte) }

    /// A word goes on with digits, as `none5`, which means nothing.
    private static func isOfWord(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }

    /// Three channels and perhaps an alpha: `1, 2, 3, 0.5`, or `1 2 3 / 0.5`.
    static func parts(of bytes: ArraySlice<UInt8>) -> Parts? {
        guard let tokens = tokens(of: bytes) else { return nil }
        var (numbers, marks): ([Part], [UInt8]) = ([], [])
        // Each number's mark before it; a space has none.
        var mark: UInt8 = 0
        for token in tokens {
            switch token {
            case .part(let part):
                numbers.append(part)
                marks.append(mark)
                mark = 0
            case .mark(let next):
                guard mark == 0 else { return nil }
                mark = next
            }
        }
        guard mark == 0, numbers.count == 3 || numbers.count == 4 else { return nil }
        let (comma, slash) = (UInt8(ascii: ","), UInt8(ascii: "/"))
        let isLegacy = marks[1] == comma
        let wanted = isLegacy ? [0, comma, comma, comma] : [0, 0, 0, slash]
        guard marks == Array(wanted.prefix(marks.count)) else { return nil }
        if isLegacy && numbers.contains(where: { $0.unit == .missing }) { return nil }
        var parts = Parts(channels: Array(numbers.prefix(3)), isLegacy: isLegacy)
        if numbers.count == 4 {
            guard numbers[3].unit.isPlain || numbers[3].unit == .percent else { return nil }
            let most = numbers[3].unit == .percent ? 100.0 : 1
            parts.alpha = (numbers[3].value / most).bounded(0...1)
        }
        return parts
    }

    private static func tokens(of bytes: ArraySlice<UInt8>) -> [Token]? {
        var tokens: [Token] = []
        var rest = trimmed(bytes)
        while let first = rest.first {
            if first == UInt8(ascii: ",") || first == UInt8(ascii: "/") {
                tokens.append(.mark(first))
                rest.removeFirst()
            } else if isLetter(first) {
                let word = rest.prefix(while: isOfWord)
                guard String(decoding: word, as: UTF8.self) == "none" else { return nil }
                tokens.append(.part(Part(value: 0, unit: .missing)))
                rest = rest.dropFirst(word.count)
            } else {
                guard let value = number(&rest), let unit = unit(&rest) else { return nil }
                tokens.append(.part(Part(value: value, unit: unit)))
            }
            rest = trimmed(rest)
        }
        return tokens
    }

    /// A number's letters, as CSS has them: `-1.5e3` or `.5`, but not `5.`.
    private static func number(_ rest: inout ArraySlice<UInt8>) -> Double? {
        var end = rest.startIndex
        func at(_ place: Int) -> UInt8 { place < rest.endIndex ? rest[place] : 0 }
        if isSign(at(end)) { end += 1 }
        let whole = end
        while isDigit(at(end)) { end += 1 }
        var hasDigits = end > whole
        if at(end) == UInt8(ascii: "."), isDigit(at(end + 1)) {
            end += 1
            while isDigit(at(end)) { end += 1 }
            hasDigits = true
        }
        guard hasDigits else { return nil }
        if at(end) == UInt8(ascii: "e") {
            var power = end + 1
            if isSign(at(power)) { power += 1 }
            if isDigit(at(power)) {
                while isDigit(at(power)) { power += 1 }
                end = power
            }
        }
        let text = String(decoding: rest[..<end], as: UTF8.self)
        rest = rest[end...]
        return Double(text)
    }

    private static func unit(_ rest: inout ArraySlice<UInt8>) -> Unit? {
        let length =
            switch rest.first {
            case UInt8(ascii: "%"): 1
            case let first? where isLetter(first): rest.prefix(while: isOfWord).count
            default: 0
            }
        let word = rest.prefix(length)
        rest = rest.dropFirst(word.count)
        let unit = Unit(rawValue: String(decoding: word, as: UTF8.self))
        return unit == .missing ? nil : unit
    }
}
