/// A number as a person writes it into a text, such as `-1.5e3`.
enum WrittenNumber {
    /// The number that a text begins with; nil: it begins with none.
    static func prefix(of text: Substring) -> Substring? {
        let whole = afterSign(text)
        var rest = whole.drop { isDigit($0) || $0 == "." }
        guard rest.startIndex > whole.startIndex else { return nil }
        if let letter = rest.first, "eE".contains(letter) {
            let exponent = afterSign(rest.dropFirst())
            let behind = exponent.drop(while: isDigit)
            if behind.startIndex > exponent.startIndex { rest = behind }
        }
        return text[..<rest.startIndex]
    }

    /// Where the first number in a text stands; nil: it has none.
    static func range(in text: String) -> Range<String.Index>? {
        for start in text.indices {
            if let number = prefix(of: text[start...]) { return start..<number.endIndex }
        }
        return nil
    }

    private static func afterSign(_ text: Substring) -> Substring {
        guard let sign = text.first, "+-".contains(sign) else { return text }
        return text.dropFirst()
    }

    private static func isDigit(_ character: Character) -> Bool {
        character.isASCII && character.isNumber
    }
}

extension StringProtocol where SubSequence == Substring {
    /// Without the blanks and line ends around it.
    var trimmed: Substring {
        var rest = drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
