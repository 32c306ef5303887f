/// Counts since the start, one for each name, in the order of the names.
///
/// A name is snake_case, as in `stats`. Nothing leaves the list: what was never counted is 0.
package struct Counters<Name: Hashable & CaseIterable & RawRepresentable & Sendable>: Hashable,
    Sendable
where Name.RawValue == String {
    private var counts: [Name: Int] = [:]

    package init() {}

    package subscript(name: Name) -> Int { counts[name] ?? 0 }

    package mutating func count(_ name: Name, _ number: Int = 1) {
        counts[name, default: 0] += number
    }

    /// As `packets=12 malformed=1`.
    package var line: String {
        Name.allCases.map { "\($0.rawValue)=\(self[$0])" }.joined(separator: " ")
    }
}
