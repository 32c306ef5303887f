import Codec
import Geometry
import Gestures
import Interactions
import Notation
import Protocol
import Sessions
import TestSupport
import Testing

/// The contacts that are down, from the bodies of events to those of updates.
@Suite struct TouchBodyTests {
    private let head = UpdateHead(
        epoch: "e.1", seq: 7, time: Instant(nanoseconds: 1_700_000_000_123_456_789))

    /// A session of one toss that is touched by these bodies.
    private func touched(_ bodies: String...) throws -> Theater {
        var theater = Theater(.single("toss", .init(TossParameters(viewport: .phone))))
        _ = theater.session.tellTouches(true)
        theater.step(2)
        let decoder = EventDecoder()
        for body in bodies {
            let event = try decoder.decode(topic: Topic("gesture/alice"), body: Array(body.utf8))
            let reception = theater.session.receive(event, received: 0)
            #expect(reception == .applied, "\(body)")
        }
        return theater
    }

    @Test func whatIsKnownOfAContactIsTold() throws {
        let theater = try touched(
            #"{"gesture":"pointer","phase":"began","pointer":1,"x":10,"y":20.12345}"#,
            #"{"gesture":"pointer","phase":"began","pointer":-2,"x":3,"y":4,"kind":"pen","#
                + #""pressure":0.25,"user":"anna"}"#)
        var buffer = ByteBuffer()
        let contacts = try #require(theater.session.toldTouches)
        UpdateBody.touches(head, contacts, into: &buffer)
        let first = ContactColor(pointer: 1).text
        #expect(
            buffer.text()
                == #"{"epoch":"e.1","seq":7,"t":1700000000123.457,"touches":["#
                + #"{"pointer":1,"x":10,"y":20.123,"kind":"finger","color":"\#(first)"},"#
                + #"{"pointer":-2,"x":3,"y":4,"kind":"pen","pressure":0.25,"user":"anna","#
                + ##""color":"#a3e635"}]}"##)
    }

    @Test func noContactIsAnEmptyList() throws {
        let theater = try touched(
            #"{"gesture":"pointer","phase":"began","pointer":1,"x":10,"y":20}"#,
            #"{"gesture":"pointer","phase":"ended","pointer":1,"x":10,"y":20}"#)
        var buffer = ByteBuffer()
        UpdateBody.touches(head, try #require(theater.session.toldTouches), into: &buffer)
        #expect(buffer.text().hasSuffix(#","touches":[]}"#))
    }

    /// A client that may not know the contacts gets the frame without its last bytes.
    @Test(arguments: [true, false]) func aFrameEndsWithItsContacts(isTouched: Bool) throws {
        let began = #"{"gesture":"pointer","phase":"began","pointer":1,"x":10,"y":20}"#
        let theater = try isTouched ? touched(began) : touched()
        var buffer = ByteBuffer()
        let count = UpdateBody.frame(head, theater.session.wholePicture, into: &buffer)
        let text = buffer.text()
        let rest = text.dropLast(1 + count) + "}"
        #expect((count > 0) == isTouched)
        #expect(text.contains(#","touches":[{"pointer":1,"#) == isTouched)
        let tree = try Document.json(Array(rest.utf8))
        #expect(tree["touches"] == nil && tree["states"]?.array?.count == 1)
    }

    /// Names that are longer than Swift keeps in place, more than are remembered.
    @Test func eachNameIsItsOwn() throws {
        let decoder = EventDecoder()
        let topic = try Topic("gesture/alice")
        let names = (0..<200).map { "somebody-with-a-long-name-\($0 % 100)" } + ["a", "ab"]
        for name in names + names.reversed() {
            let body =
                #"{"gesture":"pointer","phase":"began","pointer":1,"x":1,"y":2,"user":"\#(name)"}"#
            let event = try decoder.decode(topic: topic, body: Array(body.utf8))
            guard case .gesture(nil, .pointer(let pointer)) = event.payload else {
                Issue.record("no contact")
                return
            }
            #expect(pointer.user == name)
        }
    }
}
