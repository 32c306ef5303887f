import Notation
import Protocol
import Testing

@testable import GesturedClient

@Suite struct RouteTests {
    private func member(_ name: String) throws -> Member {
        let text = """
            {"name":"\(name)","daemon":"d","events":["tcp://\(name):1"],
             "updates":["tcp://\(name):2"],"control":["tcp://\(name):3"]}
            """
        return try #require(Member(Document.json(Array(text.utf8)), seed: ""))
    }

    @Test func requestsGoToTheOwnerElseToTheHome() throws {
        var route = Route(["tcp://a:3", "tcp://b:3"], home: "tcp://a:3")
        #expect(route.place(of: nil) == "tcp://a:3")
        route.note("s", try member("c"))
        #expect(route.place(of: "s") == "tcp://c:3")
        #expect(route.place(of: "t") == "tcp://a:3")
        route.note("s", nil)
        #expect(route.place(of: "s") == "tcp://a:3")
    }

    @Test func theNextOneIsAskedWhereTheHomeIsLeft() throws {
        var route = Route(["tcp://a:3", "tcp://b:3"], home: "tcp://a:3")
        route.leave("tcp://b:3")
        #expect(route.home == "tcp://a:3")
        route.meet([try member("b"), try member("c")])
        var met: [String] = []
        for _ in 0..<4 {
            route.leave(route.home)
            met.append(route.home)
        }
        #expect(met == ["tcp://b:3", "tcp://c:3", "tcp://a:3", "tcp://b:3"])
        // A member that is gone is asked no more.
        route.leave("tcp://b:3")
        route.meet([])
        #expect(route.home == "tcp://a:3")
    }

    @Test(arguments: [
        ("snapshot", #"{"session":"s"}"#, "s"), ("locate", #"{"session":"s"}"#, nil),
        ("members", "{}", nil), ("publish", #"{"topic":"gesture/s/x","body":{}}"#, "s"),
        ("publish", #"{"topic":"gesture","body":{}}"#, nil), ("publish", #"{"topic":7}"#, nil),
        ("open", #"{"session":7}"#, nil),
    ])
    func theSessionOfARequest(operation: String, fields: String, session: String?) throws {
        let members = try #require(Document.json(Array(fields.utf8)).members)
        #expect(Route.session(operation, members) == session)
    }

    @Test(arguments: [
        // The address of tcp, and the host that was reached for one that is bound to all.
        (#"["ipc:///x","tcp://h:1"]"#, "tcp://seed:9", "tcp://h:1"),
        (#"["ipc:///x"]"#, "tcp://seed:9", "ipc:///x"),
        (#"["tcp://0.0.0.0:1"]"#, "tcp://seed:9", "tcp://seed:1"),
        (#"["tcp://*:1"]"#, "ipc:///y", "tcp://127.0.0.1:1"),
        (#"["tcp://[::]:1"]"#, "tcp://[::1]:9", "tcp://[::1]:1"),
        ("[]", "", nil), ("7", "", nil), (#"[7]"#, "", nil),
    ])
    func theAddressOfAMember(addresses: String, seed: String, reached: String?) throws {
        let text = """
            {"daemon":"d","events":\(addresses),"updates":["u"],"control":["c"]}
            """
        let member = Member(try Document.json(Array(text.utf8)), seed: seed)
        #expect(member?.endpoints.events == reached)
    }

    @Test(arguments: [
        ("a", ["a"]), ("a,b", ["a", "b"]), ("a,,b", nil), (",", nil), ("", nil),
        (Array(repeating: "a", count: 65).joined(separator: ","), nil),
    ])
    func aListOfAddresses(text: String, places: [String]?) {
        #expect(Endpoints.places(text) == places)
    }
}
