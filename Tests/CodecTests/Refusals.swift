import Interactions
import Testing

/// One body that is refused, its code and a word of its message.
struct Refusal: Sendable, CustomTestStringConvertible {
    var topic: String
    var body: String
    var code: RejectionCode
    var word: String

    init(_ topic: String, _ body: String, _ code: RejectionCode, _ word: String) {
        self.topic = topic
        self.body = body
        self.code = code
        self.word = word
    }

    var testDescription: String { "\(topic) \(body.prefix(80))" }

    static let all = documents + gestures + notifications + commands

    static let documents =
        [
            "", " ", "{", "}", "{]", "nul", "{\"a\":}", "{\"a\":01}", "{\"a\":1.}", "{\"a\":.5}",
            "{\"a\":+1}", "{\"a\":1e}", "{\"a\":0x1}", "{\"a\":1e999,\"b\":01}", "{\"a\":--1}",
            "{\"a\":1e999null}", "{\"a\":nul1e999}", "{\"a\":NaN}", "{'a':1}", "{\"a\":1,}",
            "{} {}",
            "{\"a\":\"\u{1}\"}", "{\"a\":\"\\x\"}", "{\"a\":tru}", "{\"a\" 1}", "\u{feff}{}",
        ].map { Refusal("gesture/a/b", $0, .badJSON, "body") }
        + [
            Refusal("gesture/a/b", "[]", .badJSON, "object"),
            Refusal("gesture/a/b", "\"pan\"", .badJSON, "object"),
            Refusal("gesture/a/b", "12", .badJSON, "object"),
            Refusal("gesture/a/b", "123456789012345678901234567890", .badJSON, "object"),
            Refusal("gesture/a/b", "null", .badJSON, "object"),
            Refusal("gesture/a/b", String(repeating: "[", count: 60_000), .badJSON, "body"),
            Refusal(
                "gesture/a/b",
                "{\"a\":" + String(repeating: "[", count: 5_000)
                    + String(repeating: "]", count: 5_000) + "}", .badJSON, "deep"),
            Refusal("gesture/a/b", String(repeating: " ", count: 65_537), .tooLarge, "65536"),
        ]

