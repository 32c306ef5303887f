import Geometry
import Interactions
import Motion
import Sessions

/// All that changed at one instant: one picture.
public struct Frame: Hashable, Sendable {
    /// The instant, in milliseconds on the session's own time.
    public var time: Double
    /// The components that changed, in the order of painting; each state is complete.
    public var states: [ComponentState]
    /// The transitions that began, ended or were cancelled, in order.
    public var transitions: [FrameTransition]
    /// The counts by kind, where they changed.
    public var counts: [String: Int]?
    /// All variables of the scene by name, where any has changed.
    public var variables: [String: Value]?
    /// The content of lists' rows, where it changed or others came into view.
    public var rows: [ComponentRows]
}

/// The content of a list's rows, as far as they are told: those that show, and 50 on either side.
public struct ComponentRows: Hashable, Sendable {
    /// The list's id in the scene.
    public var component: String
    /// Grows with each change of what rows say.
    public var version: Int
    /// How many rows the list has.
    public var count: Int
    /// The number of the first row in ``rows``, from 0.
    public var from: Int
    /// Complete, in order.
    public var rows: [Row]

    /// One row with its content.
    public struct Row: Hashable, Sendable {
        /// Nil where the scene gives a number of rows.
        public var id: String?
        /// A table; empty where the row has no content.
        public var content: Value
        /// Its own menu, each action with `id` and `content`; nil where it has the list's.
        public var menu: [Value]?
    }
}

/// Everything that a component shows.
public struct ComponentState: Hashable, Sendable {
    /// The component's id in the scene.
    public var component: String
    /// The state of its machine, such as `resting` or `dragging`; each kind has its own.
    public var phase: String
    /// Its content, a table.
    public var model: Value
    /// Its visible views; paint them by rising ``View/z``, of equal ones the later in front.
    public var views: [View]
}

/// One view: a box in the component's coordinates.
public struct View: Hashable, Sendable {
    public var name: String
    /// Its middle.
    public var center: Point
    /// In points, before the transform.
    public var width: Double
    /// In points, before the transform.
    public var height: Double
    /// Radians, clockwise on screen; not wrapped.
    public var rotation: Double
    /// Uniform; 1 is the natural size.
    public var scale: Double
    /// 0 (invisible) to 1 (opaque).
    public var alpha: Double
    /// Higher is in front.
    public var z: Int
    /// Grows where the view was placed anew instead of moved: draw nothing in between.
    public var cut: Int

    init(_ name: String, _ state: ViewState, cutFloor: Int) {
        self.name = name
        center = Point(state.center)
        width = state.size.width
        height = state.size.height
        rotation = state.rotation
        scale = state.scale
        alpha = state.alpha
        z = state.z
        cut = state.cut + cutFloor
    }
}

/// A named transition that began, ended or was cancelled.
public struct FrameTransition: Hashable, Sendable {
    /// Its beginning, or one of its two ends.
    public enum Event: String, Hashable, Sendable {
        case began, ended, cancelled
    }

    public var component: String
    public var name: String
    public var event: Event
    /// Seconds from its beginning to its end; 0 where it is instant.
    public var duration: Double
    /// `linear`, `ease-in`, `ease-out`, `ease-in-out` or `default`; nil where there is none.
    public var curve: String?
    /// The spring in place of a curve; nil where there is none.
    public var spring: SpringMotion?

    init(_ component: String, _ transition: Transition) {
        self.component = component
        name = transition.name
        event =
            switch transition.event {
            case .began: .began
            case .ended: .ended
            case .cancelled: .cancelled
            }
        duration = transition.duration
        switch transition.curve {
        case nil: break
        case .timing(let timing): curve = timing.rawValue
        case .spring(let motion): spring = SpringMotion(motion)
        }
    }
}

/// A spring that takes a view from the beginning of its way to the end: on a mass of 1.
public struct SpringMotion: Hashable, Sendable {
    /// Force per distance from the end, in 1/s².
    public var stiffness: Double
    /// Force per speed, in 1/s.
    public var damping: Double
    /// The speed at the beginning, in shares of the way per second.
    public var velocity: Double

    init(_ curve: SpringProgress) {
        stiffness = curve.stiffness
        damping = curve.damping
        velocity = curve.velocity
    }
}

/// A component, and a view of it, that a finger would touch.
public struct Hit: Hashable, Sendable {
    public var component: String
    /// Nil where no view lies, only the component's frame or a running transition.
    public var view: String?
}
