import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

@testable import Sessions

extension Theater {
    /// A sample of a token on the session's own topic, or on a component's.
    @discardableResult
    fileprivate mutating func token(
        _ phase: Phase, _ symbol: Int, _ x: Double, _ y: Double, _ angle: Double = 0,
        on component: String? = nil, user: String? = nil
    ) -> Session.Reception {
        let token = Token(
            phase: phase, symbol: symbol, location: Vector(x, y), angle: angle, user: user)
        return receive(.gesture(component: component, .token(token)))
    }
}

/// Tokens in a session: where they lie, and what a scene does about them.
@Suite struct SessionTokenTests {
    private static func world(_ items: Sheet = []) throws -> WorldParameters {
        let table: Sheet = ["items": items]
        return try WorldParameters(table.node)
    }

    /// Two items that follow tokens, and one that does not.
    private static let items: Sheet = [
        ["id": "lens", "center": [60, 60], "size": [40, 40], "token": 5],
        ["id": "dial", "center": [200, 60], "size": [40, 40], "token": 6],
        ["id": "photo", "center": [160, 400], "size": [80, 80]],
    ]

    private func symbols(_ theater: Theater, _ component: String = "table") -> [Int] {
        let fields = theater.picture(component).fields
        return (0..<World.tokensMax).compactMap { place in
            guard case .whole(let symbol)? = fields["tokens.\(place).symbol"] else { return nil }
            return symbol
        }
    }

    private func number(_ theater: Theater, _ component: String, _ field: String) -> Double? {
        guard case .points(let number)? = theater.picture(component).fields[field] else {
            return nil
        }
        return number
    }

    // MARK: Where it lies

    @Test func twoTokensLieAtOnce() throws {
        var theater = Theater(.single("table", .init(try Self.world(Self.items))))
        for (symbol, x) in [(5, 100.0), (6, 250)] {
            #expect(theater.token(.began, symbol, x, 300) == .applied)
        }
        #expect(symbols(theater) == [5, 6])
        theater.token(.changed, 5, 110, 310, 0.5)
        theater.token(.changed, 6, 260, 320, -0.5)
        #expect(theater.picture("table").views["lens"]?.center == Vector(110, 310))
        #expect(theater.picture("table").views["dial"]?.center == Vector(260, 320))
        theater.token(.ended, 5, 110, 310, 0.5)
        #expect(symbols(theater) == [6])
        #expect(theater.token(.changed, 6, 200, 200) == .applied)
        guard case .refused(let rejection) = theater.token(.changed, 5, 1, 1) else {
            Issue.record("it was taken")
            return
        }
        #expect(rejection.code == .outOfOrder)
        #expect(rejection.message == "changed, but token 5 does not lie there")
    }

    /// Also in front of a component that knows no tokens.
    @Test(arguments: [(160.0, 223.0), (20, 500), (60, 60), (319.9, 0)])
    func itLiesOnTheTableWhateverIsThere(x: Double, y: Double) throws {
        var theater = Theater(
            NestedScene().with("table", try Self.world(Self.items))
                .with("toss", TossParameters(viewport: .phone)).scene)
        #expect(theater.token(.began, 9, x, y) == .applied)
        #expect(symbols(theater) == [9])
    }

    @Test func whereNoKindKnowsItNothingHappens() {
        var theater = Theater(.phone())
        for phase in [Phase.began, .changed, .ended] {
            #expect(theater.token(phase, 9, 160, 223) == .applied)
        }
        guard case .refused(let rejection) = theater.token(.began, 9, 1, 1, on: "toss") else {
            Issue.record("it was taken")
            return
        }
        #expect(rejection.code == .unknownGesture)
    }

    @Test func oneThatLiesBesideIsPutWhereItComesTo() throws {
        var theater = Theater(
            NestedScene()
                .with(
                    "table", try Self.world(Self.items), frame: Rect(100, 100, 150, 150)
                )
                .scene)
        theater.token(.began, 5, 20, 20)
        theater.token(.changed, 5, 99, 150)
        #expect(symbols(theater) == [])
        theater.token(.changed, 5, 150, 180, 1)
        #expect(symbols(theater) == [5])
        #expect(theater.picture("table").views["lens"]?.center == Vector(50, 80))
        // It stays the component's, also beside it.
        theater.token(.changed, 5, 20, 20)
        #expect(theater.picture("table").views["lens"]?.center == Vector(-80, -80))
        theater.token(.ended, 5, 20, 20)
        #expect(symbols(theater) == [])
    }

    /// Where a component stands in an item of another, the inner one has it; angles are its own.
    @Test func theInnermostHasItInItsOwnCoordinates() throws {
        let outer: Sheet = [
            ["id": "tray", "center": [160, 284], "size": [200, 100], "rotation": 0.5]
        ]
        var theater = Theater(
            NestedScene().with("table", try Self.world(outer))
                .with("inner", try Self.world(), in: "table/tray").scene)
        theater.token(.began, 5, 160, 284, 0.75)
        #expect(symbols(theater) == [] && symbols(theater, "inner") == [5])
        let angle = try #require(number(theater, "inner", "tokens.0.angle"))
        #expect(abs(angle - 0.25) < 1e-9, "\(angle)")
        let x = try #require(number(theater, "inner", "tokens.0.x"))
        let y = try #require(number(theater, "inner", "tokens.0.y"))
        #expect((Vector(x, y) - Vector(100, 50)).length < 1e-9)
        theater.token(.began, 6, 10, 10)
        #expect(symbols(theater) == [6])
    }

