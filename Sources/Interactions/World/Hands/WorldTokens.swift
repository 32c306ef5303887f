import Geometry
import Gestures

/// The tokens that lie on a world, in the order in which they were put there.
struct WorldTokens: Hashable, Sendable {
    /// A token that lies there.
    struct Lying: Hashable, Sendable, Codable {
        let symbol: Int
        /// The item that follows it; nil: none does.
        var item: String?
        /// In the world's own coordinates.
        var place: Vector
        /// Radians from where its mark stands upright, clockwise on screen.
        var angle: Double
        /// Where it was when it was last put or moved by more than it trembles.
        var restPlace: Vector
        /// Its angle when it was put, or when it was last told that it has turned.
        var restAngle: Double
        var lastSample: Step

        var deadline: Step { lastSample + Silence.stepsMax }
    }

    /// The difference that a sample makes.
    struct Change: Hashable {
        /// Whether it is anywhere else, or has another angle.
        var isAny = false
        /// Whether it has moved farther than one trembles that only lies there.
        var isMove = false
        /// Whether it has turned by as much as is told.
        var isTurn = false
    }

    private(set) var lying: [Lying] = []

    var isEmpty: Bool { lying.isEmpty }
    var count: Int { lying.count }

    /// The first step at which one has been silent for too long; never: none lies there.
    var deadline: Step { lying.reduce(.never) { min($0, $1.deadline) } }

    subscript(symbol: Int) -> Lying? { lying.first { $0.symbol == symbol } }

    // MARK: Changes

    /// A token that does not lie there was put.
    mutating func put(_ token: Token, item: String?, at now: Step) {
        lying.append(
            Lying(
                symbol: token.symbol, item: item, place: token.location, angle: token.angle,
                restPlace: token.location, restAngle: token.angle, lastSample: now))
    }

    /// A token that lies there is at a place and an angle.
    mutating func move(_ token: Token, at now: Step) -> Change {
        guard let index = lying.firstIndex(where: { $0.symbol == token.symbol }) else {
            return Change()
        }
        var change = Change()
        var moved = lying[index]
        change.isAny = moved.place != token.location || moved.angle != token.angle
        (moved.place, moved.angle, moved.lastSample) = (token.location, token.angle, now)
        change.isTurn =
            Angle.wrapped(token.angle - moved.restAngle).magnitude >= World.tokenTurnRadians
        if change.isTurn { moved.restAngle = token.angle }
        change.isMove = (token.location - moved.restPlace).length > World.tokenTremblePoints
        if change.isMove { moved.restPlace = token.location }
        lying[index] = moved
        return change
    }

    /// Another item follows a token from now on, or none.
    mutating func follow(_ symbol: Int, with item: String?) {
        guard let index = lying.firstIndex(where: { $0.symbol == symbol }) else { return }
        lying[index].item = item
    }

    /// A token was lifted; nil: it does not lie there.
    mutating func lift(_ symbol: Int) -> Lying? {
        lying.firstIndex { $0.symbol == symbol }.map { lying.remove(at: $0) }
    }

    // MARK: What is shown

    /// Writes the list; nothing where it is empty.
    func model(into sink: inout some StateSink) {
        guard !lying.isEmpty else { return }
        sink.openList("tokens")
        for token in lying {
            sink.openElement()
            sink.field("symbol", token.symbol)
            sink.field("x", points: token.place.x)
            sink.field("y", points: token.place.y)
            sink.field("angle", radians: Angle.wrapped(token.angle))
            sink.close()
        }
        sink.closeList()
    }
}

extension World {
    /// Tokens that lie on one component: each of ten people may have three.
    package static let tokensMax = 32
    /// Radians by which a token must have turned for it to be told: 15°.
    static let tokenTurnRadians = Double.pi / 12
    /// Points within which a token that only lies there may tremble.
    static let tokenTremblePoints = 10.0
}

extension WorldTokens: Codable {
    init(from decoder: any Decoder) throws {
        lying = try decoder.singleValueContainer().decode([Lying].self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(lying)
    }

    /// Whether decoded tokens could lie on a world.
    var isSound: Bool {
        lying.count <= World.tokensMax && Set(lying.map(\.symbol)).count == lying.count
            && lying.allSatisfy { token in
                Token.symbols.contains(token.symbol) && token.place.isWithin(1e12)
                    && token.restPlace.isWithin(1e12) && token.angle.magnitude <= 1e12
                    && token.restAngle.magnitude <= 1e12 && token.lastSample >= .zero
            }
    }
}

// A world that was encoded before there were tokens has none; one without any writes none.

extension KeyedDecodingContainer {
    func decode(_: WorldTokens.Type, forKey key: Key) throws -> WorldTokens {
        try decodeIfPresent(WorldTokens.self, forKey: key) ?? WorldTokens()
    }
}

extension KeyedEncodingContainer {
    mutating func encode(_ tokens: WorldTokens, forKey key: Key) throws {
        if !tokens.isEmpty { try encodeIfPresent(tokens, forKey: key) }
    }
}
