import Interactions
import Notation
import Sessions
import Synchronization

/// The scenes of open sessions that came as objects, of all lanes: equal ones are kept once.
///
/// A lane asks for the equal scene before it makes a session, and tells of each session that opens
/// or goes. A scene of the configuration is not here, for all its sessions share it anyway.
final class SceneShelf: Sendable {
    private struct Kept {
        var scene: Scene
        /// The bytes that it counts, to be given back as they were taken.
        let bytes: Int
        var sessions = 0
    }

    private struct State {
        /// By the text of the object, of which the scene was made.
        var scenes: [TextBytes: Kept] = [:]
        var bytes = 0
    }

    private let state = Mutex(State())

    /// Bytes of the scenes that are kept.
    var bytes: Int { state.withLock { $0.bytes } }

    /// The scene that is kept, if an equal one is; else the same.
    func shared(_ scene: Scene) -> Scene {
        guard let text = scene.document else { return scene }
        return state.withLock { $0.scenes[TextBytes(text)]?.scene } ?? scene
    }

    /// A session of a scene opens, or becomes it. Returns the scene that is kept, for the session
    /// to have; throws where the bound of all scenes together is reached.
    func insert(_ scene: Scene) throws(Rejection) -> Scene {
        guard let text = scene.document else { return scene }
        let key = TextBytes(text)
        let kept = state.withLock { state -> Scene? in
            if let kept = state.scenes[key]?.scene {
                state.scenes[key]?.sessions += 1
                return kept
            }
            let bytes = text.utf8.count
            guard state.bytes + bytes <= Limits.sceneBytesMax else { return nil }
            state.bytes += bytes
            state.scenes[key] = Kept(scene: scene, bytes: bytes, sessions: 1)
            return scene
        }
        if let kept { return kept }
        throw Rejection(
            .sessionLimit,
            "the scenes of all open sessions have \(Limits.sceneBytesMax) bytes already")
    }

    /// A session of a scene has gone.
    func remove(_ scene: Scene) {
        guard let text = scene.document else { return }
        let key = TextBytes(text)
        state.withLock { state in
            guard let kept = state.scenes[key] else {
                preconditionFailure("a scene that no session has")
            }
            if kept.sessions > 1 {
                state.scenes[key]?.sessions -= 1
            } else {
                state.bytes -= kept.bytes
                state.scenes[key] = nil
            }
        }
    }
}

/// A text as a key by its bytes. Two strings are equal where they look the same, as a letter with
/// its accent does in one code point or in two: such texts differ in length.
private struct TextBytes: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (one: TextBytes, other: TextBytes) -> Bool {
        let other = other.text.utf8.span
        return unsafe other.withUnsafeBytes { unsafe one.text.isMade(of: $0) }
    }

    func hash(into hasher: inout Hasher) {
        let bytes = text.utf8.span
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}

extension Limits {
    /// Bytes of the different scenes that open sessions brought along, as JSON: read, they take
    /// three to six times as much.
    static let sceneBytesMax = 64 * 1024 * 1024
}
