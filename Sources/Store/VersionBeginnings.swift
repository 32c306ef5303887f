/// Where the versions of counts begin in a new generation of a store: by the clock as long as that
/// goes on, else above all that may have been published.
///
/// They begin at the floor and at what all generations so far leave out, see `StoreIdentity`. A
/// clock that is right is above every version that was published, so it alone counts: if versions
/// went ahead of it with each generation, a copy of the store that knows fewer generations would
/// begin below what clients saw.
struct VersionBeginnings {
    /// The present time as a version.
    var clock = 0
    /// Versions that each generation leaves out, since as many may have been published unstored.
    var versionsALife = 0

    /// The floor of a generation that begins, after `formerGeneration`; the same one after a clean
    /// shutdown.
    func floor(_ identity: StoreIdentity, formerGeneration: Int) -> Int {
        // Another program may have written any number.
        let former = min(max(0, formerGeneration), identity.generation)
        let known = identity.versionFloor + former * versionsALife
        let isClockRight = versionsALife > 0 && clock > known + StoreIdentity.clockLeadMin
        return isClockRight ? max(0, clockFloor(identity)) : floorWithoutFall(identity)
    }

    func floorWithoutFall(_ identity: StoreIdentity) -> Int {
        max(identity.versionFloor, clockFloor(identity))
    }

    private func clockFloor(_ identity: StoreIdentity) -> Int {
        clock - identity.generation * versionsALife
    }
}
