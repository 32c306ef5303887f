package import Geometry
package import Gestures
package import Interactions
package import Notation

/// The content of a session: a viewport and its components, which Codec has checked.
package struct Scene: Hashable, Sendable {
    package struct Component: Hashable, Sendable {
        package var id: String { didSet { word = NameWord(id) } }
        /// The id, to find it by.
        package private(set) var word: NameWord
        package var parameters: ComponentParameters
        package var placement: Placement
        /// A table for renderers; the session reads no more of it than its texts.
        package var content: Node?

        package init(
            id: String, parameters: ComponentParameters, placement: Placement,
            content: Node? = nil
        ) {
            self.id = id
            word = NameWord(id)
            self.parameters = parameters
            self.placement = placement
            self.content = content
        }

        /// A component that fills a viewport.
        package init(id: String, parameters: ComponentParameters, filling viewport: Size) {
            let frame = Rect(0, 0, viewport.width, viewport.height)
            self.init(
                id: id, parameters: parameters,
                placement: Placement(frame: frame, clips: parameters.clips))
        }
    }

    /// Lengths from the viewport's edges that a display's own parts cover. They move nothing.
    package struct Insets: Hashable, Sendable {
        package var top = 0.0
        package var left = 0.0
        package var bottom = 0.0
        package var right = 0.0

        package init() {}
    }

    /// Nil: a scene that was given as an object need not have one.
    package var name: String?
    package var viewport: Size
    package var insets = Insets()
    /// A table for renderers; the session reads no more of it than its texts.
    package var content: Node?
    /// States per second while something moves: 30, 60 or 120. Nil: the configuration's.
    package var frameRate: Int?
    /// Seeds the session's generator. Nil: a stable hash of the session's id does.
    package var seed: UInt64?
    /// How a release velocity is measured where the source gives none.
    package var velocity: VelocityTracker.Kind
    /// 1 to 32, with unique ids, in the order of painting: each directly before what it holds.
    package var components: [Component]
    /// At most `Limits.variablesMax`, in the order of their names.
    package var variables: [Variable] = []
    /// The texts of it that name values.
    package var texts = SceneTexts()
    /// At most `Limits.reactionsMax`; their causes name components and variables by their indexes.
    package var reactions: [Reaction] = []
    /// Its text as JSON, if it was given as an object; nil: a file has it.
    package var document: String?
    /// Its text as JSON, if it was read from an object or a file; nil: from neither.
    package var text: String?
    /// Reads its text again, if it has one.
    package var reviser: SceneReviser?

    package init(
        name: String?, viewport: Size, frameRate: Int? = nil, seed: UInt64? = nil,
        velocity: VelocityTracker.Kind = .uikit, components: [Component]
    ) {
        self.name = name
        self.viewport = viewport
        self.frameRate = frameRate
        self.seed = seed
        self.velocity = velocity
        self.components = components
    }
}

/// How an `open` names its scene.
package enum SceneReference: Hashable, Sendable {
    case named(String)
    case inline(InlineScene)
}

/// A scene that an event brings. It is an object so that every other event stays small.
package final class InlineScene: Hashable, Sendable {
    package let scene: Scene

    package init(_ scene: Scene) { self.scene = scene }

    package static func == (one: InlineScene, other: InlineScene) -> Bool {
        one.scene == other.scene
    }

    package func hash(into hasher: inout Hasher) { scene.hash(into: &hasher) }
}

extension [Scene.Component] {
    /// The place of a component. Each event asks, and the session would be copied to be asked.
    func index(of component: String) throws(Rejection) -> Int {
        // A closure would get a copy of each component.
        for index in indices where self[index].id == component { return index }
        throw .unknown(component: component, among: map(\.id))
    }
}

extension Limits {
    /// Components in a scene.
    package static let componentsMax = 32
}
