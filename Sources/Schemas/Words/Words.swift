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

    static let content = "For renderers: handed through unread."

    static let described = "A scene of the configuration, by its name."

    static let scene = [
        "name": "The scene's name; that of its file by default.",
        "viewport": "The screen's size in points, [w, h].",
        "insets":
            "The edges that the display covers, [top, left, bottom, right]; they move nothing.",
        "frame_rate": "Frames a second while something moves; the configuration's by default.",
        "seed": "Seeds the session's generator of chance; by default from the session's name.",
        "velocity": "How a release is measured.",
        "components": "The parts of the screen in the order of painting, the first at the back.",
        "reactions": "Things that the scene does by itself: when this happens, do that.",
    ]

    static let component = [
        "id": "Names the component in topics; no other one has it.",
        "kind": "The kind says what the component does, and its other keys.",
        "in":
            "Its holder: \"component/slot\" of an earlier component; by default the viewport.",
        "frame": "[x, y, w, h] in what holds it; all of that by default.",
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
    ]

    static let when = [
        "component": "A component: with `transition` or `phase`.",
        "transition": "A transition of the component.",
        "event": "The transition begins, ends, or is cancelled.",
        "from": "Where the transition must come from: an index, or a screen.",
        "to": "Where the transition must lead: an index, or a screen.",
        "item": "The item that the transition must be about.",
        "phase": "A phase that the component enters.",
        "notification": "A kind: any notification of it.",
        "badge": "A kind: its count is raised above `above`.",
        "above": "The count that must be passed.",
        "session": "The session is opened, comes back, or gets another viewport.",
    ]

    static let deed = [
        "component": "The component that takes the command; `badges` for the counts.",
        "command": "One of the commands of its kind, or `set`.",
        "values": "Keys that are written anew.",
        "kind": "The kind whose count is cleared; all by default.",
        "tips": "Cards to show instead of the scene's.",
        "screen": "The screen to show.", "transition": "How the screen comes.",
        "duration": "Seconds.", "action": "The action to choose; without it the row closes.",
        "index": "The item's index, from 0.",
        "item": "An item: its id, or for `add-item` its table.",
        "behavior": "A behavior: its id, or for `add-behavior` its table.",
        "dx": "Points per second to the right.", "dy": "Points per second down.",
        "angular": "Radians per second.",
    ]

    static let gestures: [GestureKind: String] = [
        .pan: "A finger that drags.",
        .swipe: "A quick stroke, on a row or at a point.",
        .tap: "A tap, on an item, a row or at a point.",
        .scroll: "The vertical offset of a client's own scroll view.",
        .wheel: "A turn of a wheel, or of fingers on a pad.",
        .pointer: "A raw contact, in which the daemon recognises gestures.",
        .longpress: "A finger that stays. No kind knows it yet.",
        .pinch: "Two fingers that spread or close.",
        .rotation: "Two fingers that turn.",
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
        "momentum": "Whether the source goes on by itself after the fingers have left.",
        "index": "An item by its number, from 0.", "row": "A row by its number, from 0.",
        "direction": "Where the stroke goes.",
    ]

    static let commands = [
        "kind": "The kind whose count is cleared; all by default.",
        "scene": "A scene's name, or a scene.",
        "replace": "Whether an open session becomes the scene.",
        "component": "The component whose keys are written anew.",
        "values": "Keys that are written anew, with their values.",
        "item": "An item of a dynamics, by its id.",
        "behavior": "A behavior of a dynamics, by its id.",
        "new-item": "The item, as in scenes.", "new-behavior": "The behavior, as in scenes.",
        "tips": "Cards that show instead of the scene's until they are dismissed.",
        "screen": "The screen to show.", "transition": "How it comes or the shown one goes.",
        "duration": "Seconds of the transition, instead of the scene's.",
        "action": "The action of the open row's menu; without it the row closes.",
        "index": "An item by its number, from 0.",
        "dx": "Points per second to the right.", "dy": "Points per second down.",
        "angular": "Radians per second.",
    ]

    static let heartbeat = [
        "sessions": "Sessions that are open now.", "moving": "How many of them move.",
        "events": "Events since the start.", "rejected": "Events refused since the start.",
        "updates": "Updates since the start.",
    ]

    static let view = [
        "x": "The center, in points.", "y": "The center, in points.",
        "w": "The width before the transform.", "h": "The height before the transform.",
        "rotation": "Radians, clockwise on screen, in (−π, π].", "scale": "A factor.",
        "alpha": "0 is transparent, 1 is opaque.", "z": "A higher one is in front.",
        "cut": "Grows when the view is placed anew instead of moved; absent while 0.",
    ]

    static let model = [
        "frame": "[x, y, w, h]: where the item rests.",
        "offset": "How far the content is scrolled, in points.",
    ]
}
