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
        var sessions = 0
    }

    private struct State {
        /// By the text of the object, of which the scene was made.
        var scenes: [String: Kept] = [:]
        var bytes = 0
    }

    private let state = Mutex(State())

    /// Bytes of the scenes that are kept.
    var bytes: Int { state.withLock { $0.bytes } }

    /// The scene that is kept, if an equal one is; else the same.
    func shared(_ scene: Scene) -> Scene {
        guard let text = scene.document else { return scene }
        return state.withLock { $0.scenes[text]?.scene } ?? scene
    }

    /// A session of a scene opens. Throws where the bound of all scenes together is reached.
    func insert(_ scene: Scene) throws(Rejection) {
        guard let text = scene.document else { return }
        let isKept = state.withLock { state in
            if state.scenes[text] == nil {
                guard state.bytes + text.utf8.count <= Limits.sceneBytesMax else { return false }
                state.bytes += text.utf8.count
            }
            state.scenes[text, default: Kept(scene: scene)].sessions += 1
            return true
        }
        guard !isKept else { return }
        throw Rejection(
            .sessionLimit,
            "the scenes of all open sessions have \(Limits.sceneBytesMax) bytes already")
    }

    /// A session of a scene has gone.
    func remove(_ scene: Scene) {
        guard let text = scene.document else { return }
        state.withLock { state in
            guard var kept = state.scenes[text] else {
                preconditionFailure("a scene that no session has")
            }
            kept.sessions -= 1
            if kept.sessions == 0 { state.bytes -= text.utf8.count }
            state.scenes[text] = kept.sessions > 0 ? kept : nil
        }
    }
}

extension Limits {
    /// Bytes of the different scenes that open sessions brought along, as JSON: read, they take
    /// three to six times as much.
    static let sceneBytesMax = 64 * 1024 * 1024
}
