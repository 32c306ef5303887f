import Geometry

/// One message of a frame, of either version.
struct TUIOPart: Hashable, Sendable {
    enum Content: Hashable {
        /// The tracker's name, of 1.1.
        case source
        case alive([Int])
        case set(id: Int, place: Vector)
        /// A contact of 2.0 above the surface.
        case hover(id: Int)
        case frame(Int)
    }

    var version: Int
    var content: Content
    /// The name of the tracker from which the messages behind this one come.
    var source: String?

    /// The message completes its frame.
    var isLast: Bool {
        switch content {
        case .frame: version == 1
        case .alive: version == 2
        default: false
        }
    }

    private static let cursors = "/tuio/2Dcur"

    static func isKnown(_ address: String) -> Bool {
        [cursors, "/tuio2/frm", "/tuio2/ptr", "/tuio2/alv"].contains(address)
    }

    /// Nil where the message is another one, or malformed.
    init?(_ message: OSCMessage) {
        let arguments = message.arguments
        switch message.address {
        case Self.cursors:
            version = 1
            guard let word = arguments.first?.text,
                let content = Self.content(word, Array(arguments.dropFirst()))
            else { return nil }
            self.content = content
            if content == .source { source = arguments[1].text }
        case "/tuio2/frm":
            version = 2
            guard let number = arguments.first?.integer else { return nil }
            content = .frame(number)
            source = arguments.count > 3 ? arguments[3].text : nil
        case "/tuio2/ptr":
            version = 2
            // id, type and user, component, x, y, angle, shear, radius, pressure
            guard arguments.count >= 9, let id = arguments[0].integer,
                let place = Self.place(arguments[3...]), let pressure = arguments[8].number
            else { return nil }
            content = pressure < 0 ? .hover(id: id) : .set(id: id, place: place)
        case "/tuio2/alv":
            version = 2
            guard let ids = Self.ids(arguments) else { return nil }
            content = .alive(ids)
        default: return nil
        }
    }

    /// A message of 1.1, by the word that stands first.
    private static func content(
        _ word: String, _ arguments: [OSCMessage.Argument]
    ) -> Content? {
        switch word {
        case "source": return arguments.first?.text.map { _ in .source }
        case "alive": return ids(arguments).map { .alive($0) }
        case "fseq": return arguments.first?.integer.map { .frame($0) }
        case "set":
            // The velocities that follow are not read: the daemon measures its own, and many
            // trackers send zeros.
            guard let id = arguments.first?.integer, let place = place(arguments.dropFirst())
            else { return nil }
            return .set(id: id, place: place)
        default: return nil
        }
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
