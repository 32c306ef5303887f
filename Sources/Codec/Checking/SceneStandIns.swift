import Interactions
import Notation

/// A key of a table that was wrong or is missing.
struct SceneMend: Hashable {
    /// The table's `ScenePlace.identity`.
    let table: String
    let key: String
}

/// Values that take the place of a required key, one after the other until one fits, so that the
/// rest of its table can be read.
struct SceneStandIns {
    private let key: String
    /// A name that no other entry has.
    let name: String
    private var tried = 0

    init(of key: String, number: Int) {
        self.key = key
        name = "\(Self.mark)\(number)"
    }

    /// Nil: none is left, or nothing can take the place of that key. A world gets an item where
    /// its name is needed: those of the file may have a part in the table already.
    mutating func next(in scene: inout Node, at place: ScenePlace) -> Node? {
        let table = place.table(in: scene)
        let values: [Node]
        switch key {
        case "kind", "in": values = []
        case "id": values = [Node(.string(name))]
        case "item", "items", "to": values = nameAnItem(in: &scene, at: place) + others
        case "anchors": values = Self.renumbered(table?["anchors"]) + [anchors]
        case "root": values = Self.firstScreen(of: table) + others
        case "shape": values = [Self.shape(of: table)] + others
        case "type": values = [Self.type(of: table)] + others
        default: values = others
        }
        guard tried < values.count else { return nil }
        defer { tried += 1 }
        return values[tried]
    }

    /// A region's shape that takes the keys which are there.
    private static func shape(of region: Node?) -> Node {
        let parts = region?["of"]?.array?.count
        let other = region?["radius"] != nil ? "circle" : "infinite"
        let whole = region?["size"] != nil ? "rectangle" : other
        return Node(.string(parts.map { $0 == 1 ? "inverse" : "union" } ?? whole))
    }

    /// An attachment's type that takes the keys which are there.
    private static func type(of attachment: Node?) -> Node {
        let isPin = ["range", "friction_torque"].contains { attachment?[$0] != nil }
        let other = isPin ? "pin" : "distance"
        return Node(.string(attachment?["axis"] != nil ? "sliding" : other))
    }

    private func nameAnItem(in scene: inout Node, at place: ScenePlace) -> [Node] {
        guard place.steps.count == 2, place.steps[1].key == "behaviors" else { return [] }
        let world = ScenePlace(steps: [place.steps[0]])
        let name = Node(.string(name))
        scene = world.changing(scene) { table in
            let items = table["items"]?.array ?? []
            guard !items.contains(where: { $0["id"]?.string == self.name }),
                items.count < World.itemsMax
            else { return table }
            let point = Self.list([1, 1])
            let item = Node(
                .object([.init("id", name), .init("center", point), .init("size", point)]))
            return table.setting("items", Node(.array(items + [item])))
        }
        return [name, Node(.array([name]))]
    }

    // MARK: Values

    /// One of each type and choice that a required key has. The number is large enough for a key
    /// beside it that counts up to it.
    private var others: [Node] {
        let name = Node(.string(name))
        return [
            Node(.integer(1_000)), name, Node(.array([])),
            Node(.array([Node(.object([.init("id", name)]))])),
        ] + Self.choices
    }

    private static let choices = [
        list([1, 1]), Node(.string("continuous")), Node(.string("drag")),
        Node(.string("infinite")), Node(.array([everywhere])),
        Node(.array([everywhere, everywhere])),
    ]

    static let viewport = list([320, 568])
    static let components = Node(
        .array([
            Node(
                .object([
                    .init("id", Node(.string("\(mark)c"))), .init("kind", Node(.string("toss"))),
                ]))
        ]))

    static let language = Node(.string("en"))

    /// Panels need one.
    private var anchors: Node {
        let anchor = Node(
            .object([.init("name", Node(.string(name))), .init("at", Node(.integer(0)))]))
        return Node(.array([anchor]))
    }

    /// The anchors of the file, in order: their names may stand elsewhere. None, if they are too
    /// many or no tables.
    private static func renumbered(_ anchors: Node?) -> [Node] {
        let entries = anchors?.array ?? []
        guard (1...Panel.anchorsMax).contains(entries.count),
            entries.allSatisfy({ $0.members != nil })
        else { return [] }
        let ordered = entries.enumerated().map { $1.setting("at", Node(.integer($0))) }
        return [Node(.array(ordered), line: anchors?.line)]
    }

