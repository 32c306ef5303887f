/// Knows whether the daemon is still heard, of which there is a beat every second.
///
/// It counts waits in which nothing came rather than time: who was stopped for a while, and has
/// not read yet what came meanwhile, has heard nothing either, but that says nothing of the daemon.
struct Vigil {
    /// Milliseconds of one wait: as long as there is between two beats.
    static let waitMilliseconds = 1_000
    /// Waits in vain after which a daemon counts as gone.
    static let waitsMax = 3

    /// What there is to say, once for each change.
    enum News: Equatable {
        case silent
        case back
    }

    private var waits = 0
    private(set) var isSilent = false

    /// Something came.
    mutating func heard() -> News? {
        waits = 0
        guard isSilent else { return nil }
        isSilent = false
        return .back
    }

    /// Nothing came in a whole wait.
    mutating func waitedInVain() -> News? {
        waits = min(waits + 1, Self.waitsMax)
        return waits < Self.waitsMax ? nil : refused()
    }

    /// It did not do what it was asked.
    mutating func refused() -> News? {
        guard !isSilent else { return nil }
        isSilent = true
        return .silent
    }
}
