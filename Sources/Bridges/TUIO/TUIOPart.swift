import Geometry

/// One message of a frame, of either version.
struct TUIOPart: Hashable, Sendable {
    enum Content: Hashable {
        /// The tracker's name, of 1.1.
        case source
        case alive([Int])
        /// A contact; of 2.0 with the number of the person to whom it belongs, where one is known.
        case set(id: Int, place: Vector, user: Int? = nil)
        /// An object; of 2.0 the symbol may be 0 or less where the tracker knows none.
        case object(id: Int, place: Vector, mark: TokenMark)
        /// The number of an object's symbol, of 2.0.
        case symbol(id: Int, Int)
        /// A contact of 2.0 above the surface.
        case hover(id: Int)
        case frame(Int)
    }

    /// The frames to which messages belong: 1.1 has one for each profile.
    enum Profile: String, Hashable {
        case cursors = "1", objects = "1o"
        case second = "2"
    }

    var profile: Profile
    var content: Content
    /// The name of the tracker from which the messages behind this one come.
    var source: String?

    /// The message completes its frame.
    var isLast: Bool {
        switch content {
        case .frame: profile != .second
        case .alive: profile == .second
        case .source, .set, .object, .symbol, .hover: false
        }
    }

    private static let cursors = "/tuio/2Dcur"
    private static let objects = "/tuio/2Dobj"
    private static let second = ["frm", "ptr", "tok", "sym", "alv"].map { "/tuio2/\($0)" }

    static func isKnown(_ address: String) -> Bool {
        address == cursors || address == objects || second.contains(address)
    }

    /// Nil where the message is another one, or malformed.
    init?(_ message: OSCMessage) {
        let arguments = message.arguments
        switch message.address {
        case Self.cursors, Self.objects:
            profile = message.address == Self.cursors ? .cursors : .objects
            guard let word = arguments.first?.text,
                let content = Self.content(word, Array(arguments.dropFirst()), of: profile)
            else { return nil }
            self.content = content
            if content == .source { source = arguments[1].text }
        case "/tuio2/frm":
            profile = .second
            guard let number = arguments.first?.integer else { return nil }
            content = .frame(number)
            source = arguments.count > 3 ? arguments[3].text : nil
        case "/tuio2/ptr":
            profile = .second
            // id, type and user, component, x, y, angle, shear, radius, pressure
            guard arguments.count >= 9, let id = arguments[0].integer,
                let place = Self.place(arguments[3...]), let pressure = arguments[8].number
            else { return nil }
            content =
                pressure < 0
                ? .hover(id: id) : .set(id: id, place: place, user: Self.user(arguments[1]))
        case "/tuio2/tok":
            profile = .second
            // id, type and user, component, x, y, angle
            guard let object = Self.object(arguments, symbolAt: 2, placeAt: 3) else { return nil }
            content = object
        case "/tuio2/sym":
            profile = .second
            // id, type and user, component, group, data
            guard arguments.count >= 5, let id = arguments[0].integer else { return nil }
            // Other symbols are the names of what no number stands for.
            content = .symbol(id: id, Self.number(arguments[4]) ?? Self.noSymbol)
        case "/tuio2/alv":
            profile = .second
            guard let ids = Self.ids(arguments) else { return nil }
            content = .alive(ids)
        default: return nil
        }
    }

    /// A message of 1.1, by the word that stands first.
    private static func content(
        _ word: String, _ arguments: [OSCMessage.Argument], of profile: Profile
    ) -> Content? {
        switch word {
        case "source": return arguments.first?.text.map { _ in .source }
        case "alive": return ids(arguments).map { .alive($0) }
        case "fseq": return arguments.first?.integer.map { .frame($0) }
        case "set" where profile == .objects:
            // id, symbol, x, y, angle
            guard let object = object(arguments, symbolAt: 1, placeAt: 2),
                case .object(_, _, let mark) = object, mark.symbol >= 0
            else { return nil }
            return object
        case "set":
            // The velocities that follow are not read: the daemon measures its own, and many
            // trackers send zeros.
            guard let id = arguments.first?.integer, let place = place(arguments.dropFirst())
            else { return nil }
            return .set(id: id, place: place)
        default: return nil
        }
    }

    /// The person's number, in the upper two bytes of the field "type and user"; nil: it is 0.
    private static func user(_ field: OSCMessage.Argument) -> Int? {
        let user = (field.integer ?? 0) >> 16 & 0xffff
        return user == 0 ? nil : user
    }

    /// Stands for the symbol of an object that has none.
    static let noSymbol = -1

    private static func object(
        _ arguments: [OSCMessage.Argument], symbolAt: Int, placeAt: Int
    ) -> Content? {
        guard arguments.count >= placeAt + 3, let id = arguments[0].integer,
            let symbol = arguments[symbolAt].integer, symbol <= TUIO.symbolMax,
            let place = place(arguments[placeAt...]),
            let angle = arguments[placeAt + 2].number, angle.magnitude <= TUIO.angleMax
        else { return nil }
        let mark = TokenMark(symbol: max(symbol, noSymbol), angle: angle)
        return .object(id: id, place: place, mark: mark)
    }

    /// The number that a symbol's data is, also as a text; nil: it is none, or beyond the bound.
    private static func number(_ data: OSCMessage.Argument) -> Int? {
        guard let number = data.integer ?? data.text.flatMap({ Int($0) }) else { return nil }
        return (0...TUIO.symbolMax).contains(number) ? number : nil
    }

    private static func ids(_ arguments: [OSCMessage.Argument]) -> [Int]? {
        let ids = arguments.compactMap(\.integer)
        return ids.count == arguments.count && ids.count <= TUIO.aliveMax ? ids : nil
    }

    private static func place(_ arguments: ArraySlice<OSCMessage.Argument>) -> Vector? {
        let numbers = arguments.prefix(2).compactMap(\.number)
        guard numbers.count == 2, numbers.allSatisfy(TUIO.coordinates.contains) else { return nil }
        return Vector(numbers[0], numbers[1])
    }
}
