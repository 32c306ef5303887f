/// One member's life among others.
package struct MemberLife: Sendable {
    package let tuning: Tuning
    package private(set) var map: ClusterMap
    package private(set) var figures = Figures()

    /// `joined`: when the member's row was sent to the database, in nanoseconds on the clock of all
    /// inputs. Begin with the input `timer`.
    package init(member: Int, shards: Int, tuning: Tuning, joined: Int) {
        self.tuning = tuning
        map = ClusterMap(
            member: member, version: 0, members: [], owners: Array(repeating: nil, count: shards))
    }

    /// Takes what has happened and appends what is to be done, in its order. Unless a call is under
    /// way or the life has ended, the last action is `ask` or `wait`.
    package mutating func take(_ input: Input, at now: Int, into actions: inout [Action]) {}

    /// Whether this member may tell clients that something is acknowledged.
    package func isLeased(at now: Int) -> Bool { false }
}
