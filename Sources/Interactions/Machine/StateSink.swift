package import Geometry
package import Notation

/// Receives what a component shows, field by field: an encoder, or a test's picture.
///
/// The order of the calls is the order on the wire. A component writes its model's fields first,
/// then its views. Names are literals, which are written as they stand, or `named` by a scene.
package protocol StateSink {
    mutating func field(_ name: StaticString, _ value: Int)
    mutating func field(named name: String, _ value: Int)
    mutating func field(_ name: StaticString, _ value: Bool)
    mutating func field(_ name: StaticString, _ value: String?)
    /// A text of a scene, as it is shown.
    mutating func field(_ name: StaticString, text: SceneText?)
    mutating func field(_ name: StaticString, _ values: StrideThrough<Int>)
    mutating func field(_ name: StaticString, _ values: [String])
    /// A length in points, rounded to 1/1,000 on the wire.
    mutating func field(_ name: StaticString, points: Double)
    /// An angle in radians, rounded as those of views.
    mutating func field(_ name: StaticString, radians: Double)
    /// A frame `[x, y, w, h]`, in points.
    mutating func field(_ name: StaticString, frame: Rect)
    /// A table that is handed through unread.
    mutating func field(_ name: StaticString, content: Node)
    /// Opens an object under `name`; `close` ends it.
    mutating func open(_ name: StaticString)
    mutating func close()
    /// Opens a list of objects under `name`; `closeList` ends it.
    mutating func openList(_ name: StaticString)
    /// Opens the list's next object; `close` ends it.
    mutating func openElement()
    mutating func closeList()
    /// A field that is null.
    mutating func null(_ name: StaticString)

    mutating func view(_ name: StaticString, _ state: ViewState)
    mutating func view(named name: String, _ state: ViewState)
    /// A view whose name ends in a number, as `glow-3`.
    mutating func view(_ name: StaticString, number: Int, _ state: ViewState)
    /// A view whose name ends in an id, which is a valid name, as `item-home`.
    mutating func view(_ name: StaticString, id: String, _ state: ViewState)
}

extension StateSink {
    /// For sinks of what is drawn.
    package mutating func field(_ name: StaticString, content: Node) {}

    /// For sinks that round nothing.
    package mutating func field(_ name: StaticString, radians: Double) {
        field(name, points: radians)
    }

    /// For sinks that know no values of templates.
    package mutating func field(_ name: StaticString, text: SceneText?) {
        field(name, text?.shown(nil))
    }
}
