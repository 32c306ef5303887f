import Interactions
import Notation
import Protocol
import Sessions
import Testing

@testable import Codec

@Suite struct SessionDocumentTests {
    private static let full: SavedSession = {
        var counts = BadgeCounts()
        counts.set("likes", to: 3)
        counts.set("kind~x", to: BadgeCounts.countMax)
        return SavedSession(
            source: .named("phone"), seed: .max,
            components: [
                .init(id: "a", state: SavedState(Tips.self, .init(index: 2, isPresented: true))),
                .init(id: "b", state: SavedState(Toss.self, .init())),
                .init(
                    id: "c", state: SavedState(Navigation.self, .init(stack: ["home", "posts"]))),
                .init(id: "d", state: SavedState(Profile.self, .init(offset: 0.1 + 0.2))),
                .init(id: "e", state: SavedState(List.self, .init(selected: nil))),
                .init(id: "f", state: SavedState(List.self, .init(selected: 7))),
                .init(id: "g", state: SavedState(Reader.self, .init(index: 4))),
                .init(
                    id: "h",
                    state: SavedState(
                        Tabs.self, .init(selected: 1, glows: [true, false], bubble: nil))),
                .init(
                    id: "i",
                    state: SavedState(Tabs.self, .init(selected: 1, glows: [], bubble: 0))),
                .init(id: "j", state: SavedState(World.self, .init(world: world))),
            ], counts: counts, version: 12, generation: 2, seenTotal: 40)
    }()

