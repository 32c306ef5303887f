package import Geometry
package import Gestures
package import Interactions
package import Notation

/// How the scene of a running session changes.
///
/// The room `Changes`: a change makes another scene of the session's own, or names another one
/// (`SceneReviser`, which Codec provides), and the session becomes it in one event
/// (`Session+Change`): what both scenes have goes on, the rest closes or opens. `ClosedTopics`
/// keeps the numbers of what closed, so that none falls when it comes back.
package enum SceneChange: Hashable, Sendable {
    /// The session's own scene, with this written into it.
    case revise(SceneRevision)
    /// Another scene. With a revision, only while the session's own scene still has this one.
    case update(SceneReference, ofRevision: Int? = nil)
}

/// Members that are written anew into the text of a scene, which is then read again.
package enum SceneRevision: Hashable, Sendable {
    /// Insets that are not given stay.
    case resize(viewport: Size, insets: Scene.Insets?)
    case set(ComponentValues)
    /// The way in which a running session measures velocities.
    case velocity(VelocityTracker.Kind)
}

/// Keys of one component that are written anew.
package struct ComponentValues: Hashable, Sendable {
    /// A thing in a world.
    package enum Part: Hashable, Sendable {
        case item(String)
        case behavior(String)
    }

    package var component: String
    /// Nil: the keys are the component's own.
    package var part: Part?
    package var values: [Node.Member]

    package init(component: String, part: Part? = nil, values: [Node.Member]) {
        self.component = component
        self.part = part
        self.values = values
    }

    /// The command by which a world writes a part anew; nil: there is no part.
    var command: ComponentCommand? {
        let name: Node.Member
        switch part {
        case nil: return nil
        case .item(let id): name = .init("item", Node(.string(id)))
        case .behavior(let id): name = .init("behavior", Node(.string(id)))
        }
        return ComponentCommand("set", [name, .init("values", Node(.object(values)))])
    }
}

/// Reads a scene's text again with something written into it. A scene that was read from a text
/// brings this along, because sessions read no texts.
package struct SceneReviser: Hashable, Sendable {
    private let revise: @Sendable (Scene, SceneRevision) -> Result<Scene, Rejection>

    package init(
        _ revise: @escaping @Sendable (Scene, SceneRevision) -> Result<Scene, Rejection>
    ) { self.revise = revise }

    func callAsFunction(
        _ scene: Scene, _ revision: SceneRevision
    ) throws(Rejection) -> Scene {
        try revise(scene, revision).get()
    }

    // All of them read the same way.
    package static func == (one: SceneReviser, other: SceneReviser) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}

extension Scene {
    /// The same scene with something written into it; throws where that can be no scene.
    func revised(by revision: SceneRevision) throws(Rejection) -> Scene {
        guard let reviser else {
            throw Rejection(.internal, "this scene was made without a text, so it stays")
        }
        return try reviser(self, revision)
    }

    /// The same scene for a session that measures velocities in its own way.
    func measuring(_ velocity: VelocityTracker.Kind) throws(Rejection) -> Scene {
        if self.velocity == velocity { return self }
        guard reviser == nil else { return try revised(by: .velocity(velocity)) }
        var scene = self
        scene.velocity = velocity
        return scene
    }
}
