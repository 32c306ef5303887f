import Geometry
import Notation
import Protocol
import Testing

private let long = String(repeating: "a", count: 64)

@Test(
    "A topic says what its event is about",
    arguments: [
        ("gesture/alice/toss", Topic.gesture(session: "alice", component: "toss")),
        ("gesture/alice", .gesture(session: "alice", component: nil)),
        ("notification/alice", .notification(session: "alice")),
        ("command/alice/tabs", .command(session: "alice", component: "tabs")),
        ("command/alice", .command(session: "alice", component: nil)),
        ("gesture/A.z_0~9-/.", .gesture(session: "A.z_0~9-", component: ".")),
        ("gesture/\(long)/\(long)", .gesture(session: long, component: long)),
    ])
func topicIsRead(text: String, expected: Topic) throws {
    #expect(try Topic(text) == expected)
}

@Test(
    "What is no topic is refused",
    arguments: [
        "", "/", "gesture", "gesture/", "gesture/alice/", "gesture//toss",
        "gesture/alice/toss/", "gesture/alice/toss/x", "gesture/al ice/toss", "gesture/alice/t\0ss",
        "gesture/älice/toss", "gesture/alice/to:ss", "gesture/alice/to@ss", "gesture/alice/to[ss",
        "gesture/alice/to`ss", "gesture/alice/to{ss", "gesture/alice/to\u{7f}ss",
        "gesture/\(long)a/toss", "gesture/alice/\(long)a", "notification/alice/tabs",
        "notification/", "command/", "command//x", "commands/alice", "Gesture/alice/toss",
        "state/alice/toss", "notificatiom/alice", "/alice/toss",
        "gesture/" + String(repeating: "a", count: 193),
    ])
func topicIsRefused(text: String) {
    #expect(throws: TopicError.self) { try Topic(text) }
}

@Test(
    arguments: [
        "gesture/s/c", "gesture/s", "gesture/s/", "gesture//c", "gesture/", "gesture", "", "g",
        "gesture/\u{e4}/c", "gesture/s/c/d", "command/s/c", "notification/s", "gesture/a.b/~-_9",
    ])
func theNamesOfAGestureAreThoseOfItsTopic(text: String) {
    let bytes = Array(text.utf8)
    let names = unsafe bytes.withUnsafeBytes { unsafe Topic.namesOfGesture($0) }
    let found = names.map { (bytes[$0.session], bytes[$0.component]) }
    func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        Name.isValid(String(decoding: bytes, as: UTF8.self))
    }
    if case .gesture(let session, let component?) = try? Topic(text) {
        #expect(found?.0.elementsEqual(session.utf8) == true)
        #expect(found?.1.elementsEqual(component.utf8) == true)
    } else if let found {
        // Nothing that is there has such a name.
        #expect(!isName(found.0) || !isName(found.1))
    }
}

@Test("Exactly the bytes of the contract are a name's")
func nameBytes() {
    let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-".utf8)
    for byte in UInt8.min...UInt8.max {
        let topic: [UInt8] = Array("notification/a".utf8) + [byte]
        let isTopic = (try? Topic(topic)) != nil
        #expect(isTopic == allowed.contains(byte), "byte \(byte)")
    }
    #expect((try? Topic("notification/-")) == nil, "what belongs to no session stands there")
    #expect((try? Topic("command/--/-")) != nil)
    #expect(Name.isValid(long))
    #expect(!Name.isValid(long + "a"))
    #expect(!Name.isValid(""))
}

@Test(
    "A topic's session is found without reading the rest",
    arguments: [
        ("gesture/alice/toss", "alice"), ("command/alice", "alice"), ("state/al/", "al"),
        ("x/y", "y"), ("gesture", nil), ("gesture/", nil), ("gesture//x", nil), ("", nil),
    ] as [(String, String?)])
func sessionIsFound(text: String, session: String?) {
    let bytes = Array(text.utf8)
    let found = unsafe Topic.session(in: bytes.span.bytes)
    #expect(found.map { String(decoding: bytes[$0.range], as: UTF8.self) } == session)
    #expect(found?.hash.value == session.map { StableHash($0).value })
}
