/// A format of Python's mini-language, as far as numbers need it:
/// `[[fill]align][sign][0][width][,][.precision][type]` with the types `d`, `f` and `%`.
///
/// Source: Python's documentation of `string`, "Format Specification Mini-Language".
package struct NumberFormat: Hashable, Sendable {
    enum Alignment: Character, Hashable, Sendable {
        case left = "<"
        case right = ">"
        case center = "^"
        /// Fills between the sign and the digits.
        case inside = "="
    }

    enum Kind: Character, Hashable, Sendable {
        case whole = "d"
        case fixed = "f"
        case percent = "%"
    }

    var fill: Character = " "
    var alignment: Alignment?
    /// Whether zeros fill a number between its sign and its digits.
    var hasZeros = false
    var sign: Character = "-"
    var width = 0
    var groups = false
    var precision: Int?
    var kind: Kind?

    /// Nil: the text is no format.
    package init?(_ text: String) {
        var rest = text[...]
        var hasFill = false
        let second = rest.dropFirst().first
        if let second, let alignment = Alignment(rawValue: second), let fill = rest.first {
            guard fill != "{", fill != "}" else { return nil }
            (self.fill, self.alignment, hasFill) = (fill, alignment, true)
            rest = rest.dropFirst(2)
        } else if let first = rest.first, let alignment = Alignment(rawValue: first) {
            self.alignment = alignment
            rest = rest.dropFirst()
        }
        if let sign = rest.first, "+- ".contains(sign) {
            self.sign = sign
            rest = rest.dropFirst()
        }
        if rest.first == "0" {
            // As Python: zeros fill where nothing else does, in a number between the sign and the
            // digits unless it is aligned otherwise.
            if !hasFill { fill = "0" }
            hasZeros = alignment == nil
            rest = rest.dropFirst()
        }
        guard let width = Self.number(&rest, max: Limits.formatWidthMax) else { return nil }
        self.width = width ?? 0
        if rest.first == "," {
            groups = true
            rest = rest.dropFirst()
        }
        if rest.first == "." {
            rest = rest.dropFirst()
            guard let digits = Self.number(&rest, max: Limits.formatPrecisionMax), let digits
            else { return nil }
            precision = digits
        }
        if let last = rest.first {
            guard let kind = Kind(rawValue: last) else { return nil }
            self.kind = kind
            rest = rest.dropFirst()
        }
        guard rest.isEmpty, !(kind == .whole && precision != nil) else { return nil }
        // Python's default for numbers with a precision has exponents; here digits are meant.
        if precision != nil, kind == nil { kind = .fixed }
    }

    /// The digits at the beginning as a number; `.some(nil)`: there are none; nil: they are too
    /// many.
    private static func number(_ rest: inout Substring, max: Int) -> Int?? {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest = rest[digits.endIndex...]
        guard !digits.isEmpty else { return .some(nil) }
        guard digits.utf8.count <= 3, let number = Int(digits), number <= max else { return nil }
        return .some(number)
    }

    /// Whether it says more than a width: then only numbers can have it.
    package var isOfNumbers: Bool {
        kind != nil || sign != "-" || groups || alignment == .inside
    }

    /// Whether numbers with decimals cannot have it.
    package var isOfWholeNumbers: Bool { kind == .whole }

    // MARK: Writing

    package func text(of value: TextValue) -> String {
        switch value {
        case .number(let number): text(of: number)
        case .text, .truth: padded("", value.plain, isNumber: false)
        }
    }

    private func text(of number: Double) -> String {
        let magnitude = number.magnitude
        var digits =
            switch kind {
            case .whole: Self.digits(of: magnitude, decimals: 0)
            case .fixed: Self.digits(of: magnitude, decimals: precision ?? 6)
            // As Python: the product is rounded to a double first.
            case .percent: Self.digits(of: magnitude * 100, decimals: precision ?? 6) + "%"
            case nil: TextValue.number(magnitude).plain
            }
        // As an int of Python, a whole number knows no negative zero.
        let isZero = (kind == .whole || kind == nil) && digits == "0"
        let isNegative = number.sign == .minus && !isZero
        let sign = isNegative ? "-" : self.sign == "-" ? "" : String(self.sign)
        if groups {
            // Zeros between the sign and the digits are digits, which have commas too.
            let hasZeros = hasZeros || (fill == "0" && alignment == .inside)
            digits = Self.grouped(digits, width: hasZeros ? width - sign.count : 0)
        }
        return padded(sign, digits, isNumber: true)
    }

    private func padded(_ sign: String, _ text: String, isNumber: Bool) -> String {
        let missing = width - sign.count - text.count
        guard missing > 0 else { return sign + text }
        func filling(_ count: Int) -> String { String(repeating: fill, count: count) }
        switch alignment ?? (!isNumber ? .left : hasZeros ? .inside : .right) {
        case .left: return sign + text + filling(missing)
        case .right: return filling(missing) + sign + text
        case .center: return filling(missing / 2) + sign + text + filling(missing - missing / 2)
        case .inside: return sign + filling(missing) + text
        }
    }

    /// The exact value, rounded half to even, as Python writes it: `magnitude` is 53 bits times a
    /// power of two, so that whole numbers of 128 bits hold it with all decimals.
    private static func digits(of magnitude: Double, decimals: Int) -> String {
        var scale: UInt128 = 1
        for _ in 0..<decimals { scale *= 10 }
        // No value of ours is beyond 2^53, nor 100 times it beyond 2^60.
        let bounded = min(magnitude, 0x1p60)
        var whole: UInt128 = 0
        if bounded > 0 {
            let bits = UInt128(bounded.significandBitPattern) | (bounded.isNormal ? 1 << 52 : 0)
            let exponent = Int(bounded.isNormal ? bounded.exponent : -1_022) - 52
            let product = bits * scale
            whole = exponent >= 0 ? product << UInt128(exponent) : rounded(product, -exponent)
        }
        var text = String(whole)
        guard decimals > 0 else { return text }
        if text.utf8.count <= decimals {
            text = String(repeating: "0", count: decimals + 1 - text.utf8.count) + text
        }
        return text.dropLast(decimals) + "." + text.suffix(decimals)
    }

    /// A number divided by a power of two, rounded half to even.
    private static func rounded(_ number: UInt128, _ shift: Int) -> UInt128 {
        guard shift < 127 else { return 0 }
        let quotient = number >> UInt128(shift)
        let rest = number - quotient << UInt128(shift)
        let half: UInt128 = 1 << UInt128(shift - 1)
        return rest > half || (rest == half && quotient & 1 == 1) ? quotient + 1 : quotient
    }

    /// A comma before each three digits of the whole part, which gets zeros at its front until the
    /// text is as long as `width`. So it never begins with a comma.
    private static func grouped(_ digits: String, width: Int) -> String {
        let given = digits.prefix { ("0"..."9").contains($0) }
        let rest = digits[given.endIndex...]
        var count = given.utf8.count
        while count + (count - 1) / 3 + rest.utf8.count < width { count += 1 }
        var text = ""
        let whole = String(repeating: "0", count: count - given.utf8.count) + given
        for (place, digit) in whole.enumerated() {
            if place > 0, (count - place) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text + rest
    }
}

extension Limits {
    /// Characters that a format makes of a value at least: a line of a small screen.
    package static let formatWidthMax = 64
    /// Decimals of a format: with them 128 bits hold every value exactly.
    package static let formatPrecisionMax = 12
}
