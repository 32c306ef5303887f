import Interactions
package import Notation
import Protocol
import Scenes
import Sessions

/// All that is wrong with a scene, for a person to correct at once.
///
/// A reader stops at the first error. So the scene is read again and again, each time without what
/// was wrong: a key, an entry of a list, or a whole component where that is not enough. Reactions
/// are looked at last, all of them at once: they name components.
package struct SceneFaults {
    package private(set) var errors: [SceneError] = []
    private let file: String
    private var node: Node
    private var reactions: [Node] = []
    /// The numbers that entries have in the file, by the path of their list.
    private var numbers: [String: [Int]] = [:]
    /// Keys that were wrong, by path and name, with the number of values tried in their place.
    private var mendedKeys: [[String]: Int] = [:]
    /// Ids of components that were taken out.
    private var gone: Set<String> = []

    /// Reads a file: JSON if its name ends so, else TOML.
    package static func found(in bytes: [UInt8], file: String) -> [SceneError] {
        let node: Node
        do throws(DocumentError) {
            node = try file.hasSuffix(".json") ? Document.jsonFile(bytes) : Document.toml(bytes)
        } catch {
            return [SceneError(error, file: file)]
        }
        var faults = SceneFaults(node, file: file)
        faults.search()
        let found = faults.errors.prefix(Limits.sceneErrorsMax)
        return found.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    }

    private init(_ node: Node, file: String) {
        self.node = node
        self.file = file
        let written = node["reactions"]?.array ?? []
        guard !written.isEmpty, written.count <= Limits.reactionsMax else { return }
        reactions = written
        self.node = node.without("reactions")
    }

    private mutating func search() {
        while errors.count < Limits.sceneErrorsMax {
            do throws(TableError) {
                _ = try SceneTable.read(node, fallbackName: nil)
                for error in SceneTable.faults(of: reactions, in: node, gone: gone) { note(error) }
                return
            } catch {
                guard takeOut(error) else { return }
            }
        }
    }

    /// Notes an error and takes out what it names. False: there is nothing that could be taken out.
    private mutating func takeOut(_ error: TableError) -> Bool {
        guard let place = ScenePlace(error.path, in: node) else {
            note(error)
            return takeOutOfScene(error)
        }
        var told = error
        told.path = place.path(numbers, in: node)
        let key = error.unknownKey ?? error.key ?? ""
        let name = [told.path, key]
        let tries = mendedKeys[name]
        if tries == nil { note(told) }
        let isInTable = tries != nil || place.table(in: node)?[key] != nil
        guard isInTable, !["id", "kind", "in"].contains(key), tries ?? 0 < Self.standIns.count
        else { return remove(place) }
        mendedKeys[name] = (tries ?? -1) + 1
        // A key that was taken out may be required; then any value will do that fits.
        node = place.changing(node) { table in
            tries.map { table.setting(key, Self.standIns[$0]) } ?? table.without(key)
        }
        return true
    }

    /// Values of the types that required keys have.
    private static let standIns = [
        Node(.integer(1)), Node(.string("a")), Node(.array([])),
        Node(.array([Node(.object([.init("id", Node(.string("a")))]))])),
        Node(.array([Node(.integer(1)), Node(.integer(1))])),
    ]

    private mutating func note(_ error: TableError) { errors.append(SceneError(error, file: file)) }

    private mutating func takeOutOfScene(_ error: TableError) -> Bool {
        let key = error.unknownKey ?? error.key ?? ""
        switch key {
        case "components": return false
        case "viewport":
            // Any viewport will do to read the rest.
            let any = Node(.array([Node(.integer(320)), Node(.integer(568))]))
            node = node.setting("viewport", any)
            return true
        default:
            guard node[key] != nil else { return false }
            node = node.without(key)
            return true
        }
    }

    /// Takes the innermost entry of a place out. A component takes what it holds with it, which is
    /// not wrong. False: no component is left.
    private mutating func remove(_ place: ScenePlace) -> Bool {
        guard place.steps.count == 1 else {
            node = place.removed(from: node, &numbers)
            return true
        }
        let components = node["components"]?.array ?? []
        let id = components[place.steps[0].index]["id"]?.string
        take(out: place.steps[0].index)
        let isTwice = node["components"]?.array?.contains { $0["id"]?.string == id } == true
        var holders = isTwice ? [] : id.map { [$0] } ?? []
        while let holder = holders.popLast() {
            gone.insert(holder)
            let held = node["components"]?.array ?? []
            for index in held.indices.reversed()
            where held[index]["in"]?.string?.hasPrefix("\(holder)/") == true {
                if let id = held[index]["id"]?.string { holders.append(id) }
                take(out: index)
            }
        }
        return node["components"]?.array?.isEmpty == false
    }

    private mutating func take(out index: Int) {
        let place = ScenePlace(steps: [.init(list: "components", word: "component", index: index)])
        node = place.removed(from: node, &numbers)
    }
}

extension Limits {
    /// Errors of a scene that are told at once: each is found by reading the scene once more.
    package static let sceneErrorsMax = 100
}
