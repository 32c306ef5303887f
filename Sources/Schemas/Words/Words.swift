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

    static let when = [
        "component": "A component: with `transition` or `phase`.",
        "transition": "A transition of the component.",
        "event": "The transition's event, or the token's: put, lifted or turned.",
        "row": "The row that the transition must be about.",
        "boundary": "The boundary that the item must touch.",
        "with": "The other item that the item must touch.",
        "token": "The symbol of the token; by default any token.",
        "from": "Where the transition must come from: an index, a screen or an anchor.",
        "to": "Where the transition must lead: an index, a screen or an anchor.",
        "item": "The item that the transition must be about.",
        "phase": "A phase that the component enters.",
        "notification": "A kind: any notification of it.",
        "badge": "A kind: its count passes `above`, upwards, or `below`, downwards.",
        "above": "The number that must be passed upwards, or that the variable must exceed.",
        "below": "The number that must be passed downwards, or that the variable must not reach.",
        "is": "The value that the variable must have.",
        "variable": "A variable that changes, and then is so.",
        "session": "The session is opened, comes back, or gets another viewport.",
        "idle": "Seconds without a touch; again only after the next touch.",
        "every": "Seconds, again and again from the opening on.",
    ]

    static let condition = [
        "component":
            "A component that is in a phase, or that has a part which is selected or open.",
        "phase": "The phase that it must be in.",
        "row": "The row that is meant.", "item": "The item that is meant.",
        "selected": "Whether the row or item must be selected.",
        "open": "Whether the row must be open.",
        "badge": "A kind whose count must be so; above 0 where nothing else is said.",
        "variable": "A variable that must be so.",
        "is": "The value that it must have.",
        "above": "The number that it must exceed.",
        "below": "The number that it must not reach.",
        "not": "A condition that must not hold.",
    ]

    static let deed = [
        "component": "The component that takes the command; `badges` for the counts.",
        "command": "One of the commands of its kind, or `set`.",
        "values": "Keys that are written anew.",
        "kind": "The kind whose count changes; for `clear` all by default.",
        "count": "How many more there are, 1 by default, or how many there are.",
        "after": "Seconds to wait; if it happens again meanwhile, the wait begins anew.",
        "variable": "The variable that gets another value.",
        "set": "Its new value.", "add": "The number that is added to it.",
        "cancel": "The id of reactions whose waits end.",
        "session": "A command to the session itself.",
        "scene": "The name of the scene that the session becomes.",
        "viewport": "The new viewport, [w, h].", "insets": "The new insets.",
        "tips": "Cards to show instead of the scene's.",
        "screen": "The screen to show.", "transition": "How the screen comes.",
        "duration": "Seconds.", "action": "The action to choose; without it the row closes.",
        "index": "The item's index, from 0.", "row": "The row's number, from 0.",
        "item": "An item: its id, or for `add-item` its table.",
        "behavior": "A behavior: its id, or for `add-behavior` its table.",
        "dx": "Points per second to the right.", "dy": "Points per second down.",
        "angular": "Radians per second.", "on": "Whether the button is on from then on.",
        "to": "The anchor to go to.",
        "animated": "Whether it moves there; else it is there at once.",
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

    static let commands = [
        "kind": "The kind whose count is cleared; all by default.",
        "scene": "A scene's name, or a scene.",
        "replace": "Whether an open session becomes the scene.",
        "revision": "The change happens only while the session's scene has this revision.",
        "component": "The component whose keys are written anew.",
        "values": "Keys that are written anew, with their values.",
        "item": "An item of a dynamics, by its id.",
        "behavior": "A behavior of a dynamics, by its id.",
        "row-item": "A row of a list, by its id.", "new-row": "The row, as in scenes.",
        "at": "The place of the row among the others, from 0.",
        "new-item": "The item, as in scenes.", "new-behavior": "The behavior, as in scenes.",
        "tips": "Cards that show instead of the scene's until they are dismissed.",
        "screen": "The screen to show.", "transition": "How it comes or the shown one goes.",
        "back-transition": "How the shown screen goes; by default as the scene says.",
        "duration": "Seconds of the transition, instead of the scene's.",
        "action": "The action of the open row's menu; without it the row closes.",
        "index": "An item by its number, from 0.", "row": "A row by its number, from 0.",
        "dx": "Points per second to the right.", "dy": "Points per second down.",
        "angular": "Radians per second.", "on": "Whether the button is on from then on.",
        "to": "The anchor to go to.",
        "animated": "Whether it moves there; else it is there at once.",
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
