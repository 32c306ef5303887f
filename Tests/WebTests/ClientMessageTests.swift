import Notation
import Testing

@testable import Web

struct ClientMessageTests {
    private func message(_ text: String) throws(ClientFault) -> ClientMessage {
        try ClientMessage(Array(text.utf8))
    }

    @Test func onlyFaultsThatAClientCanAvoidCountAgainstIt() {
        #expect(ClientFault("unauthorized", "").weight == 0)
        #expect(ClientFault("unavailable", "").weight == 0)
        for code in ["busy", "bad-json", "bad-topic", "too-large", "bad-value", "missing-field"] {
            #expect(ClientFault(code, "").weight == 1)
        }
    }

    @Test func eachKindIsRead() throws {
        #expect(try message(#"{"subscribe":"a/"}"#) == .subscribe(Array("a/".utf8)))
        #expect(try message(#"{"unsubscribe":""}"#) == .unsubscribe([]))
        #expect(try message(#"{"bind":"alice"}"#) == .bind("alice"))
        #expect(try message(#"{"unbind":"a.~_-"}"#) == .unbind("a.~_-"))
        #expect(
            try message(#"{"body":{ "x":1.0 },"topic":"gesture/a","more":[]}"#)
                == .publish(topic: Array("gesture/a".utf8), body: Array(#"{ "x":1.0 }"#.utf8)))
    }

    @Test func aRequestGoesOnUnchangedUnderAnotherNumber() throws {
        let text = #"{"request":{ "op":"open", "id":{"a":[1e400]}, "scene":{"b" : 1.10} }}"#
        guard case .request(let request) = try message(text) else {
            Issue.record("no request")
            return
        }
        #expect(request.operation.elementsEqual("open".utf8))
        #expect(request.id.map { String(decoding: $0, as: UTF8.self) } == #"{"a":[1e400]}"#)
        #expect(
            String(decoding: request.text(number: 7), as: UTF8.self)
                == #"{"id":7,"op":"open","scene":{"b" : 1.10}}"#)
        let reply = DaemonReply(Array(#"{"id":7,"ok":true,"created":true}"#.utf8))
        #expect(reply?.number == 7)
        let back = reply.map { ServerMessage.reply(id: request.id, $0) }
        #expect(
            back.map { String(decoding: $0, as: UTF8.self) }
                == #"{"reply":{"id":{"a":[1e400]},"ok":true,"created":true}}"#)
    }

    /// The daemon would refuse it, and a thousand of a MiB may wait where the daemon does not read.
    @Test func anEventWithTooLongABodyIsRefused() {
        func text(_ count: Int) -> String {
            #"{"topic":"notification/a","body":""#
                + String(repeating: "x", count: count - 2) + #""}"#
        }
        #expect(throws: Never.self) { try message(text(Limits.webBodyBytesMax)) }
        #expect {
            try message(text(Limits.webBodyBytesMax + 1))
        } throws: { error in
            (error as? ClientFault)?.code == "too-large"
        }
    }

    /// Each of them costs, and a message has room for 150,000.
    @Test(arguments: [("", ""), (#""request":{"#, "}")])
    func aMessageWithTooManyMembersIsRefusedUnread(_ beginning: String, _ end: String) {
        func text(_ count: Int) -> String {
            let first = beginning.isEmpty ? #""subscribe":"a""# : #""op":"time""#
            let more = (1..<count).map { #""x\#($0)":0"# }
            return "{\(beginning)\(([first] + more).joined(separator: ","))\(end)}"
        }
        #expect(throws: Never.self) { try message(text(Limits.webMembersMax)) }
        for count in [Limits.webMembersMax + 1, 80_000] {
            #expect {
                try message(text(count))
            } throws: { error in
                (error as? ClientFault)?.code == "bad-value"
            }
        }
    }

    /// Swift takes a tenth of a second to tell names of a MB apart, for which all clients waited.
    @Test func longNamesAreNotLookedAt() throws {
        let name = String(repeating: "\u{344}", count: Limits.webNameBytesMax)
        #expect(
            try message(#"{"\#(name)":0,"unsubscribe":"a","\#(name)":1}"#)
                == .unsubscribe(Array("a".utf8)))
        let text = #"{"request":{"op":"hello","\#(name)":"a","\#(name)":1}}"#
        guard case .request(let request) = try message(text) else {
            Issue.record("no request")
            return
        }
        #expect(request.operation.elementsEqual("hello".utf8))
        #expect(request.members.elementsEqual(text.utf8.dropFirst(12).dropLast(2)))
    }

    @Test func aRequestWithoutAnIdIsAnsweredWithoutOne() throws {
        guard case .request(let request) = try message(#"{"request":{}}"#) else {
            Issue.record("no request")
            return
        }
        #expect(request.id == nil && request.operation.isEmpty)
        #expect(String(decoding: request.text(number: 3), as: UTF8.self) == #"{"id":3}"#)
        let reply = try #require(DaemonReply(Array(#"{"id":3,"ok":true}"#.utf8)))
        let text = String(decoding: ServerMessage.reply(id: nil, reply), as: UTF8.self)
        #expect(text == #"{"reply":{"ok":true}}"#)
    }

    @Test(arguments: [
        #"{"ok":true}"#, #"{"id":"7","ok":true}"#, #"{"id":7.5,"ok":true}"#, #"{"id":-"#, "", "{",
        #"{"id":99999999999999999999,"ok":true}"#, #"{"id":7"#, #"{"id":7,"#,
    ])
    func whatIsNoNumberedReplyIsPassedOver(text: String) {
        #expect(DaemonReply(Array(text.utf8)) == nil)
    }

    /// They are hashed at each choice of the next request.
    @Test func aRequestKeepsNoLongerNamesThanThereAre() throws {
        func request(_ members: String) throws -> ClientRequest? {
            guard case .request(let request) = try message("{\"request\":{\(members)}}") else {
                return nil
            }
            return request
        }
        let longest = String(repeating: "a", count: Name.bytesMax)
        let session = try request(#""session":"\#(longest)""#)?.session
        #expect(session == Array(longest.utf8))
        let ofTopic = try request(#""topic":"touch/\#(longest)/b""#)?.session
        #expect(ofTopic == Array(longest.utf8))
        for member in [
            #""session":"\#(longest)a""#, #""topic":"touch/\#(longest)a""#,
            #""topic":"\#(String(repeating: "a", count: 2_000))/b""#,
        ] {
            let read = try #require(try request(member))
            #expect(read.session == nil && read.members == Array(member.utf8))
        }
        let operation = String(repeating: "o", count: Limits.webOperationBytesMax)
        let known = try request(#""op":"\#(operation)""#)?.operation
        #expect(known == Array(operation.utf8))
        let long = try #require(try request(#""op":"\#(operation)o""#))
        #expect(long.operation.isEmpty && long.members.count == operation.utf8.count + 8)
    }

    /// Escapes are read into a tree, and marks are looked up, for which all clients waited.
    @Test(arguments: [
        ("topic", Name.topicBytesMax, "bad-topic"),
        ("subscribe", Name.topicBytesMax, "too-large"),
        ("unsubscribe", Name.topicBytesMax, "too-large"), ("bind", Name.bytesMax, "bad-value"),
        ("unbind", Name.bytesMax, "bad-value"),
    ])
    func aTextThatIsWrittenTooLongIsRefusedUnread(verb: String, max: Int, code: String) {
        func text(_ value: String) -> String { #"{"\#(verb)":"\#(value)","body":{}}"# }
        let longest = String(repeating: #"\u0061"#, count: max)
        #expect(throws: Never.self) { try message(text(longest)) }
        // Read, these would be no JSON.
        #expect {
            try message(text(longest + #"\ud800"#))
        } throws: { error in
            (error as? ClientFault)?.code == code
        }
    }

    @Test(arguments: [
        (#""op":"publish","topic":"touch/a","body":{"x":[{"id":1}],"id":"b"}"#, true),
        (#""body":{ "id" : {} },"op":"publish""#, true),
        (#""op":"publish","body":{"x":{"id":1}}"#, false), (#""op":"publish","body":{}"#, false),
        (#""op":"publish","body":["id"]"#, false), (#""op":"publish""#, false),
        (#""op":"publish","bodies":{"id":1}"#, false), (#""op":"open","body":{"id":1}"#, false),
    ])
    func onlyAnEventWithAnIDCountsOnce(members: String, countsOnce: Bool) throws {
        guard case .request(let request) = try message("{\"request\":{\(members)}}") else {
            Issue.record("no request")
            return
        }
        #expect(request.countsOnce == countsOnce)
    }

    @Test(arguments: [
        ("[]", "bad-json"), ("{}", "missing-field"), (#"{"topic":"a"}"#, "missing-field"),
        (#"{"topic":1,"body":{}}"#, "bad-value"), (#"{"subscribe":"a","topic":"b"}"#, "bad-value"),
        (#"{"a\u0041":1}"#, "bad-json"), (#"{"request":{"i\u0064":1}}"#, "bad-json"),
        (#"{"request":{"op":"a","op":"b"}}"#, "bad-value"), (#"{"request":[]}"#, "bad-json"),
        (#"{"subscribe":"\ud800"}"#, "bad-json"), (#"{"bind":"a","unbind":"a"}"#, "bad-value"),
        (#"{"bind":""}"#, "bad-value"), (#"{"bind":"-"}"#, "bad-value"),
        (#"{"bind":"a\",\"op\":\"b"}"#, "bad-value"), (#"{"unbind":["a"]}"#, "bad-value"),
    ])
    func eachFaultHasItsCode(text: String, code: String) {
        #expect { try message(text) } throws: { ($0 as? ClientFault)?.code == code }
    }
}
