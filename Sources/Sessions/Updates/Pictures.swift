import Geometry
import Notation

/// The pending updates of the topics of the whole session: its scene, and frames.
///
/// A frame is one message with all that changed in one frame or by one batch of events. It has the
/// states that go out on their own topics at the same time, so both tell the same. The bits are
/// components by their index; they are kept whether anybody wants frames or not.
struct Pictures: Hashable, Sendable, Codable {
    var scene = Publication()
    var frame = Publication()
    /// Components whose state has changed since the last frame.
    private(set) var changed: UInt32
    /// Those of them whose change does not wait for a frame.
    private(set) var urgent: UInt32
    var isBadgeChanged = false
    /// Nil: they have not.
    var areVariablesChanged: Bool?

    init(componentCount: Int) {
        changed = Self.all(componentCount)
        urgent = changed
    }

    static func all(_ componentCount: Int) -> UInt32 {
        componentCount >= UInt32.bitWidth ? .max : (1 << UInt32(componentCount)) - 1
    }

    mutating func change(_ index: Int, urgently: Bool) {
        changed |= 1 << UInt32(index)
        if urgently { urgent |= 1 << UInt32(index) }
    }

    mutating func deferChange(_ index: Int) { urgent &= ~(1 << UInt32(index)) }

    /// The components are others: all of them go out.
    mutating func become(componentCount: Int) {
        changed = Self.all(componentCount)
        urgent = changed
    }

    /// The components whose states go out now.
    func due(inFrame: Bool) -> UInt32 { inFrame ? changed : changed & urgent }

    mutating func sent(_ components: UInt32) {
        changed &= ~components
        urgent &= ~components
    }
}

// A session that was encoded before there were frames has none under way.
extension KeyedDecodingContainer {
    func decode(_: Pictures.Type, forKey key: Key) throws -> Pictures {
        try decodeIfPresent(Pictures.self, forKey: key) ?? Pictures(componentCount: 0)
    }
}

extension Pictures {
    func isSound(componentCount: Int) -> Bool {
        [scene.seq, frame.seq].allSatisfy((0...Limits.versionImportedMax).contains)
            && (changed | urgent) & ~Self.all(componentCount) == 0
    }
}
