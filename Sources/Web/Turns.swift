/// The order in which two sources are emptied.
package enum Turns {
    /// Takes from one and the other by turns, so that neither starves however much the other has.
    /// Each source takes one thing, and returns whether there was one.
    ///
    /// Returns whether both are empty; false: `max` were taken, and there may be more.
    package static func alternate<Flaw: Error>(
        atMost max: Int, _ one: () throws(Flaw) -> Bool, _ other: () throws(Flaw) -> Bool
    ) throws(Flaw) -> Bool {
        var count = 0
        while count < max {
            let before = count
            if try one() { count += 1 }
            if try other() { count += 1 }
            if count == before { return true }
        }
        return false
    }
}