    private static let gesturesRows: [(String, RejectionCode, String)] = [
        ("{}", .missingField, "gesture"),
        (#"{"gesture":null}"#, .badValue, "gesture"),
        (#"{"gesture":1}"#, .badValue, "gesture"),
        (#"{"gesture":"wave","phase":"began"}"#, .unknownGesture, "wave"),
        (#"{"gesture":"Pan"}"#, .unknownGesture, "Pan"),
        (#"{"gesture":"longpress"}"#, .missingField, "phase"),
        (#"{"gesture":"longpress","phase":"pressed"}"#, .badValue, "phase"),
        (#"{"gesture":"longpress","phase":"began","x":1}"#, .missingField, "y: is"),
        (#"{"gesture":"longpress","phase":"began","x":1,"y":null}"#, .badValue, "y: must"),
        (#"{"gesture":"wheel","x":1,"y":2}"#, .missingField, "dx and dy"),
        (#"{"gesture":"wheel","phase":"began","momentum":true}"#, .missingField, "dx and dy"),
        (#"{"gesture":"wheel","dx":null}"#, .badValue, "dx: must"),
        (#"{"gesture":"wheel","dx":1,"dy":"2"}"#, .badValue, "dy: must"),
        (#"{"gesture":"wheel","dx":1000001,"dy":2}"#, .badValue, "±1,000,000"),
        (#"{"gesture":"wheel","dy":-1e999}"#, .badValue, "dy: must"),
        (#"{"gesture":"wheel","dy":1,"x":1}"#, .missingField, "y: is"),
        (#"{"gesture":"wheel","dy":1,"y":1}"#, .missingField, "x: is"),
        (#"{"gesture":"wheel","dy":1,"x":1,"y":1e7}"#, .badValue, "y: must"),
        (#"{"gesture":"wheel","dy":1,"phase":"turned"}"#, .badValue, "phase"),
        (#"{"gesture":"wheel","dy":1,"phase":null}"#, .badValue, "phase"),
        (#"{"gesture":"wheel","dy":1,"momentum":1}"#, .badValue, "momentum"),
        (#"{"gesture":"wheel","dy":1,"momentum":null}"#, .badValue, "momentum"),
        (#"{"gesture":"pinch","scale":2}"#, .missingField, "phase"),
        (#"{"gesture":"pinch","phase":"began"}"#, .missingField, "scale"),
        (#"{"gesture":"pinch","phase":"began","scale":"2"}"#, .badValue, "scale"),
        (#"{"gesture":"pinch","phase":"began","scale":0}"#, .badValue, "above 0"),
        (#"{"gesture":"pinch","phase":"began","scale":-1}"#, .badValue, "above 0"),
        (#"{"gesture":"pinch","phase":"began","scale":1e7}"#, .badValue, "scale"),
        (#"{"gesture":"pinch","phase":"began","scale":2,"y":1}"#, .missingField, "x: is"),
        (#"{"gesture":"pinch","phase":"began","scale":2,"velocity":[]}"#, .badValue, "velocity"),
        (#"{"gesture":"rotation","angle":1}"#, .missingField, "phase"),
        (#"{"gesture":"rotation","phase":"ended"}"#, .missingField, "angle"),
        (#"{"gesture":"rotation","phase":"ended","angle":null}"#, .badValue, "angle"),
        (#"{"gesture":"rotation","phase":"ended","angle":1e999}"#, .badValue, "angle"),
        (#"{"gesture":"rotation","phase":"ended","angle":1,"x":1}"#, .missingField, "y: is"),
        (
            #"{"gesture":"rotation","phase":"ended","angle":1,"velocity":1e7}"#, .badValue,
            "velocity"
        ),
        (
            #"{"gesture":"token","phase":"began","x":1,"y":2,"angle":0}"#, .missingField,
            "symbol: is"
        ),
        (
            #"{"gesture":"token","phase":"began","symbol":-1,"x":1,"y":2,"angle":0}"#, .badValue,
            "symbol: must be a whole number from 0 to 2147483647"
        ),
        (
            #"{"gesture":"token","phase":"began","symbol":2147483648,"x":1,"y":2,"angle":0}"#,
            .badValue, "symbol: must"
        ),
        (
            #"{"gesture":"token","phase":"began","symbol":1.5,"x":1,"y":2,"angle":0}"#,
            .badValue, "symbol: must"
        ),
        (#"{"gesture":"token","phase":"began","symbol":1,"x":1,"y":2}"#, .missingField, "angle"),
        (#"{"gesture":"token","phase":"began","symbol":1,"angle":0}"#, .missingField, "x: is"),
        (#"{"gesture":"token","symbol":1,"x":1,"y":2,"angle":0}"#, .missingField, "phase"),
        (
            #"{"gesture":"token","phase":"began","symbol":1,"x":1,"y":2,"angle":0,"user":"a b"}"#,
            .badValue, "user"
        ),
        (#"{"gesture":"pan","x":1,"y":2}"#, .missingField, "phase"),
        (#"{"gesture":"pan","phase":"moved","x":1,"y":2}"#, .badValue, "phase"),
        (#"{"gesture":"pan","phase":1,"x":1,"y":2}"#, .badValue, "phase"),
        (#"{"gesture":"pan","phase":"began","y":2}"#, .missingField, "x: is"),
        (#"{"gesture":"pan","phase":"began","x":1}"#, .missingField, "y: is"),
        (#"{"gesture":"pan","phase":"began","x":"1","y":2}"#, .badValue, "x: must"),
        (#"{"gesture":"pan","phase":"began","x":null,"y":2}"#, .badValue, "x: must"),
        (#"{"gesture":"pan","phase":"began","x":true,"y":2}"#, .badValue, "x: must"),
        (#"{"gesture":"pan","phase":"began","x":1000000.1,"y":2}"#, .badValue, "±1,000,000"),
        (#"{"gesture":"pan","phase":"began","x":1,"y":-1000001}"#, .badValue, "y: must"),
        (#"{"gesture":"pan","phase":"began","x":1e999,"y":2}"#, .badValue, "x: must"),
        (
            #"{"gesture":"pan","phase":"began","x":1,"y":-123456789012345678901}"#, .badValue,
            "y: must"
        ),
        (#"{"gesture":"pan","phase":"ended","x":1,"y":2,"vx":3}"#, .missingField, "vy"),
        (#"{"gesture":"pan","phase":"ended","x":1,"y":2,"vy":3}"#, .missingField, "vx"),
        (#"{"gesture":"pan","phase":"ended","x":1,"y":2,"vx":null,"vy":3}"#, .badValue, "vx"),
        (#"{"gesture":"pan","phase":"ended","x":1,"y":2,"vx":1,"vy":1e7}"#, .badValue, "vy"),
        (#"{"gesture":"pan","phase":"ended","x":1,"y":2,"t":"now"}"#, .badValue, "t: must"),
        (#"{"gesture":"pan","phase":"ended","x":1,"y":2,"t":1e999}"#, .badValue, "t: must"),
        (#"{"gesture":"pan","phase":"ended","x":1,"y":2,"t":null}"#, .badValue, "t: must"),
        (#"{"gesture":"swipe","x":1,"y":2}"#, .missingField, "direction"),
        (#"{"gesture":"swipe","direction":"north","x":1,"y":2}"#, .badValue, "direction"),
        (#"{"gesture":"swipe","direction":3,"x":1,"y":2}"#, .badValue, "direction"),
        (#"{"gesture":"swipe","direction":"up"}"#, .missingField, "row"),
        (#"{"gesture":"swipe","direction":"up","x":1}"#, .missingField, "y: is"),
        (#"{"gesture":"swipe","direction":"up","row":1.5}"#, .badValue, "row"),
        (#"{"gesture":"tap"}"#, .missingField, "index or row"),
        (#"{"gesture":"tap","y":1}"#, .missingField, "x: is"),
        (#"{"gesture":"tap","index":"1"}"#, .badValue, "index"),
        (#"{"gesture":"tap","index":1e30}"#, .badValue, "index"),
        (#"{"gesture":"tap","row":null,"x":1,"y":2}"#, .badValue, "row"),
        (#"{"gesture":"scroll","phase":"began"}"#, .missingField, "offset"),
        (#"{"gesture":"scroll","offset":1}"#, .missingField, "phase"),
        (#"{"gesture":"scroll","phase":"began","offset":[]}"#, .badValue, "offset"),
        (#"{"gesture":"pointer","phase":"began","x":1,"y":2}"#, .missingField, "pointer"),
        (
            #"{"gesture":"pointer","phase":"began","pointer":0.5,"x":1,"y":2}"#, .badValue,
            "pointer"
        ),
        (#"{"gesture":"pointer","phase":"began","pointer":1,"x":1}"#, .missingField, "y: is"),
    ]
    private static let touches: [(String, String)] = [
        (#""kind":"thumb""#, "key kind: must be finger, pen, mouse or palm"),
        (#""kind":null"#, "key kind: must be"), (#""kind":2"#, "key kind: must be"),
        (#""pressure":1.01"#, "key pressure: must be a number from 0 to 1"),
        (#""pressure":-0.01"#, "key pressure: must be"),
        (#""pressure":"hard""#, "key pressure: must be"),
        (#""pressure":null"#, "key pressure: must be"), (#""user":"""#, "key user: must be"),
        (#""user":"a b""#, "key user: must be"), (#""user":7"#, "key user: must be"),
    ]

    static let gestures =
        gesturesRows.map { Refusal("gesture/a/b", $0.0, $0.1, $0.2) }
        + touches.map { field, message in
            let body = #"{"gesture":"pointer","phase":"began","pointer":1,"x":1,"y":2,\#(field)}"#
            return Refusal("gesture/a/b", body, .badValue, message)
        }

    private static let notificationsRows: [(String, RejectionCode, String)] = [
        ("{}", .missingField, "kind"),
        (#"{"kind":1}"#, .badValue, "kind"),
        (#"{"kind":""}"#, .badValue, "kind"),
        (#"{"kind":"a b"}"#, .badValue, "kind"),
        (#"{"kind":"likes","add":-1}"#, .badValue, "add"),
        (#"{"kind":"likes","add":1.5}"#, .badValue, "add"),
        (#"{"kind":"likes","add":"1"}"#, .badValue, "add"),
        (#"{"kind":"likes","add":null}"#, .badValue, "add"),
        (#"{"kind":"likes","add":-123456789012345678901}"#, .badValue, "add"),
        (#"{"kind":"likes","add":1,"set":1}"#, .badValue, "beside add"),
        (#"{"kind":"likes","set":-1}"#, .badValue, "set"),
        (#"{"kind":"likes","set":9007199254740992}"#, .badValue, "9007199254740991"),
        (#"{"kind":"likes","set":123456789012345678901234567890}"#, .badValue, "set"),
        (#"{"kind":"likes","id":""}"#, .badValue, "id"),
        (#"{"kind":"likes","id":5}"#, .badValue, "id"),
        (#"{"kind":"likes","id":"\#(String(repeating: "i", count: 65))"}"#, .badValue, "id"),
    ]

    static let notifications = notificationsRows.map { Refusal("notification/a", $0.0, $0.1, $0.2) }

    private static let commandsRows: [(String, String, RejectionCode, String)] = [
        ("command/a", "{}", .missingField, "command"),
        ("command/a", #"{"command":null}"#, .badValue, "command"),
        ("command/a", #"{"command":"opened"}"#, .unknownCommand, "opened"),
        ("command/a", #"{"command":"select"}"#, .unknownCommand, "select"),
        ("command/a", #"{"command":"open"}"#, .missingField, "scene"),
        ("command/a", #"{"command":"open","scene":7}"#, .badValue, "scene"),
        ("command/a", #"{"command":"open","scene":null}"#, .badValue, "scene"),
        ("command/a", #"{"command":"open","scene":{}}"#, .badScene, "viewport"),
        (
            "command/a",
            #"{"command":"open","scene":{"viewport":[1,1],"components":[{"id":"t","kind":"x"}]}}"#,
            .badScene, "component t, key kind"
        ),
        ("command/a", #"{"command":"close","id":[]}"#, .badValue, "id"),
        ("command/a/tabs", "{}", .missingField, "command"),
        ("command/a/tabs", #"{"command":["hide"]}"#, .badValue, "command"),
    ]

    static let commands = commandsRows.map { Refusal($0.0, $0.1, $0.2, $0.3) }
}
