import Geometry
import Protocol
import Testing

@testable import Bridges

@Suite struct TouchedSessionTests {
    private func take(_ session: inout TouchedSession, _ topic: String, _ body: String) throws {
        session.take(topic: topic, try Document.json(Array(body.utf8)))
    }

    @Test func theViewportFollowsTheScene() throws {
        var session = TouchedSession(name: "alice")
        try take(&session, "scene/alice", #"{"viewport":[320,568.5]}"#)
        #expect(session.viewport == Size(320, 568.5))
        try take(&session, "scene/alice2", #"{"viewport":[1,1]}"#)
        for bad in ["[]", "[1]", "[0,1]", "[-1,1]", "[1,1,1]", #"["a",2]"#, "[1e9,2]", "3"] {
            try take(&session, "scene/alice", "{\"viewport\":\(bad)}")
        }
        #expect(session.viewport == Size(320, 568.5))
        try take(&session, "session/alice", #"{"event":"opened"}"#)
        #expect(session.viewport != nil)
        try take(&session, "session/alice", #"{"event":"parked"}"#)
        #expect(session.viewport == nil)
    }

    @Test func theDaemonIsAskedOnceASecond() {
        var session = TouchedSession(name: "alice")
        let asked = stride(from: 0, to: 3_000, by: 100).filter { session.shallAsk(at: at($0)) }
        #expect(asked == [0, 1_000, 2_000])
    }
}
