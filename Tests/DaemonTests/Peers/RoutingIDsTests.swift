import Notation
import Testing
import ZeroMQ

@testable import Daemon

/// Each peer is a DEALER of this process, which a ROUTER knows by the same ids as those over TCP.
struct RoutingIDsTests {
    private final class House {
        let context: Context
        let control: Socket
        var ids = RoutingIDs()

        init() throws {
            context = try Context()
            control = try Socket(.router, in: context, .mandatoryRouting(true))
            try control.bind(RoutingIDs.endpoint)
        }

        /// A peer that is let in and connected at once.
        func newcomer(claiming id: [UInt8]? = nil) throws -> Guest {
            let mayEnter = try ids.letIn(in: context)
            #expect(mayEnter)
            return try Guest(context, claiming: id)
        }

        /// Reads until the daemon's own requests are performed; returns whether a claim was found.
        func look(then act: () throws -> Void = {}) throws -> Bool {
            for _ in 0..<10_000 {
                guard let frames = try control.receiveMessage() else { return false }
                guard frames[1] == Array("{\"op\":\"\(ids.operation)\"}".utf8) else { continue }
                try act()
                if try ids.isClaimed(after: frames[0], at: control, in: context) { return true }
            }
            return false
        }

        /// The id that the next peer would get.
        func next() throws -> UInt32 {
            let guest = try Guest(context)
            try guest.say()
            let frames = try #require(try control.receiveMessage())
            return frames[0][1...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } &+ 1
        }
    }

    private final class Guest {
        private let socket: Socket

        init(_ context: Context, claiming id: [UInt8]? = nil) throws {
            socket = try Socket(.dealer, in: context, .lingerMilliseconds(0))
            if let id { try socket.set(.identity(id)) }
            try socket.connect(RoutingIDs.endpoint)
        }

        func say() throws { #expect(try socket.send(Array("hello".utf8))) }
        func heard() throws -> [[UInt8]]? { try socket.receiveMessage() }
    }

    private static func bytes(_ id: UInt32) -> [UInt8] {
        [0] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: id >> UInt32($0)) }
    }

    @Test(arguments: [100, 500, 1_000] as [UInt32])
    func aClaimOfANextIDIsFound(ahead: UInt32) throws {
        let house = try House()
        let id = try house.next() &+ ahead
        var guests = [try house.newcomer(claiming: Self.bytes(id))]
        for _ in 1..<Limits.newcomersPerLook { guests.append(try house.newcomer()) }
        #expect(try house.look())
        #expect(guests.count == Limits.newcomersPerLook)
    }

    @Test func idsBehindTheCountAndFarAheadAreNoClaims() throws {
        let house = try House()
        let next = try house.next()
        var guests = [
            try house.newcomer(claiming: Self.bytes(next &- 100)),
            try house.newcomer(claiming: Self.bytes(next &+ 1_000_000)),
            try house.newcomer(claiming: Array("mine!".utf8)),
        ]
        while guests.count < Limits.newcomersPerLook { guests.append(try house.newcomer()) }
        #expect(try !house.look())
    }

    /// Peers that were let in long ago may end their handshakes at any time, all at once.
    @Test func whoGetsAnIDWhileTheDaemonLooksHasClaimedNone() throws {
        let house = try House()
        var guests: [Guest] = []
        for _ in 0..<Limits.newcomersPerLook { guests.append(try house.newcomer()) }
        var isFirst = true
        let isClaimed = try house.look {
            guard isFirst else { return }
            isFirst = false
            for _ in 0..<300 {
                let late = try Guest(house.context)
                try late.say()
                guests.append(late)
            }
        }
        #expect(!isFirst && !isClaimed)
    }

    /// So many come while the daemon looks twice that nobody else may.
    @Test func afterTheSecondLookNewcomersAreLetInAgain() throws {
        let house = try House()
        var guests: [Guest] = []
        for _ in 0..<Limits.newcomersPerLook { guests.append(try house.newcomer()) }
        var looks = 0
        _ = try house.look {
            looks += 1
            for _ in 0..<300 {
                if looks == 1 {
                    guests.append(try Guest(house.context))
                    try guests.last?.say()
                } else {
                    _ = try house.ids.letIn(in: house.context)
                }
            }
        }
        #expect(looks == 2)
        _ = try house.ids.letIn(in: house.context)
        _ = try house.look()
        let mayEnter = try house.ids.letIn(in: house.context)
        #expect(mayEnter)
    }

    @Test func newcomersWaitWhereALookCannotBeMade() throws {
        let house = try House()
        for _ in 0..<Limits.newcomersMax {
            let mayEnter = try house.ids.letIn(in: house.context)
            #expect(mayEnter)
        }
        let mayEnterBeforeTheLook = try house.ids.letIn(in: house.context)
        #expect(!mayEnterBeforeTheLook)
        #expect(try !house.look())
        let mayEnterAfterIt = try house.ids.letIn(in: house.context)
        #expect(mayEnterAfterIt)
    }
}
