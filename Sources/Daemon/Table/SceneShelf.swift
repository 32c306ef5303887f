import Codec
import Interactions
import Notation
import Sessions
import Synchronization

/// The scenes of open sessions that came as objects, or that a session has made of its own, of all
/// lanes: equal ones are kept once.
///
/// A lane asks for the equal scene before it makes a session, and tells of each session that opens,
/// has changed its scene or goes. A scene of the configuration is not here, for all its sessions
/// share it anyway.
final class SceneShelf: Sendable {
    private struct Kept {
        var scene: Scene
        /// The bytes that it counts, to be given back as they were taken.
        let bytes: Int
        var sessions = 1
    }

    private struct State {
        /// By the text of the object, of which the scene was made.
        var scenes: [TextBytes: Kept] = [:]
        var bytes = 0

        /// One more session has the scene that is kept, if one is.
        mutating func share(_ key: TextBytes) -> Scene? {
            guard let kept = scenes[key]?.scene else { return nil }
            scenes[key]?.sessions += 1
            return kept
        }

        mutating func keep(_ scene: Scene, _ key: TextBytes, _ bytes: Int) {
            self.bytes += bytes
            scenes[key] = Kept(scene: scene, bytes: bytes)
        }

        mutating func remove(_ key: TextBytes) {
            guard let kept = scenes[key] else {
                preconditionFailure("a scene that no session has")
            }
            if kept.sessions > 1 {
                scenes[key]?.sessions -= 1
            } else {
                bytes -= kept.bytes
                scenes[key] = nil
            }
        }
    }

    private let state = Mutex(State())

    /// Bytes that the scenes count which are kept.
    var bytes: Int { state.withLock { $0.bytes } }

    /// The scene that is kept, if an equal one is; else the same.
    func shared(_ scene: Scene) -> Scene {
        guard let text = scene.document else { return scene }
        return state.withLock { $0.scenes[TextBytes(text)]?.scene } ?? scene
    }

    /// Counts a session that opens with a scene, or changes to it. Returns the scene that is kept,
    /// which the session should hold; throws where the bound of all scenes together is reached.
    func insert(_ scene: Scene) throws(Rejection) -> Scene {
        guard let text = scene.document else { return bounded(scene) }
        let key = TextBytes(text)
        if let kept = state.withLock({ $0.share(key) }) { return bounded(kept) }
        let bytes = Self.bytes(of: text)
        let kept = state.withLock { state -> Scene? in
            if let kept = state.share(key) { return kept }
            guard state.bytes + bytes <= Limits.sceneBytesMax else { return nil }
            state.keep(scene, key, bytes)
            return scene
        }
        if let kept { return bounded(kept) }
        throw Self.full
    }

    /// A session of the scene with this text has gone; nil: of one that does not count.
    func remove(_ text: String?) {
        guard let text else { return }
        let key = TextBytes(text)
        state.withLock { $0.remove(key) }
    }

    private static var full: Rejection {
        Rejection(
            .sessionLimit,
            "the scenes of all open sessions have \(Limits.sceneBytesMax) bytes already")
    }

    // MARK: Scenes that reactions make

    /// A session has made another scene of the one that it had, by its reactions: ``bounded(_:)``
    /// found room for it. It counts, even where another lane has taken that room meanwhile. Returns
    /// the scene that is kept, which the session should hold. `former` is the former one's text;
    /// nil: it does not count.
    func exchange(_ former: String?, for next: Scene) -> Scene {
        let formerKey = former.map(TextBytes.init)
        let nextKey = next.document.map { (TextBytes($0), Self.bytes(of: $0)) }
        let kept = state.withLock { state -> Scene in
            defer { if let formerKey { state.remove(formerKey) } }
            guard let (key, bytes) = nextKey else { return next }
            if let kept = state.share(key) { return kept }
            state.keep(next, key, bytes)
            return next
        }
        return bounded(kept)
    }

    /// The same scene, which lets nothing be written into it for which there is no room here. The
    /// one that is kept stays without this, or it would keep the shelf.
    private func bounded(_ scene: Scene) -> Scene {
        guard scene.reviser != nil else { return scene }
        var scene = scene
        scene.reviser = SceneReviser { former, revision in
            Result { () throws(Rejection) in
                let next = try SceneReader.revised(former, by: revision)
                guard self.hasRoom(for: next, insteadOf: former) else { throw Self.full }
                return self.bounded(next)
            }
        }
        return scene
    }

    /// Whether there is room for a scene that one session has in the place of another one.
    private func hasRoom(for next: Scene, insteadOf former: Scene) -> Bool {
        guard let text = next.document else { return true }
        let (key, bytes) = (TextBytes(text), Self.bytes(of: text))
        let formerKey = former.document.map(TextBytes.init)
        return state.withLock { state in
            if state.scenes[key] != nil { return true }
            // The former one goes where no other session has it.
            let kept = formerKey.flatMap { state.scenes[$0] }
            let given = kept?.sessions == 1 ? kept?.bytes ?? 0 : 0
            return state.bytes - given + bytes <= Limits.sceneBytesMax
        }
    }

    /// Whether a text is that of a scene here; nil: of one that does not count. Quick where it is
    /// the scene's own.
    static func isText(_ text: String?, of scene: Scene) -> Bool {
        guard let text, let otherText = scene.document else {
            return text == nil && scene.document == nil
        }
        return text.utf8.count == otherText.utf8.count && text == otherText
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

extension SceneShelf {
    /// The bytes that a scene counts: those of its text, and some for each value in it.
    static func bytes(of text: String) -> Int {
        text.utf8.count + Limits.sceneValueBytes * values(in: text)
    }

    /// The values in a compact JSON text: itself, one behind each comma, and the first of each
    /// array or object that is not empty.
    private static func values(in text: String) -> Int {
        let bytes = text.utf8.span
        var count = 1
        var (isInString, isEscaped) = (false, false)
        var former = UInt8(0)
        for place in bytes.indices {
            let byte = bytes[place]
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): count += 1
                case UInt8(ascii: "]") where former == UInt8(ascii: "["): count -= 1
                case UInt8(ascii: "}") where former == UInt8(ascii: "{"): count -= 1
                default: break
                }
            }
            former = byte
        }
        return count
    }
}

extension Limits {
    /// Bytes of the different scenes that open sessions brought along or made: of their texts as
    /// JSON, and ``sceneValueBytes`` for each value. Most take less memory than that, the densest
    /// twice as much.
    static let sceneBytesMax = 64 * 1024 * 1024
    /// Bytes that each value of a scene counts. Beside the text one takes 47 to 59 bytes of memory
    /// in the scenes of the repository, and up to 156 in those that were made for it.
    static let sceneValueBytes = 64
}
