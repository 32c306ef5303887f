// The library of regular expressions has these too; without it a program is a fifteenth smaller.

extension StringProtocol {
    /// The text with another in place of each of a character.
    package func replacingEach(_ character: Character, with other: String) -> String {
        reduce(into: "") { text, next in
            if next == character { text += other } else { text.append(next) }
        }
    }
}

extension Collection where Element: Equatable {
    /// Where a sequence of elements stands first; nil: nowhere.
    package func range(ofFirst other: some Collection<Element>) -> Range<Index>? {
        var start = startIndex
        while true {
            let rest = self[start...]
            if rest.starts(with: other) {
                return start..<index(start, offsetBy: other.count)
            }
            guard start < endIndex else { return nil }
            formIndex(after: &start)
        }
    }
}
