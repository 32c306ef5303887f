import Gestures

/// The meaning of keys in a few words each, for editors and for people who read the schemas.
enum Words {
    /// The words for a key of the table at a path, or of one that holds it.
    static func about(_ key: String, at path: String) -> String? {
        var parts = path.split(separator: ".")
        while !parts.isEmpty {
            let place = parts.joined(separator: ".")
            if let words = parameters["\(place).\(key)"] { return words }
            parts.removeLast()
        }
        return component[key]
    }

    /// The words for a key in one case of a table; without its own, those for the key in any.
    static func about(_ key: String, of place: String, in words: [String: String]) -> String? {
        words["\(place).\(key)"] ?? words[key]
    }

    static let content = "For renderers: handed through unread."

    static let described = "A scene of the configuration, by its name."

    static let scene = [
        "name": "The scene's name; that of its file by default.",
        "viewport": "The screen's size in points, [w, h].",
        "insets":
            "The edges that the display covers, [top, left, bottom, right]; safe frames heed them.",
        "frame_rate": "Frames a second while something moves; the configuration's by default.",
        "seed": "Seeds the session's generator of chance; by default from the session's name.",
        "velocity": "How a release is measured.",
        "language": "The language of texts for those who choose none; by default a text's first.",
        "variables": "Names with their first values: numbers, texts, true or false. They are kept.",
        "components": "The parts of the screen in the order of painting, the first at the back.",
        "reactions": "Things that the scene does by itself: when this happens, do that.",
    ]

    static let component = [
        "id": "Names the component in topics; no other one has it.",
        "kind": "The kind says what the component does, and its other keys.",
        "in":
            "Its holder: \"component/slot\" of an earlier component; by default the viewport.",
        "frame":
            "[x, y, w, h] in what holds it, or a table of places and lengths; all by default.",
        "clip": "Whether its views, and what they hold, are cut at its frame.",
        "content": "How it looks, for renderers: handed through unread.",
    ]

    static let kinds = [
        "tips": "Cards that turn like a clock's hand on a pin below their middle.",
        "toss": "A view that hangs on the finger and can be thrown.",
        "navigation": "Screens on a stack. One of them shows.",
        "profile": "A header that follows the scroll.",
        "list": "Rows, one of which can be opened sideways, with a menu.",
        "reader": "Pages. A pull at an end brings in the previous or the next one.",
        "tabs": "A tab bar with an arrow, glows and a bubble that shows counts.",
        "dynamics": "A world of items that behaviors move by the rules of UIKit Dynamics.",
        "button": "A box that is tapped, and may be on or off.",
        "label": "A text or a picture that changes.",
        "panel": "A box that is dragged between places: a sheet, a drawer, a slider.",
    ]

    static let gestures: [GestureKind: String] = [
        .pan: "A finger that drags.",
        .swipe: "A quick stroke, on a row or at a point.",
        .tap: "A tap, on an item, a row or at a point.",
        .scroll: "The vertical offset of a client's own scroll view.",
        .wheel: "A turn of a wheel, or of fingers on a pad.",
        .pointer: "A raw contact, in which the daemon recognises gestures.",
        .longpress: "A finger that stays where it landed.",
        .pinch: "Two fingers that spread or close.",
        .rotation: "Two fingers that turn.",
        .token: "A marked object that lies on a table.",
    ]

    static let events = [
        "x": "Points from the left edge.", "y": "Points from the top edge.",
        "vx": "Points per second to the right; without vx and vy the daemon measures.",
        "vy": "Points per second down.",
        "dx": "Points that the content moves to the left.",
        "dy": "Points that the content moves up: the offset grows by them.",
        "offset": "The content's offset in points, negative when pulled down beyond the top.",
        "pointer": "The contact's number, which its publisher chooses.",
        "kind": "What the contact is; a palm is no contact, and cancels one that becomes it.",
        "pressure": "How hard it presses, as a part of the most that its device knows.",
        "user": "The person whose contact it is, by a name that its publisher chooses.",
        "scale": "The fingers' distance relative to the beginning.",
        "angle": "Radians since the beginning, clockwise on screen.",
        "symbol": "The number of the object's mark.",
        "token-angle": "Radians from where the mark stands upright, clockwise on screen.",
        "momentum": "Whether the source goes on by itself after the fingers have left.",
        "index": "An item by its number, from 0.", "row": "A row by its number, from 0.",
        "direction": "Where the stroke goes.",
    ]

    static let heartbeat = [
        "sessions": "Sessions that are open now.", "moving": "How many of them move.",
        "events": "Events since the start.", "rejected": "Events refused since the start.",
        "updates": "Updates since the start.",
    ]
}
