import Geometry
import Interactions
import Notation

/// Whether waits and timers that were decoded could be those of a session.
extension Array<ReactionState.Wait> {
    /// Whether they are of such a scene, and none is later than any timer of ours.
    func areSound(_ scene: Scene, now: Step) -> Bool {
        let latest = now.after(seconds: Limits.timerImportedSecondsMax)
        return Set(map { [$0.reaction, $0.action ?? -1] }).count == count
            && allSatisfy { wait in
                guard scene.reactions.indices.contains(wait.reaction) else { return false }
                return scene.reactions[wait.reaction].after(of: wait.action) > 0
                    && wait.due <= latest && wait.due.count >= 0 && wait.facts.isSound
            }
            && reduce(0) { $0 + $1.dataBytes } <= Limits.reactionWaitDataBytesMax
    }
}

extension Array<ReactionState.Timer> {
    /// Whether they are those of such a scene.
    func areSound(_ scene: Scene, now: Step) -> Bool {
        let latest = now.after(seconds: Limits.timerImportedSecondsMax)
        let expected = ReactionState(scene, at: now).timers
        return count == expected.count
            && zip(self, expected).allSatisfy { own, other in
                guard own.reaction == other.reaction, own.cause == other.cause else { return false }
                if own.due == .never { return scene.reactions[own.reaction].mayRest(own.cause) }
                return own.due.count >= 0 && own.due <= latest
            }
    }
}
