import Interactions
import Notation
import Scenes
import Sessions

/// Ids that cannot be: a table is found by its id, so these are mended before anything else.
extension SceneFaults {
    /// Notes each id that is no name or that another has, and writes a name of ours in its place,
    /// also where it is referred to. So all else that is wrong with its table, and with the table
    /// that has the id rightly, is found.
    mutating func renameIDs() {
        renameIDs(in: "components", at: [])
        for index in (node["components"]?.array ?? []).indices {
            let component = ScenePlace.Step(key: "components", word: "component", index: index)
            for list in ["items", "behaviors", "menu"] { renameIDs(in: list, at: [component]) }
            let behaviors = node["components"]?.array?[index]["behaviors"]?.array ?? []
            for place in behaviors.indices {
                let behavior = ScenePlace.Step(key: "behaviors", word: "behavior", index: place)
                renameIDs(in: "boundaries", at: [component, behavior])
            }
        }
    }

    private mutating func renameIDs(in list: String, at steps: [ScenePlace.Step]) {
        let holder = steps.isEmpty ? node : ScenePlace(steps: steps).table(in: node)
        guard let entries = holder?[list]?.array else { return }
        let word = SceneTable.entryWord(of: list)
        var seen: Set<String> = []
        for (index, entry) in entries.enumerated() {
            guard let id = entry["id"]?.string else { continue }
            let isTwice = !seen.insert(id).inserted
            let isReserved = steps.isEmpty && id == Session.badgesComponent
            guard isTwice || isReserved || !Name.isValid(id) else { continue }
            let rule =
                isReserved
                ? "\(id) is reserved for the session's counts"
                : isTwice ? "is taken by another \(word)" : "must be " + Name.rule
            let place = ScenePlace(steps: steps + [.init(key: list, word: word, index: index)])
            let line = entry["id"]?.line ?? entry.line
            note(TableError(path: "", key: "id", line: line, message: rule), at: place)
            let name = standIn(at: place)
            written[name] = id
            if isTwice { noteNameless(name, of: "id", at: place) }
            node = place.changing(node) { $0.setting("id", Node(.string(name), line: line)) }
            if !isTwice { refer(to: name, insteadOf: id, list, at: steps, isReserved) }
        }
    }

    private mutating func standIn(at place: ScenePlace) -> String {
        let standIn = SceneStandIns(of: "id", number: mends.count)
        mends[SceneMend(table: place.identity([:]), key: "id")] = standIn
        return standIn.name
    }

    private mutating func refer(
        to name: String, insteadOf id: String, _ list: String, at steps: [ScenePlace.Step],
        _ isReserved: Bool
    ) {
        switch list {
        case "components":
            let components = node["components"]?.array ?? []
            let slot = "\(id)/"
            let changed = components.map { component in
                guard let held = component["in"], let text = held.string, text.hasPrefix(slot)
                else { return component }
                let place = "\(name)/\(text.dropFirst(slot.count))"
                return component.setting("in", Node(.string(place), line: held.line))
            }
            node = node.setting("components", Node(.array(changed)))
            // The counts are meant where it is reserved.
            if isReserved { return }
            reactions = reactions.map { $0.naming(name, insteadOf: id, in: ["component"]) }
        case "items":
            node = ScenePlace(steps: steps).changing(node) { component in
                guard let behaviors = component["behaviors"] else { return component }
                return component.setting(
                    "behaviors",
                    behaviors.naming(name, insteadOf: id, in: ["item", "items", "to"]))
            }
        default: break
        }
    }
}

extension Node {
    /// The same with another name at some keys, also in lists there and in tables within it.
    fileprivate func naming(
        _ name: String, insteadOf former: String, in keys: Set<String>, isAtKey: Bool = false
    ) -> Node {
        switch value {
        case .null, .bool, .integer, .unsigned, .number: self
        case .string(let text):
            isAtKey && text == former ? Node(.string(name), line: line) : self
        case .array(let elements):
            Node(
                .array(
                    elements.map {
                        $0.naming(name, insteadOf: former, in: keys, isAtKey: isAtKey)
                    }), line: line)
        case .object(let members):
            Node(
                .object(
                    members.map { member in
                        Member(
                            member.name,
                            member.value.naming(
                                name, insteadOf: former, in: keys,
                                isAtKey: keys.contains(member.name)))
                    }), line: line)
        }
    }
}
