// The library of regular expressions has these too; without it a program is 1.2 MB smaller.

extension StringProtocol {
    /// The text with another in place of each of a character.
    package func replacingEach(_ character: Character, with other: String) -> String {
        reduce(into: "") { text, next in
            if next == character { text += other } else { text.append(next) }
        }
    }

    /// The parts between the places where a mark stands; a part may be empty.
    package func parts(between mark: String) -> [SubSequence] {
        var parts: [SubSequence] = []
        var rest = self[...]
        while let place = rest.range(ofFirst: mark) {
            parts.append(self[rest.startIndex..<place.lowerBound])
            rest = rest[place.upperBound...]
        }
        return parts + [self[rest.startIndex...]]
    }

    /// Whether a text stands anywhere in this one.
    package func holds(_ other: String) -> Bool { utf8.range(ofFirst: other.utf8) != nil }
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
