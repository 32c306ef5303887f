/// The order in which several sources of one kind are emptied.
///
/// One source at a time is read, a bounded number of things before the next one's turn, so that
/// none starves however much another has.
package struct Rotation: Sendable {
    /// The source that is read, and how many more things it gives before the next one's turn.
    private var place = 0
    private var rest: Int
    private let turnMax: Int

    package init(turnMax: Int) {
        self.turnMax = turnMax
        rest = turnMax
    }

    /// Takes the next thing of `count` sources; `take` gives one of a source, or nil if that one
    /// is empty. Returns nil only once every source was found empty.
    package mutating func next<Thing, Flaw: Error>(
        of count: Int, _ take: (Int) throws(Flaw) -> Thing?
    ) throws(Flaw) -> Thing? {
        if place >= count { place = 0 }
        var empty = 0
        while empty < count {
            if rest > 0 {
                if let thing = try take(place) {
                    rest -= 1
                    return thing
                }
                empty += 1
            }
            place = (place + 1) % count
            rest = turnMax
        }
        return nil
    }
}
