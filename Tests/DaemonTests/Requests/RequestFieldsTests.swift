import Geometry
import Interactions
import Notation
import Protocol
import Testing

@testable import Daemon

struct RequestFieldsTests {
    @Test(arguments: [
        (#"{"op":"publish","body":{"kind":"likes"},"topic":"t"}"#, #"{"kind":"likes"}"#),
        (#" { "body" : [1, {"a":"}]\"" } ] } "#, #"[1, {"a":"}]\"" } ]"#),
        (#"{"body":7,"body": "x\\"}"#, #""x\\""#),
        (#"{"a":{"body":1},"body":null}"#, "null"),
        (#"{"body":-1.5e3 }"#, "-1.5e3"), (#"{"b\u006fdy":1}"#, "1"),
        (#"{"body":1,"\u0062ody":2}"#, "2"), (#"{"b\u006fdx":1,"body":2,"\"":3}"#, "2"),
    ])
    func aMembersValueIsFoundInTheText(text: String, value: String) {
        let bytes = Array(text.utf8)
        let range = RequestMembers.value(of: "body", in: bytes)
        #expect(range.map { String(decoding: bytes[$0], as: UTF8.self) } == value)
    }

    /// Then the text is read as a whole.
    @Test(arguments: [
        "", "{", "[]", "7", "{}", #"{"op":"hello"}"#, #"{"body"}"#, #"{"body":}"#,
        #"{"body":,"a":1}"#, #"{"body":{"a":1}"#, #"{"body":"x"#, #"{"body":"x\"#,
        #"{"b\u006fdx":1}"#, #"{"b\u00":1}"#, #"{"a":{"body":1}}"#, #"{"body":1"#, #"{"body":[}"#,
    ])
    func anOddTextHasNone(text: String) {
        #expect(RequestMembers.value(of: "body", in: Array(text.utf8)) == nil)
    }

    @Test func aPublishKeepsItsBodyAsItCame() throws {
        let body = #"{ "kind": "likes", "add": 123456789012345678901234567890, "x": 1.50 }"#
        let fields = try RequestFields(
            Array(#"{"op":"publish","id":"a","topic":"notification/s","body":\#(body)}"#.utf8))
        #expect(fields.body.map { String(decoding: $0, as: UTF8.self) } == body)
        #expect(try fields.string("topic") == "notification/s")
        #expect(try fields.id()?.string == "a")
    }

    @Test func aKeyWithAnEscapeIsABodyToo() throws {
        let fields = try RequestFields(
            Array(#"{"op":"publish","topic":"t","b\u006fdy":{"kind" : "likes"}}"#.utf8))
        #expect(fields.body.map { String(decoding: $0, as: UTF8.self) } == #"{"kind" : "likes"}"#)
    }

    /// Other operations read all of it, so that what is no JSON is refused as such.
    @Test func onlyAPublishLeavesItsBodyUnread() throws {
        let error = #expect(throws: Rejection.self) {
            try RequestFields(Array(#"{"op":"hello","body":{"a":]}}"#.utf8))
        }
        #expect(error?.code == .badJSON)
        let fields = try RequestFields(Array(#"{"op":"hello","body":{"a":1}}"#.utf8))
        #expect(fields["body"]?["a"]?.int == 1)
    }

    /// Many members that are short each are long together, and the reactor would read them.
    @Test(arguments: [#""""#, "{}"]) func veryManyValuesAreRefusedUnread(_ value: String) {
        let list = "[" + Array(repeating: value, count: 1_000).joined(separator: ",") + "]"
        func request(_ members: Int) -> [UInt8] {
            let all = ["after", "limit", "only"].prefix(members).map { #""\#($0)":\#(list)"# }
            return Array(#"{"op":"hello",\#(all.joined(separator: ","))}"#.utf8)
        }
        #expect((try? RequestFields(request(2))) != nil)
        let error = #expect(throws: Rejection.self) { try RequestFields(request(3)) }
        #expect(error?.code == .badJSON)
    }

    /// Nobody but whoever has time for it reads a long document.
    @Test func aLongDocumentIsLeftUnread() throws {
        let long = "[" + Array(repeating: "1", count: 3_000).joined(separator: ",") + "]"
        let fields = try RequestFields(
            Array(#"{"op":"import","session":"a","document":\#(long),"id":[7],"x":\#(long)}"#.utf8))
        #expect(fields["op"]?.string == "import" && fields["x"]?.array == nil)
        #expect(try fields.id()?.array?.first?.int == 7)
        guard case .unread(let bytes)? = fields.document("document") else {
            Issue.record("it was read")
            return
        }
        #expect(bytes == Array(long.utf8))
        #expect(try fields.document("document")?.node().array?.count == 3_000)
        #expect(fields.document("scene") == nil)
    }

    @Test(arguments: [
        (#"{"op":"import","document":["#, #",]}"#, RejectionCode.badJSON),
        (#"{"op":"import","document":["#, "]", .badJSON), (#"{"id":["#, "]}", .badValue),
    ])
    func aLongDocumentMustBeJSONAndNoID(before: String, after: String, code: RejectionCode) {
        let long = Array(repeating: "1", count: 3_000).joined(separator: ",")
        let error = #expect(throws: Rejection.self) {
            try RequestFields(Array((before + long + after).utf8)).id()
        }
        #expect(error?.code == code)
    }

    @Test(arguments: [
        (#"{"id":7,"op":"import","document":[1,1"#, "7"),
        (#"{ "op": "x", "id" : "a b" , "y"#, #""a b""#),
        (#"{"op":"import","document":[1,1"#, nil), (#"{"id":7"#, nil), ("", nil),
        (#"{"a":{"id":1},"i\u0064":[2],"b":"#, "[2]"),
    ])
    func anIDIsFoundInTheBeginningOfARequest(text: String, id: String?) {
        let found = RequestFields.id(inBeginning: Array(text.utf8))
        #expect(found.map { String(decoding: $0.json(), as: UTF8.self) } == id)
    }

    /// The reactor would have to read all of it.
    @Test(arguments: [#""document""#, #""documen\u0074""#])
    func aLongRequestHasEachNameOnce(name: String) {
        let long = Array(repeating: "1", count: 3_000).joined(separator: ",")
        let error = #expect(throws: Rejection.self) {
            try RequestFields(
                Array(#"{"op":"import","document":[\#(long)],\#(name):{"a":1}}"#.utf8))
        }
        #expect(error?.code == .badValue)
    }

    /// Swift takes a tenth of a second to tell names of a MB apart, for which the reactor stood.
    @Test(arguments: ["\u{344}", "e\u{301}", "a"]) func longNamesAreLeftUnread(sign: String) throws
    {
        let name = String(repeating: sign, count: 900_000 / sign.utf8.count)
        let long = String(repeating: "x", count: Limits.longMemberBytesMin)
        let fields = try RequestFields(
            Array(#"{"op":"open","\#(name)":0,"session":"a","\#(name)":"\#(long)"}"#.utf8))
        #expect(fields["op"]?.string == "open" && fields["session"]?.string == "a")
        #expect(fields.tree.json().count < 100)
        let error = #expect(throws: Rejection.self) {
            try RequestFields(Array("{\"op\":\"open\",\"\(name)\u{1}\":0}".utf8))
        }
        #expect(error?.code == .badJSON)
    }

    /// Three hundred peers that send requests of 250 members made everybody wait for a second.
    @Test func aLongRequestIsReadAsFarAsAnOperationAsks() throws {
        let others = (0..<200).map { #""k\#($0)":"\#(String(repeating: "a", count: 20))""# }
        let fields = try RequestFields(
            Array(#"{\#(others.joined(separator: ",")),"op":"hit","i\u0064":7,"x":1.5}"#.utf8))
        #expect(fields.tree.members?.map(\.name) == ["op", "id", "x"])
        #expect(try fields.coordinate("x") == 1.5 && fields.id()?.int == 7)
        // All of it must be JSON.
        let error = #expect(throws: Rejection.self) {
            try RequestFields(
                Array(#"{\#(others.joined(separator: ",")),"z":tru,"op":"hello"}"#.utf8))
        }
        #expect(error?.code == .badJSON)
    }

    @Test func theLongestNameIsLookedAt() {
        let longest = RequestFields.names.map(\.utf8.count).max()
        #expect(longest == Limits.memberNameBytesMax)
    }

    @Test func aRequestHasAFewMembers() throws {
        func fields(_ count: Int) throws -> RequestFields {
            let members = (0..<count).map { #""member-number-\#($0)":\#($0)"# }
            return try RequestFields(Array("{\(members.joined(separator: ","))}".utf8))
        }
        #expect(throws: Never.self) { try fields(Limits.requestMembersMax) }
        let error = #expect(throws: Rejection.self) { try fields(Limits.requestMembersMax + 1) }
        #expect(error?.code == .badValue)
    }

    /// Where the scan finds a body in a damaged request, a full read finds the same one; where the
    /// request is no JSON, the body is none either.
    @Test(arguments: 0..<64 as Range<UInt64>)
    func theScanReadsDamagedRequestsAsAFullReadDoes(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let signs = Array("{}[]\",:\\nbody 0123".utf8)
        for _ in 0..<200 {
            var text = Array(
                #"{"op":"publish","id":7,"topic":"t","body":{"a":[1,"x\"y"],"b":null}}"#.utf8)
            random.damage(&text, by: signs)
            let whole = try? Document.json(text)
            let fields = try? RequestFields(text)
            guard let fields, fields["op"]?.string == "publish" else { continue }
            let body = fields.body.flatMap { try? Document.json(Array($0)) }
            if let whole {
                #expect(body == whole["body"], "\(String(decoding: text, as: UTF8.self))")
            } else {
                #expect(body == nil, "\(String(decoding: text, as: UTF8.self))")
            }
        }
    }

    @Test func eachOperationIsThereOnce() {
        let names = ControlRequests.all.map { $0.operation }
        #expect(Set(names).count == names.count)
        #expect(
            Set(names) == [
                "hello", "open", "close", "publish", "snapshot", "export", "import", "sessions",
                "scenes", "scene", "time", "hit",
                "locate", "members", "stats", "peers",
                "tap",
            ])
    }
}
