import Interactions
import Notation
import Sessions

/// The names that reactions may use of items, behaviors, boundaries and rows: those of the scene,
/// and those that its reactions add.
struct ReactionNames {
    private struct Names {
        var items: [String] = []
        var behaviors: [String] = []
        var boundaries: [String] = []
    }

    /// The names in worlds, by component.
    private var worlds: [String: Names] = [:]
    /// The rows of lists, by component.
    private var lists: [String: ReactionRows] = [:]
    /// Components whose lists a reaction replaces, so that other names and indexes may come.
    private var changing: Set<String> = []
    /// Whether the scene is held to all that is known today. Reactions of one that is not were
    /// accepted before, and an event may have changed what they name.
    let isStrict: Bool

    init(_ reactions: [Node], _ components: [Scene.Component], isStrict: Bool) {
        self.isStrict = isStrict
        guard !reactions.isEmpty else { return }
        for component in components {
            if let world = component.parameters.value as? WorldParameters {
                worlds[component.id] = Names(
                    items: world.itemNames, behaviors: world.behaviorNames,
                    boundaries: world.boundaryNames)
            }
            if let list = component.parameters.value as? ListParameters {
                lists[component.id] = ReactionRows(list)
            }
        }
        for reaction in reactions { for deed in reaction.actionTables { note(deed.table) } }
    }

    // MARK: Additions

    /// Notes what a deed adds.
    private mutating func note(_ deed: Node) {
        guard let id = deed["component"]?.string else { return }
        switch deed["command"]?.string {
        case "add-item":
            guard let item = deed["item"]?["id"]?.literal else {
                return _ = changing.insert(id)
            }
            worlds[id]?.items.append(item)
        case "add-behavior":
            guard let behavior = deed["behavior"]?["id"]?.literal else {
                return _ = changing.insert(id)
            }
            worlds[id]?.behaviors.append(behavior)
            if deed["behavior"]?["kind"]?.string == "group" {
                worlds[id]?.items.append(behavior)
            }
            note(boundariesOf: deed["behavior"], in: id)
        case "insert": lists[id]?.note(row: deed["item"])
        case "set": note(set: deed, of: id)
        case "present":
            if deed["tips"] != nil { changing.insert(id) }
        default: break
        }
    }

    private mutating func note(set deed: Node, of id: String) {
        let values = deed["values"]
        guard deed["item"] == nil, deed["behavior"] == nil else {
            note(boundariesOf: values, in: id)
            return
        }
        let keys = values?.members?.map(\.name) ?? []
        if keys.contains(where: Self.listKeys.contains) { changing.insert(id) }
        lists[id]?.note(keys: keys)
    }

    /// Notes the boundaries in the table of a behavior.
    private mutating func note(boundariesOf behavior: Node?, in world: String) {
        if let bounds = behavior?["bounds"], bounds.bool != false {
            worlds[world]?.boundaries.append(WorldParameters.boundsName)
        }
        guard let boundaries = behavior?["boundaries"] else { return }
        for boundary in boundaries.array?.map({ $0["id"]?.literal }) ?? [nil] {
            guard let boundary else { return _ = changing.insert(world) }
            worlds[world]?.boundaries.append(boundary)
        }
    }

    /// Keys of components whose values give names or indexes that reactions use.
    private static let listKeys: Set<String> = [
        "items", "behaviors", "menu", "pages", "screens", "tips",
    ]

    // MARK: Refusals

    /// Whether a component may come to have other names and indexes than the scene gives it.
    func mayChange(_ component: String) -> Bool { !isStrict || changing.contains(component) }

    /// Whether a key of a reaction may come to name others. More rows bring no action.
    func mayChange(_ component: String, at key: String) -> Bool {
        mayChange(component) || (key == "row" && lists[component]?.areOpen == true)
    }

    /// Why a value cannot stand at a key of a reaction, where that names something which is there;
    /// nil: it can. `isOfAction` says whether an item is an action of a list's menu.
    func rule(
        refusing node: Node, as key: String, isOfAction: Bool = false, in component: String
    ) -> String? {
        guard isStrict else { return nil }
        if let rows = lists[component] {
            return rows.rule(refusing: node, as: key, isOfAction: isOfAction)
        }
        guard !mayChange(component), let names = worlds[component], let name = node.literal
        else { return nil }
        switch key {
        case "item", "with": return Self.rule(refusing: name, "item", among: names.items)
        case "behavior": return Self.rule(refusing: name, "behavior", among: names.behaviors)
        case "boundary": return Self.rule(refusing: name, "boundary", among: names.boundaries)
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
