/// The name that `stranger` misspells: the one with the fewest edits, the first of equals. Nil if
/// none is near enough to be meant: a suggestion that misleads is worse than none.
package func nearestName(to stranger: String, among names: [String]) -> String? {
    let distances = EditDistances(to: stranger)
    var nearest: (name: String, distance: Int)?
    for name in names {
        guard let distance = distances.edits(misspelling: name) else { continue }
        if distance < nearest?.distance ?? .max { nearest = (name, distance) }
    }
    return nearest?.name
}

/// The known names in an error about `stranger`, as `a, b, c and 4 more`: first those that it may
/// misspell or be a part of, the nearest of them first, then the others in their order.
///
/// It compares the first `rankedMax` names alone, and lists no others.
package func listedNames(
    nearestTo stranger: String, among names: some Collection<String>, inQuotes: Bool = false,
    rankedMax: Int = Limits.namesRankedMax
) -> String {
    let distances = EditDistances(to: stranger)
    var (first, seen, count): ([String], Set<String>, Int) = ([], [], names.count)
    for name in names {
        guard first.count < rankedMax else { break }
        if seen.insert(name).inserted { first.append(name) } else { count -= 1 }
    }
    let ranked = first.enumerated().map { place, name in
        (name: name, distance: distances.nearness(of: name, to: stranger), place: place)
    }
    .sorted { ($0.distance, $0.place) < ($1.distance, $1.place) }
    let listed = ranked.prefix(Limits.namesListedMax).map { entry in
        let name = TableReader.shortened(entry.name)
        return inQuotes ? "\"\(name)\"" : name
    }
    let rest = count - Limits.namesListedMax
    let text = listed.joined(separator: ", ")
    return rest > 0 ? "\(text) and \(rest) more" : text
}

/// Completes `unknown WHAT "x", …` or `there is no WHAT "x", …`: what there is instead.
package func knownNames(
    nearestTo stranger: String, among names: some Collection<String>,
    rankedMax: Int = Limits.namesRankedMax
) -> String {
    guard !names.isEmpty else { return "there is none" }
    return "known ones are "
        + listedNames(nearestTo: stranger, among: names, rankedMax: rankedMax)
}

/// The numbers of insertions, deletions, substitutions and swaps of neighbours that turn one name
/// into others (optimal string alignment).
///
/// One row of the table is one word of bits, so that a peer's wrong name costs some operations for
/// each letter of a known one: Hyyrö, "A bit-vector algorithm for computing Levenshtein and
/// Damerau edit distances", Nordic Journal of Computing 10 (2003).
struct EditDistances {
    /// Letters that are compared: a longer name is no misspelling.
    private static let lettersMax = 64

    /// The places of each letter, as bits.
    private var places: [Unicode.Scalar: UInt64] = [:]
    private let count: Int
    /// Whether all letters of the name are compared.
    private let isWhole: Bool

    init(to stranger: String) {
        var count = 0
        let letters = stranger.unicodeScalars
        isWhole =
            letters.index(
                letters.startIndex, offsetBy: Self.lettersMax + 1, limitedBy: letters.endIndex)
            == nil
        for letter in letters.prefix(Self.lettersMax) {
            places[letter, default: 0] |= 1 << UInt64(count)
            count += 1
        }
        self.count = count
    }

    /// The edits to a name, if they are so few that it may be meant.
    func edits(misspelling name: String) -> Int? {
        let length = name.unicodeScalars.count
        let letters = max(count, length)
        let most = min(max(1, letters / 3), letters - 1)
        // Each letter more or less is an edit.
        guard abs(length - count) <= most else { return nil }
        let distance = self[name]
        return distance <= most ? distance : nil
    }

    /// The edits to a name that may be meant, or that has this one in it; else none is near.
    func nearness(of name: String, to stranger: String) -> Int {
        let isPart = isWhole && count >= 3 && name.range(ofFirst: stranger) != nil
        return isPart ? self[name] : edits(misspelling: name) ?? .max
    }

    subscript(name: String) -> Int {
        guard count > 0 else { return name.unicodeScalars.count }
        let last: UInt64 = 1 << UInt64(count - 1)
        var (rises, falls, equals, before) = (UInt64.max, UInt64(0), UInt64(0), UInt64(0))
        var distance = count
        for letter in name.unicodeScalars {
            let places = places[letter] ?? 0
            let swaps = ((~equals & places) << 1) & before
            equals = (((places & rises) &+ rises) ^ rises) | places | falls | swaps
            let (up, down) = (falls | ~(equals | rises), equals & rises)
            if up & last != 0 { distance += 1 }
            if down & last != 0 { distance -= 1 }
            let shifted = (up << 1) | 1
            rises = (down << 1) | ~(equals | shifted)
            falls = shifted & equals
            before = places
        }
        return distance
    }
}

extension Limits {
    /// Known names that an error lists: a line or two of a terminal.
    package static let namesListedMax = 12
    /// Known names that are compared with a wrong one.
    package static let namesRankedMax = 256
    /// The same where a scene may have very many, and a peer may send wrong names at full speed.
    package static let peersNamesRankedMax = 24
}