    /// Whether anchors are those of the file.
    static func isRenumbered(_ anchors: Node) -> Bool {
        anchors.array?.allSatisfy { $0["name"]?.string.map(isOne) != true } ?? false
    }

    /// A root has to be one of the screens.
    private static func firstScreen(of navigation: Node?) -> [Node] {
        let screens = navigation?["screens"]?.array ?? []
        return screens.compactMap { $0["name"] }.prefix(1).map { $0 }
    }

    private static let everywhere = Node(.object([.init("shape", Node(.string("infinite")))]))

    private static func list(_ numbers: [Int]) -> Node {
        Node(.array(numbers.map { Node(.integer($0)) }))
    }

    /// Keys that need not be there where one of others is.
    static let sameAs = [
        "anchor": ["to"], "dx": ["dy", "angle", "magnitude"], "from": ["path"], "to": ["path"],
    ]

    /// Keys that get another value where theirs is wrong, for keys beside them need them: an id is
    /// the name of its entry in all that is told of it.
    static let neverOut = ["id", "to", "type", "anchors"]

    /// Keys by whose values other keys name a table.
    static let names = ["id", "name"]

    /// Keys whose values have names or numbers that other keys and reactions use.
    static let lists: Set<String> = [
        "anchors", "behaviors", "items", "menu", "pages", "rows", "screens", "tips",
    ]

    // MARK: Names

    private static let mark = "~stand-in~"

    static func isOne(_ name: String) -> Bool { name.hasPrefix(mark) }

    /// A message in which a name that is not in the file, with its quotes, is no name.
    private static func unnamed(in message: String) -> String {
        var text = ""
        var isBehindName = true
        for part in message.split(separator: "\"", omittingEmptySubsequences: false) {
            let isName = isOne(String(part))
            if isName {
                text += "without an id"
            } else {
                text += (isBehindName ? "" : "\"") + part
            }
            isBehindName = isName
        }
        return text
    }

    /// A message with the ids of the file in the place of the names that they have here.
    private static func named(_ message: String, _ written: [String: String]) -> String {
        var text = ""
        var rest = message[...]
        while let start = rest.range(ofFirst: mark) {
            let end = rest[start.upperBound...].firstIndex { !$0.isWholeNumber } ?? rest.endIndex
            let name = String(rest[start.lowerBound..<end])
            text += rest[..<start.lowerBound] + (written[name] ?? name)
            rest = rest[end...]
        }
        return text + rest
    }

    /// Whether the known names that an error lists have one of these stand-ins among them. The file
    /// may have meant the unknown name there.
    static func lists(_ nameless: Set<String>, in message: String) -> Bool {
        guard !nameless.isEmpty else { return false }
        for start in listBegins {
            guard let begin = message.range(ofFirst: start) else { continue }
            var rest = message[begin.upperBound...]
            // The list may go on.
            if rest.hasSuffix(" more") { return true }
            while let next = rest.range(ofFirst: mark) {
                let end =
                    rest[next.upperBound...].firstIndex { !$0.isWholeNumber } ?? rest.endIndex
                if nameless.contains(String(rest[next.lowerBound..<end])) { return true }
                rest = rest[end...]
            }
        }
        return false
    }

    private static let listBegins = ["known ones are ", "must be one of "]

    /// A message without the names that are not in the file. `written` are the ids of the file that
    /// some of them take the place of.
    static func hidden(in message: String, _ written: [String: String]) -> String {
        guard message.range(ofFirst: mark) != nil else { return message }
        let message = named(message, written)
        for start in listBegins {
            guard let known = message.range(ofFirst: start) else { continue }
            let names = message[known.upperBound...].split(separator: ",")
                .map { $0.drop { $0 == " " } }
            let own = names.filter { $0.range(ofFirst: mark) == nil }
            let rest = own.isEmpty ? "there is none" : start + own.joined(separator: ", ")
            return message[..<known.lowerBound] + rest
        }
        return unnamed(in: message)
    }
}
