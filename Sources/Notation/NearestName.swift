/// The name with the fewest edits from `stranger`, the first of equals; nil if there are no names.
package func nearestName(to stranger: String, among names: [String]) -> String? {
    // A longer name is no misspelling, and a peer must not make the comparison expensive.
    let letters = Array(stranger.unicodeScalars.prefix(64))
    var nearest: (name: String, distance: Int)?
    for name in names {
        let distance = editDistance(letters, Array(name.unicodeScalars))
        if distance < nearest?.distance ?? .max { nearest = (name, distance) }
    }
    return nearest?.name
}

/// The number of insertions, deletions, substitutions and swaps of neighbours that turn one into
/// the other (optimal string alignment).
private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var best = min(last[j + 1], row[j]) + 1
            best = min(best, last[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = min(best, before[j - 1] + 1)
            }
            row.append(best)
        }
        before = last
        last = row
    }
    return last[b.count]
}
