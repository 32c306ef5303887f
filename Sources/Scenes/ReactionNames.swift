import Interactions
import Notation
import Sessions

/// The names that reactions may use of items and behaviors: those of the scene, and those that its
/// reactions add.
struct ReactionNames {
    private struct Names {
        var items: [String] = []
        var behaviors: [String] = []
    }

    /// The names in worlds, by component.
    private var worlds: [String: Names] = [:]
    /// Components whose lists a reaction replaces, so that other names and indexes may come.
    private var changing: Set<String> = []
    /// Whether the scene is held to all that is known today. Reactions of one that is not were
    /// accepted before, and an event may have changed what they name.
    let isStrict: Bool

    init(_ reactions: [Node], _ components: [Scene.Component], isStrict: Bool) {
        self.isStrict = isStrict
        for component in components {
            guard let world = component.parameters.value as? WorldParameters else { continue }
            worlds[component.id] = Names(
                items: world.itemNames, behaviors: world.behaviorNames)
        }
        for reaction in reactions { for deed in reaction.actionTables { note(deed.table) } }
    }

    /// Notes what a deed adds.
    private mutating func note(_ deed: Node) {
        guard let id = deed["component"]?.string else { return }
        switch deed["command"]?.string {
        case "add-item":
            let item = deed["item"]?["id"]?.string
            guard let item, Placeholder(item) == nil else { return _ = changing.insert(id) }
            worlds[id]?.items.append(item)
        case "add-behavior":
            let behavior = deed["behavior"]?["id"]?.string
            guard let behavior, Placeholder(behavior) == nil else {
                return _ = changing.insert(id)
            }
            worlds[id]?.behaviors.append(behavior)
            if deed["behavior"]?["kind"]?.string == "group" {
                worlds[id]?.items.append(behavior)
            }
        case "set":
            let isList = deed["values"]?.members?.contains { Self.lists.contains($0.name) }
            if isList == true { changing.insert(id) }
        case "present":
            if deed["tips"] != nil { changing.insert(id) }
        default: break
        }
    }

    /// Keys of components whose values give names or indexes that reactions use.
    private static let lists: Set<String> = [
        "items", "behaviors", "menu", "pages", "screens", "tips",
    ]

    /// Whether a component may come to have other names and indexes than the scene gives it.
    func mayChange(_ component: String) -> Bool { !isStrict || changing.contains(component) }

    /// Why an item of a world cannot be; nil: it can, or the component is no world.
    func rule(refusingItem node: Node, of component: String) -> String? {
        guard !mayChange(component), let names = worlds[component], let name = node.string
        else { return nil }
        return Self.rule(refusing: name, "item", among: names.items)
    }

    /// The same of a command's argument, where that names something which is there.
    func rule(
        refusing node: Node, as argument: CommandReport.Argument, of command: CommandReport,
        in component: String
    ) -> String? {
        guard !mayChange(component), let names = worlds[component], let name = node.string,
            Placeholder(name) == nil
        else { return nil }
        switch argument.name {
        case "item": return Self.rule(refusing: name, "item", among: names.items)
        case "behavior": return Self.rule(refusing: name, "behavior", among: names.behaviors)
        default: return nil
        }
    }

    private static func rule(
        refusing name: String, _ what: String, among known: [String]
    ) -> String? {
        guard !known.contains(name) else { return nil }
        return "there is no \(what) \"\(TableReader.shortened(name))\", "
            + knownNames(nearestTo: name, among: known)
    }
}

extension ValueForm {
    /// The form where the component may come to have other names and indexes.
    var opened: ValueForm {
        switch self {
        case .choice: .name
        case .whole(let range): .whole(range.lowerBound...Int.max)
        case .number, .name, .truth, .table, .any: self
        }
    }
}
