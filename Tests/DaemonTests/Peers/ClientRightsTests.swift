import Interactions
import Security
import Sessions
import Testing
import ZeroMQ

@testable import Daemon

@Suite struct ClientRightsTests {
    private static func key(_ number: UInt8) throws -> CurveKey {
        try #require(CurveKey(bytes: [UInt8](repeating: number, count: 32)))
    }

    private static func clients(_ grant: Grant) throws -> ClientRights {
        var clients = ClientRights()
        let list = AccessList([.init(name: "kiosk", key: try key(1), grant: grant)])
        clients.take(list)
        return clients
    }

    private static let grant = Grant(
        publish: SessionPatterns(["kiosk-1*"]), control: .own, read: SessionPatterns(["alice"]))

    @Test(arguments: [
        (RequestRight.greeting, Grant.Control.none, true),
        (.general, .none, false), (.general, .own, true),
        (.administration, .own, false), (.administration, .all, true),
        (.publishing("kiosk-12"), .own, true), (.publishing("alice"), .own, false),
        (.publishing("alice"), .all, false), (.publishing("kiosk-1"), .none, false),
        (.changing("kiosk-1"), .own, true), (.changing("alice"), .own, false),
        (.changing("alice"), .all, true),
        (.reading("alice"), .own, true), (.reading("kiosk-1"), .own, false),
        (.reading("bob"), .all, true), (.changingAndReading("kiosk-1"), .own, false),
        (.tapping, .all, false),
        (.changingAndReading("kiosk-1"), .all, true),
    ]) func aGrantCovers(right: RequestRight, control: Grant.Control, isCovered: Bool) throws {
        var grant = Self.grant
        grant.control = control
        let clients = try Self.clients(grant)
        let refusal = clients.refusal(of: right, for: 0)
        #expect((refusal == nil) == isCovered)
        #expect(refusal.map { $0.code == .unauthorized } != false)
        #expect(clients.refusal(of: right, for: -1) == nil, "a peer that needs no key")
    }

    @Test func aRemovedClientMayDoNothingAndKeepsItsNumber() throws {
        var clients = try Self.clients(Grant.everything)
        #expect(!clients.areLimited)
        clients.take(AccessList([.init(name: "other", key: try Self.key(2), grant: .everything)]))
        #expect(clients.areLimited)
        #expect(clients.number(of: try Self.key(1)) == nil)
        #expect(clients.refusal(of: .greeting, for: 0)?.code == .unauthorized)
        #expect(!clients.mayPublish(0, to: "alice".utf8))
        #expect(clients.number(of: try Self.key(2)) == 1)
        clients.take(AccessList([.init(name: "kiosk", key: try Self.key(3), grant: Self.grant)]))
        #expect(clients.number(of: try Self.key(3)) == 0, "it has another key, and its name")
    }

    @Test func clientsSinceTheStartAreBounded() throws {
        var clients = ClientRights()
        for round in 0..<4 {
            let list = try (0..<1_024).map { number in
                var bytes = [UInt8](repeating: UInt8(round), count: 32)
                bytes[0] = UInt8(number % 256)
                bytes[1] = UInt8(number / 256)
                return AccessList.Client(
                    name: "c\(round).\(number)", key: try #require(CurveKey(bytes: bytes)),
                    grant: .everything)
            }
            #expect(clients.flaw(of: AccessList(list)) == nil)
            clients.take(AccessList(list))
        }
        let more = AccessList([.init(name: "new", key: try Self.key(9), grant: .everything)])
        #expect(clients.flaw(of: more) != nil)
    }

    @Test func clientsThatMayReadTheSameShareAGroup() throws {
        func client(_ name: String, _ number: UInt8, _ read: [String]) throws -> AccessList.Client {
            .init(
                name: name, key: try Self.key(number),
                grant: Grant(read: SessionPatterns(read)))
        }
        let list = AccessList([
            try client("a", 1, ["x*"]), try client("b", 2, ["x*"]), try client("c", 3, ["y"]),
            try client("d", 4, ["*"]), try client("e", 5, []),
        ])
        #expect(list.groups.map(\.read.texts) == [["x*"], ["y"]])
    }

    /// ZeroMQ sends a client whatever it subscribes to: who may not know the contacts reads apart.
    @Test func clientsThatMayNotKnowTheContactsReadApart() throws {
        func client(_ name: String, _ number: UInt8, _ grant: Grant) throws -> AccessList.Client {
            .init(name: name, key: try Self.key(number), grant: grant)
        }
        let some = SessionPatterns(["x*"])
        let list = AccessList([
            try client("a", 1, Grant(read: some)),
            try client("b", 2, Grant(read: some, touches: false)),
            try client("c", 3, Grant(read: .all, touches: false)),
            try client("d", 4, Grant(read: .all)), try client("e", 5, Grant(touches: false)),
        ])
        #expect(list.groups.map(\.read.texts) == [["x*"], ["x*"], ["*"]])
        #expect(list.groups.map(\.touches) == [true, false, false])
        var grant = Grant.everything
        #expect(grant.isEverything)
        grant.touches = false
        #expect(!grant.isEverything && !grant.readsEverything)
    }

    @Test func aPublisherHasTheNumberOfItsName() throws {
        let clients = try Self.clients(Self.grant)
        var others = ClientRights()
        others.take(
            AccessList([
                .init(name: "aaa", key: try Self.key(2), grant: Self.grant),
                .init(name: "kiosk", key: try Self.key(3), grant: .everything),
            ]))
        #expect(clients.publisher(0) == others.publisher(1), "whatever its key and its place")
        #expect(clients.publisher(0) != others.publisher(0))
        #expect(clients.publisher(-1) == 0 && clients.publisher(7) == 0)
    }
}

@Suite struct ReaderTableTests {
    private static let bystander = Sender(number: 1, descriptor: 10)
    private static let reader = Sender(number: 2, descriptor: 11, client: 0)

    /// The group's own subscription to a prefix, ended or not, leaves that of another socket.
    @Test(arguments: [false, true]) func aGroupsEndLeavesOthersAlone(hasEnded: Bool) {
        var subscriptions = Subscriptions()
        let prefix = "badge/"
        let interest = SubscriptionBook.interest(of: prefix)
        let key = SubscriptionBook.key(prefix, group: 1, isAuthorized: true)
        _ = subscriptions.apply(prefix, interest, isNew: true, by: Self.bystander)
        _ = subscriptions.apply(key, interest, isNew: true, by: Self.reader, group: 1)
        if hasEnded { _ = subscriptions.apply(key, interest, isNew: false, by: nil, group: 1) }
        let ended = subscriptions.close(group: 1)
        #expect(ended == (hasEnded ? [] : [key]))
        #expect(subscriptions.book.broadChannels == .badge)
        #expect(subscriptions.holders.count == 1)
        _ = subscriptions.apply(prefix, interest, isNew: false, by: Self.bystander)
        #expect(subscriptions.book.broadChannels.isEmpty)
        #expect(subscriptions.holders.bytes == 0)
    }

    @Test func aForbiddenPrefixIsHeldAndMeansNothing() {
        var subscriptions = Subscriptions()
        let key = SubscriptionBook.key("badge/alice", group: 3, isAuthorized: false)
        _ = subscriptions.apply(key, .other, isNew: true, by: Self.reader, group: 3)
        #expect(subscriptions.book.channels(of: "alice").isEmpty)
        #expect(subscriptions.holders.bytes > 0)
        let ended = subscriptions.close(group: 3)
        #expect(ended == [key])
        #expect(subscriptions.holders.bytes == 0)
    }
}
