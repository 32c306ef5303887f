package import Geometry
package import Motion

/// A named change from one state to another, as published on `transition/…`.
package struct Transition: Hashable, Sendable, Codable {
    package enum Event: String, Hashable, Sendable, Codable, CaseIterable {
        case began, ended, cancelled
    }

    /// The page or the screen at one end of a transition.
    package enum End: Hashable, Sendable, Codable {
        case index(Int)
        case screen(String)
    }

    /// Two items that touch, or an item and a boundary.
    package struct Meeting: Hashable, Sendable, Codable {
        /// Both items, or the item that touches `boundary`.
        package var items: [String]
        package var boundary: String?
        /// In points in the viewport.
        package var point: Vector
        /// The strength of the touch where it begins, in pt/s where mass 1 is a square of 100 pt;
        /// nil where it ends.
        package var impulse: Double?

        package init(items: [String], boundary: String?, point: Vector, impulse: Double? = nil) {
            self.items = items
            self.boundary = boundary
            self.point = point
            self.impulse = impulse
        }
    }

    /// A row of a list that a transition is about.
    package struct Row: Hashable, Sendable, Codable {
        /// Counted from 0.
        package var number: Int
        /// The side that it opens to, or closes from: `left` or `right`.
        package var direction: String?
        /// The action of its menu that was chosen.
        package var action: String?
        /// The row's id, where it was selected and has one.
        package var item: String?

        package init(
            _ number: Int, direction: String? = nil, action: String? = nil, item: String? = nil
        ) {
            self.number = number
            self.direction = direction
            self.action = action
            self.item = item
        }
    }

    package var name: String
    package var event: Event
    package var from: End?
    package var to: End?
    /// In seconds.
    package var duration: Double
    /// Nil: several curves, or none.
    package var curve: MotionCurve?
    /// Set for contacts.
    package var meeting: Meeting?
    /// Set for rows of a list.
    package var row: Row?
    /// Whether a button is on then. Set for buttons.
    package var isOn: Bool?
    /// The item that was tapped. Set for taps.
    package var item: String?
    /// The number of the tip that was tapped, from 0. Set for taps on tips.
    package var index: Int?
    /// The symbol of a token. Set for tokens.
    package var token: Int?
    /// Its angle in radians, in (−π, π]. Set for tokens.
    package var angle: Double?

    /// The keys are a file format.
    private enum CodingKeys: String, CodingKey {
        case name, event, from, to, duration, curve, meeting, row
        case isOn = "on"
        case item, index, token, angle
    }

    package init(
        _ name: String, _ event: Event, from: End? = nil, to: End? = nil, duration: Double = 0,
        curve: MotionCurve? = nil, meeting: Meeting? = nil, row: Row? = nil, isOn: Bool? = nil,
        item: String? = nil, index: Int? = nil
    ) {
        self.name = name
        self.event = event
        self.from = from
        self.to = to
        self.duration = duration
        self.curve = curve
        self.meeting = meeting
        self.row = row
        self.isOn = isOn
        self.item = item
        self.index = index
    }
}
