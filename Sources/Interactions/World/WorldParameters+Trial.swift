package import Notation

// The commands of reactions, as far as the scene alone tells what the world would refuse.

extension WorldParameters {
    package func trial(of deed: Node, among deeds: [Node]) -> CommandTrial? {
        switch World.Action(rawValue: deed["command"]?.string ?? "") {
        case .addItem: addition(of: deed["item"])
        case .addBehavior:
            deed["behavior"].flatMap { behavior in
                behavior.members == nil
                    ? nil : world(with: behavior, among: deeds, argument: "behavior")
            }
        case .removeItem, .addVelocity:
            memberFault(deed["item"], among: deeds).map { CommandTrial(of: "item", faults: [$0]) }
        case .set: setting(deed, among: deeds)
        case .removeBehavior, nil: nil
        }
    }

    private func addition(of item: Node?) -> CommandTrial? {
        guard let item, item.members != nil else { return nil }
        var trial = CommandTrial(of: "item", [.init("items", Node(.array([item])))])
        let content = item["content"]
        if (content?.jsonBytes ?? 0) > World.itemContentBytesMax {
            trial.faults.append(
                TableError(
                    path: "item \(item["id"]?.string ?? "1")", key: "content", line: content?.line,
                    message: "must be at most \(World.itemContentBytesMax) bytes long"))
        }
        return trial
    }

    // MARK: Set

    /// Nil: it sets keys of the component.
    private func setting(_ deed: Node, among deeds: [Node]) -> CommandTrial? {
        guard let values = deed["values"]?.members else { return nil }
        switch (deed["item"], deed["behavior"]) {
        case (nil, nil): return nil
        case (let item?, nil): return setting(values, ofItem: item, among: deeds)
        case (nil, let behavior?):
            return behavior.string.flatMap { setting(values, ofBehavior: $0, among: deeds) }
        case (_?, let behavior?):
            let fault = TableError(
                path: "", key: "behavior", line: behavior.line, message: "cannot stand beside item")
            return CommandTrial(of: "behavior", faults: [fault])
        }
    }

    private func setting(
        _ values: [Node.Member], ofItem name: Node, among deeds: [Node]
    ) -> CommandTrial {
        let item = items.first { $0.id == name.string }
        // An item that will come has these keys, too.
        let id = name.string.flatMap { Name.isValid($0) ? $0 : nil } ?? "any"
        let fixed = ["id", "shape", "token", "content"]
        let (faults, rest) = Self.parting(fixed, of: values, "item \(id)")
        let table = (item.map { Node(encoding: $0) } ?? Self.standIn(id)).setting(rest)
        var trial = CommandTrial(
            of: "values", [.init("items", Node(.array([table])))], faults: faults)
        if let fault = memberFault(name, among: deeds) { trial.faults.append(fault) }
        return trial
    }

    private func setting(
        _ values: [Node.Member], ofBehavior name: String, among deeds: [Node]
    ) -> CommandTrial? {
        guard let former = behaviors.first(where: { $0.id == name }) ?? added(name, among: deeds)
        else { return nil }
        let path = "behavior \(name)"
        if former.isGroup {
            let fault = TableError(
                path: path, message: "a group cannot be set, only removed and added")
            return CommandTrial(of: "values", faults: [fault])
        }
        let (faults, rest) = Self.parting(["id", "kind"], of: values, path)
        let lineless = WorldBehavior(
            id: former.id, rule: former.rule,
            source: Node(.object(former.source)).withoutLines.members ?? [])
        var trial = world(
            with: Node(.object(lineless.setting(rest))), among: deeds, argument: "values")
        trial?.faults += faults
        return trial
    }

    /// Parts the values that can be set from those that cannot.
    private static func parting(
        _ fixed: [String], of values: [Node.Member], _ path: String
    ) -> ([TableError], [Node.Member]) {
        let wrong = values.filter { fixed.contains($0.name) }
        let faults = wrong.map {
            TableError(path: path, key: $0.name, line: $0.value.line, message: "cannot be set")
        }
        return (faults, values.filter { !fixed.contains($0.name) })
    }

    // MARK: Names

    /// A behavior that a reaction adds; nil: none does, or it is wrong itself.
    private func added(_ name: String, among deeds: [Node]) -> WorldBehavior? {
        let tables = Self.added("behavior", deeds)
        guard let table = tables.first(where: { $0["id"]?.string == name }) else { return nil }
        var names = WorldNames()
        names.items = Set(itemNames + Self.names(in: table)).sorted()
        return try? WorldBehavior(table.withoutLines, among: names, viewport: viewport)
    }

    /// The tables of items or behaviors that reactions add.
    private static func added(_ part: String, _ deeds: [Node]) -> [Node] {
        deeds.compactMap { $0["command"]?.string == "add-\(part)" ? $0[part] : nil }
    }

    /// The names of items in a behavior's table.
    private static func names(in behavior: Node) -> [String] {
        let all = [behavior["item"], behavior["to"]] + (behavior["items"]?.array ?? [])
        return all.compactMap { $0?.string }.filter(Name.isValid)
    }

    /// A world with a behavior among all that it may name. Nil: more than a world can hold may
    /// come, so that nothing can be told.
    private func world(
        with behavior: Node, among deeds: [Node], argument: String
    ) -> CommandTrial? {
        let id = behavior["id"]?.string
        let isGroup = behavior["kind"]?.string == WorldBehavior.Kind.group.rawValue
        var others = behaviors.filter { $0.id != id && ($0.isGroup || isGroup) }
        var names = items.map(\.id)
        if Self.removesBehaviors(deeds) {
            names += others.filter(\.isGroup).map(\.id)
            others = []
        }
        let groups = Self.added("behavior", deeds).filter { $0["kind"]?.string == "group" }
        let coming = (Self.added("item", deeds) + groups).map { $0["id"]?.string }
        let changesLists = deeds.contains { deed in
            ["items", "behaviors"].contains { deed["values"]?[$0] != nil }
        }
        names += coming.compactMap { $0 }.filter { $0 != id && Name.isValid($0) }
        if changesLists || !coming.allSatisfy({ $0.map(Name.isValid) == true }) {
            names += Self.names(in: behavior)
        }
        let grouped = others.filter(\.isGroup).map(\.id)
        var seen = Set(grouped)
        let standIns = names.filter { seen.insert($0).inserted }.map(Self.standIn)
        guard standIns.count <= World.itemsMax, others.count < World.behaviorsMax else {
            return nil
        }
        let rest = others.map { Node(.object($0.source)).withoutLines }
        return CommandTrial(
            of: argument,
            [
                .init("items", Node(.array(standIns))),
                .init("behaviors", Node(.array(rest + [behavior]))),
            ])
    }

    private static func removesBehaviors(_ deeds: [Node]) -> Bool {
        deeds.contains { $0["command"]?.string == World.Action.removeBehavior.rawValue }
    }

    private static func standIn(_ id: String) -> Node {
        let point = Node(.array([Node(.integer(1)), Node(.integer(1))]))
        return Node(
            .object([
                .init("id", Node(.string(id))), .init("center", point), .init("size", point),
            ]))
    }

    /// Why a command cannot be to an item: it is a member of a group, which no reaction removes.
    private func memberFault(_ item: Node?, among deeds: [Node]) -> TableError? {
        guard let name = item?.string, !Self.removesBehaviors(deeds) else { return nil }
        let group = behaviors.first { $0.isGroup && $0.names.contains(name) }
        return group.map {
            TableError(
                path: "", key: "item", line: item?.line,
                message: "\"\(name)\" is a member of the group \"\($0.id)\"")
        }
    }
}