    @Test(
        arguments: [
            (.named("phone"), "phone"),
            (.document(#"{"components":[],"name":"a \"b\""}"#), #"a "b""#),
            (.document(#"{"viewport":[1,1],"components":[{"name":"inner"}]}"#), nil),
        ] as [(SavedSession.Source, String?)])
    func theNameOfItsSceneIsReadAlone(source: SavedSession.Source, name: String?) {
        var saved = Self.full
        saved.source = source
        var buffer = ByteBuffer()
        saved.write(into: &buffer)
        let bytes = Array(buffer.text().utf8)
        #expect(SavedSession.sceneName(inDocument: bytes) == name)
        // The rest of the record is not read.
        if case .named = source {
            #expect(SavedSession.sceneName(inDocument: bytes.dropLast(20) + [0]) == name)
        }
        #expect(SavedSession.sceneName(inDocument: Array(bytes.prefix(24))) == nil)
        #expect(SavedSession.sceneName(inDocument: []) == nil)
    }

    /// Whatever a world's state is made of, it stands in the document as it is.
    private static let world = SavedWorld(
        Node(
            .object([
                .init("animator", Node(.array([Node(.number(0.1)), Node(.number(-0.0))]))),
                .init(
                    "items", Node(.array([Node(.string("x")), Node(.null), Node(.integer(-3))]))),
            ])))

    private func document(_ record: SavedSession) -> [UInt8] {
        var buffer = ByteBuffer()
        record.write(into: &buffer)
        return buffer.array()
    }

    @Test func aWrittenDocumentReadsBack() throws {
        #expect(try SavedSession(document: document(Self.full)) == Self.full)
        var inline = Self.full
        inline.source = .document(#"{"viewport":[10,20],"components":[]}"#)
        #expect(try SavedSession(document: document(inline)) == inline)
        var told = Self.full
        told.rowsFloor = Limits.versionImportedMax
        #expect(try SavedSession(document: document(told)) == told)
    }

    /// A bad document, and a part of the error.
    @Test(arguments: [
        ("", "empty"), ("{", "JSON"), ("[]", "table"), ("{}", "key format: is required"),
        (#"{"format":9,"scene":"s","seed":"1","components":{}}"#, "later version"),
        (#"{"format":1,"scene":3,"seed":"1","components":{}}"#, "key scene"),
        (#"{"format":1,"scene":"s","seed":1,"components":{}}"#, "key seed"),
        (#"{"format":1,"scene":"s","seed":"1","components":[]}"#, "key components"),
        (#"{"format":1,"scene":"s","seed":"1","counts":{"a":-1},"components":{}}"#, "key counts"),
        (#"{"format":1,"scene":"s","seed":"1","counts":{"a b":1},"components":{}}"#, "key counts"),
        (
            #"{"format":1,"scene":"s","seed":"1","components":{"x":{"kind":"car"}}}"#,
            "component x, key kind"
        ),
        (
            #"{"format":1,"scene":"s","seed":"1","components":{"x":{"kind":"toss","y":1}}}"#,
            "component x"
        ),
        (
            #"{"format":1,"scene":"s","seed":"1","components":{"x":{"kind":"dynamics"}}}"#,
            "component x, key world"
        ),
        (#"{"format":1,"scene":"s","seed":"1","components":{},"more":1}"#, "more"),
        (#"{"format":1,"scene":"s","seed":"1","rows":-1,"components":{}}"#, "key rows"),
    ])
    func aBadDocumentNamesItsFault(text: String, part: String) { expect(text, toFailWith: part) }

    /// A component's state that is not as its kind writes it, and the error.
    @Test(arguments: [
        (#"{"kind":"tips","index":0}"#, "key presented: is required"),
        (#"{"kind":"tips","index":0.5,"presented":true}"#, "key index: must be a whole number"),
        (#"{"kind":"tips","index":0,"presented":1}"#, "key presented: must be true or false"),
        (#"{"kind":"tips","index":0,"presented":true,"tips":null}"#, "key tips: must be a list"),
        (
            #"{"kind":"tips","index":0,"presented":true,"tips":[{"title":1,"summary":""}]}"#,
            "key tips.0.title: must be a text, or texts by language"
        ),
        (#"{"kind":"tips","index":0,"presented":true,"page":1}"#, #"unknown key "page""#),
        (#"{"kind":"navigation","stack":"home"}"#, "key stack: must be a list"),
        (#"{"kind":"navigation"}"#, "key stack: is required"),
        (#"{"kind":"navigation","stack":[1]}"#, "key stack: entry 1 must be a string"),
        (#"{"kind":"navigation","stack":[],"stck":[]}"#, #"did you mean "stack"?"#),
        (#"{"kind":"profile"}"#, "key offset: is required"),
        (#"{"kind":"profile","offset":1e999}"#, "key offset: must be a number"),
        (#"{"kind":"profile","offset":0.0,"title":""}"#, #"unknown key "title""#),
        (#"{"kind":"list","selected":"1"}"#, "key selected: must be a whole number"),
        (#"{"kind":"list","selected":null,"open":1}"#, #"unknown key "open""#),
        (#"{"kind":"reader","index":null}"#, "key index: must be a whole number"),
        (#"{"kind":"reader","index":9007199254740993}"#, "key index: must be a whole number"),
        (#"{"kind":"reader","index":1,"offset":0}"#, #"unknown key "offset""#),
        (#"{"kind":"tabs","selected":0}"#, "key glows: is required"),
        (#"{"kind":"tabs","selected":0,"glows":{}}"#, "key glows: must be a list"),
        (#"{"kind":"tabs","selected":0,"glows":[true,0]}"#, "key glows: entry 2 must be true"),
        (#"{"kind":"tabs","selected":0,"glows":[],"bubble":true}"#, "key bubble: must be a whole"),
        (#"{"kind":"tabs","selected":0,"glows":[],"glow":[]}"#, #"unknown key "glow""#),
        (#"{"kind":"dynamics","world":{},"more":{}}"#, #"unknown key "more""#),
    ])
    func aBadStateNamesItsFault(state: String, fault: String) {
        for part in ["component x", fault] { expect(document(of: state), toFailWith: part) }
    }

    /// A stored session of one component `x`.
    private func document(of state: String) -> String {
        #"{"format":1,"scene":"s","seed":"1","components":{"x":\#(state)}}"#
    }

    /// A list without a bound on its texts names none.
    @Test func anErrorNamesNoBoundThatIsNone() {
        let text = document(of: #"{"kind":"navigation","stack":[1]}"#)
        #expect {
            try SavedSession(document: Array(text.utf8))
        } throws: { "\($0)" == "component x, key stack: entry 1 must be a string" }
    }

    /// Forms in which no kind writes its state, and the same state as one does.
    @Test(arguments: [
        (#"{"kind":"reader","index":3.0}"#, #"{"kind":"reader","index":3}"#),
        (#"{"kind":"profile","offset":0}"#, #"{"kind":"profile","offset":0.0}"#),
        (#"{"kind":"list"}"#, #"{"kind":"list","selected":null}"#),
        (#"{"kind":"list","selected":1,"selected":2}"#, #"{"kind":"list","selected":2}"#),
        (
            #"{"kind":"tabs","glows":[true],"selected":0}"#,
            #"{"kind":"tabs","selected":0,"glows":[true],"bubble":null}"#
        ),
    ])
    func aStateInAnotherFormIsTheSame(state: String, usual: String) throws {
        let read = try [state, usual].map {
            try SavedSession(document: Array(document(of: $0).utf8)).components
        }
        #expect(read[0] == read[1] && read[0].count == 1)
    }

    private func expect(_ text: String, toFailWith part: String) {
        #expect {
            try SavedSession(document: Array(text.utf8))
        } throws: { error in
            let said = "\(error)".contains(part)
            if !said { print("said \(error)") }
            return said
        }
    }
}