    @Test func fingersTouchBesideIt() throws {
        var theater = Theater(.single("table", .init(try Self.world(Self.items))))
        theater.touch(.began, 160, 400, pointer: 5)
        theater.touch(.changed, 160, 430, pointer: 5)
        theater.step(2)
        theater.token(.began, 5, 100, 100)
        #expect(theater.touch(.changed, 160, 460, pointer: 5) == .applied)
        theater.step(6)
        let photo = try #require(theater.picture("table").views["photo"])
        #expect(photo.center.y > 420, "\(photo.center)")
        theater.token(.ended, 5, 100, 100)
        #expect(theater.touch(.ended, 160, 460, pointer: 5) == .applied)
    }

    @Test func theRestOfARefusedTokenIsSuppressed() throws {
        var theater = Theater(.single("table", .init(try Self.world())))
        for symbol in 0..<World.tokensMax { theater.token(.began, symbol, 10, 10) }
        guard case .refused = theater.token(.began, 77, 10, 10) else {
            Issue.record("it was taken")
            return
        }
        guard case .suppressed = theater.token(.changed, 77, 20, 10) else {
            Issue.record("it was not suppressed")
            return
        }
        // Another one's samples are its own.
        #expect(theater.token(.changed, 7, 20, 10) == .applied)
    }

    // MARK: Reactions

    private static func cause(_ moment: TokenMoment, _ symbol: Int? = nil) -> Reaction.Cause {
        var cause = Reaction.TransitionCause(
            component: 0, name: moment.transition, event: moment.event)
        cause.token = symbol
        return .transition(cause)
    }

    private func counts(_ theater: Theater) -> [String] {
        theater.session.badges.counts.entries.map { "\($0.kind) \($0.count)" }.sorted()
    }

    @Test func aSceneReactsToPutLiftedAndTurned() throws {
        var scene = Scene.single("table", .init(try Self.world(Self.items)))
        scene.reactions = TokenMoment.allCases.map { moment in
            Reaction(
                Self.cause(moment, 5), "badges", "add", ["kind": .string(moment.rawValue)])
        }
        scene.reactions.append(
            Reaction(
                Self.cause(.put), "badges", "add",
                ["kind": .string("any"), "count": .string("$token")]))
        scene.reactions.append(
            Reaction(
                Self.cause(.turned), "badges", "set",
                ["kind": .string("degrees"), "count": .string("$angle")]))
        var theater = Theater(scene)
        theater.token(.began, 5, 100, 100)
        #expect(counts(theater) == ["any 5", "put 1"])
        theater.token(.began, 7, 200, 100)
        #expect(counts(theater) == ["any 12", "put 1"])
        theater.token(.changed, 5, 120, 100, 0.2)
        #expect(counts(theater) == ["any 12", "put 1"])
        theater.token(.changed, 5, 120, 100, -Double.pi / 2)
        #expect(counts(theater) == ["any 12", "degrees 270", "put 1", "turned 1"])
        theater.token(.changed, 7, 200, 100, 1)
        #expect(counts(theater).contains("degrees 57") && counts(theater).contains("turned 1"))
        theater.token(.ended, 7, 200, 100)
        theater.token(.cancelled, 5, 120, 100)
        #expect(counts(theater).contains("lifted 1"))
    }

    @Test func aTokenMayHaveAUser() throws {
        var scene = Scene.single("table", .init(try Self.world()))
        scene.reactions = [
            Reaction(Self.cause(.put), "badges", "add", ["kind": .string("$user")])
        ]
        var theater = Theater(scene)
        theater.token(.began, 5, 100, 100, user: "ada")
        #expect(counts(theater) == ["ada 1"])
    }

    /// A tracker trembles. Who moves a token touches the session.
    @Test(arguments: [(1.0, true), (40, false)])
    func aTokenThatOnlyLiesThereIsNoTouch(way: Double, isIdle: Bool) throws {
        var scene = Scene.single("table", .init(try Self.world(Self.items)))
        scene.reactions = [
            Reaction(.idle(seconds: 5), "badges", "add", ["kind": .string("idle")])
        ]
        var theater = Theater(scene)
        for symbol in [5, 9] { theater.token(.began, symbol, 100, 100) }
        for round in 0..<8 {
            theater.step(100)
            for symbol in [5, 9] {
                theater.token(.changed, symbol, 100 + (round % 2 == 0 ? way : 0), 100)
            }
        }
        #expect(counts(theater) == (isIdle ? ["idle 1"] : []))
    }

    // MARK: Continuation

    @Test func aTokenLiesThereInAnEncodedSessionToo() throws {
        let scene = Scene.single("table", .init(try Self.world(Self.items)))
        var session = Session(
            id: "alice", epoch: "e.1", scene: scene, opened: Theater.opened, frameRate: 60,
            key: 42)
        func sample(_ phase: Phase, _ x: Double) -> Event {
            let token = Token(phase: phase, symbol: 5, location: Vector(x, 100), angle: 0.5)
            return Event(.gesture(component: nil, .token(token)))
        }
        #expect(session.receive(sample(.began, 100), received: 0) == .applied)
        let node = Node(encoding: session.state)
        var other = try Session(
            try node.decode(SessionSnapshot.self), id: "alice", scene: scene, frameRate: 60,
            key: 42, continuing: .same)
        #expect(other.receive(sample(.changed, 120), received: 10) == .applied)
        let views = Picture(other.machines[0]).views
        #expect(views["lens"]?.center == Vector(120, 100))
        #expect(other.receive(sample(.ended, 120), received: 20) == .applied)
    }
}
