import Interactions
package import Notation
import Protocol
import Scenes
import Sessions

/// All that is wrong with a scene, for a person to correct at once.
///
/// A reader stops at the first error. So the scene is read again and again, each time without what
/// was wrong: a key, or a whole component where that is not enough.
package struct SceneFaults {
    package private(set) var errors: [SceneError] = []
    private let file: String
    private var node: Node
    /// The numbers that the components have in the file.
    private var numbers: [Int]
    private var reactionNumbers: [Int]
    /// Keys that were wrong, by path and name, with the number of values tried in their place.
    private var mendedKeys: [[String]: Int] = [:]

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
        return faults.errors.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    }

    private init(_ node: Node, file: String) {
        self.node = node
        self.file = file
        numbers = Array(1...max(1, node["components"]?.array?.count ?? 0))
        reactionNumbers = Array(1...max(1, node["reactions"]?.array?.count ?? 0))
    }

    private mutating func search() {
        while errors.count < Limits.sceneErrorsMax {
            do throws(TableError) {
                _ = try SceneTable.read(node, fallbackName: nil)
                return
            } catch {
                guard takeOut(error) else { return }
            }
        }
    }

    /// Notes an error and takes out what it names. False: there is nothing that could be taken out.
    private mutating func takeOut(_ error: TableError) -> Bool {
        if error.path.hasPrefix("reaction ") { return takeOutReaction(error) }
        guard let place = place(of: error) else {
            note(error)
            return takeOutOfScene(error)
        }
        guard let components = node["components"]?.array, components.indices.contains(place) else {
            return false
        }
        var told = error
        if components[place]["id"]?.string == nil { told.path = "component \(numbers[place])" }
        let key = error.unknownKey ?? error.key ?? ""
        let tries = mendedKeys[[error.path, key]]
        if tries == nil { note(told) }
        let isInTable = tries != nil || components[place][key] != nil
        guard isInTable, !["id", "kind", "in"].contains(key),
            error.path == "component \(components[place]["id"]?.string ?? "")",
            tries ?? 0 < Self.standIns.count
        else { return remove(place) }
        mendedKeys[[error.path, key]] = (tries ?? -1) + 1
        var changed = components
        // A key that was taken out may be required; then any value will do that fits.
        changed[place] =
            tries.map { changed[place].setting(key, Self.standIns[$0]) }
            ?? changed[place].without(key)
        node = node.setting("components", Node(.array(changed)))
        return true
    }

    /// Values of the types that required keys have.
    private static let standIns = [
        Node(.integer(1)), Node(.string("a")), Node(.array([])),
        Node(.array([Node(.object([.init("id", Node(.string("a")))]))])),
    ]

    private mutating func note(_ error: TableError) { errors.append(SceneError(error, file: file)) }

    private mutating func takeOutReaction(_ error: TableError) -> Bool {
        let rest = error.path.dropFirst("reaction ".count)
        let digits = rest.prefix { $0.isNumber }
        guard var reactions = node["reactions"]?.array, let number = Int(digits),
            reactions.indices.contains(number - 1)
        else {
            note(error)
            return false
        }
        var told = error
        told.path = "reaction \(reactionNumbers[number - 1])\(rest.dropFirst(digits.count))"
        note(told)
        reactions.remove(at: number - 1)
        reactionNumbers.remove(at: number - 1)
        node = node.setting("reactions", Node(.array(reactions)))
        return true
    }

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

    /// The place of the component that an error names; nil: it names none.
    private func place(of error: TableError) -> Int? {
        let prefix = "component "
        guard error.path.hasPrefix(prefix) else { return nil }
        let name = error.path.dropFirst(prefix.count).prefix { $0 != "," }
        let components = node["components"]?.array ?? []
        // If two have one id, the second is wrong.
        let named = components.indices.filter { components[$0]["id"]?.string == String(name) }
        return named.last ?? Int(name).map { $0 - 1 }
    }

    /// Takes a component out, and what it holds, which is not wrong. False: none is left.
    private mutating func remove(_ place: Int) -> Bool {
        var components = node["components"]?.array ?? []
        let id = components.remove(at: place)["id"]?.string
        numbers.remove(at: place)
        var gone = id.map { [$0] } ?? []
        if components.contains(where: { $0["id"]?.string == id }) { gone = [] }
        while let holder = gone.popLast() {
            for index in components.indices.reversed()
            where components[index]["in"]?.string?.hasPrefix("\(holder)/") == true {
                if let held = components[index]["id"]?.string { gone.append(held) }
                components.remove(at: index)
                numbers.remove(at: index)
            }
        }
        // Reactions may name what is gone, which is no error of theirs.
        node = node.setting("components", Node(.array(components))).without("reactions")
        return !components.isEmpty
    }
}

extension Limits {
    /// Errors of a scene that are told at once: a screen of them.
    package static let sceneErrorsMax = 20
}
