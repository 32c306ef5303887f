import Dynamics
import Geometry
import Gestures
import Notation

/// Commands that change a world. Each is read whole before anything changes.
extension World {
    /// Named as on the wire.
    enum Action: String, CaseIterable {
        case addItem = "add-item"
        case removeItem = "remove-item"
        case addBehavior = "add-behavior"
        case removeBehavior = "remove-behavior"
        case set
        case addVelocity = "add-velocity"
    }

    /// Performs a command. Fingers lose items that it removes.
    mutating func change(
        by command: ComponentCommand, hold: inout WorldHold, room: Bulk
    ) throws(Rejection) {
        let action = try Self.action(Action.self, of: command)
        try command.read { (table) throws(TableError) in
            switch action {
            case .addItem: try addItem(&table, room)
            case .removeItem: try removeItem(&table, &hold)
            case .addBehavior: try addBehavior(&table, &hold, room)
            case .removeBehavior: try removeBehavior(&table, &hold)
            case .set: try set(&table, &hold, room)
            case .addVelocity: try addVelocity(&table)
            }
        }
        // Fingers lose items that are anchored now.
        lose(hold.items.filter(bodies.isAnchored), &hold)
    }

    // MARK: Items

    private mutating func addItem(
        _ table: inout TableReader, _ room: Bulk
    ) throws(TableError) {
        try table.require("item")
        guard let node = table.node("item") else { return }
        let item = try WorldItem(node, among: try names())
        guard (item.content?.jsonBytes ?? 0) <= Self.itemContentBytesMax else {
            throw TableError(
                path: "item \(item.id)", key: "content",
                message: "must be at most \(Self.itemContentBytesMax) bytes long")
        }
        guard bodies.placedItems.count < Self.itemsMax else {
            throw table.error("item", "a world has at most \(Self.itemsMax) items")
        }
        try check(bulk + Bulk(items: 1, fields: 0, pairs: 0), room, key: "item")
        bodies.add(item)
    }

    private mutating func removeItem(
        _ table: inout TableReader, _ hold: inout WorldHold
    ) throws(TableError) {
        let item = try item(&table)
        if let group = bodies.group(of: item) {
            throw table.error(
                "item", "\"\(item)\" is a member of the group \"\(group.behavior.id)\"")
        }
        lose([item], &hold)
        bodies.remove(item: item)
        cuts.grow(item)
    }

    private mutating func addVelocity(_ table: inout TableReader) throws(TableError) {
        try table.require("item")
        let name = try table.itemName("item", among: try names())
        try table.require("dx")
        try table.require("dy")
        let linear = Vector(
            try table.number("dx", default: 0, in: .coordinate),
            try table.number("dy", default: 0, in: .coordinate))
        let angular = try table.number("angular", default: 0, in: .coordinate)
        bodies.animator.addVelocity(
            linear: linear, angular: angular, to: bodies.body(moving: name))
    }

    /// The name of an existing item.
    private func item(_ table: inout TableReader) throws(TableError) -> String {
        try table.require("item")
        let name = try table.name("item") ?? ""
        guard bodies.itemIndex(name) != nil else {
            let known = bodies.placedItems.map(\.item.id)
            throw table.error(
                "item", "there is no item \"\(name)\", \(knownNames(nearestTo: name, among: known))"
            )
        }
        return name
    }

    // MARK: Behaviors

    private mutating func addBehavior(
        _ table: inout TableReader, _ hold: inout WorldHold, _ room: Bulk
    ) throws(TableError) {
        try table.require("behavior")
        guard let node = table.node("behavior") else { return }
        var names = try names()
        let behavior = try WorldBehavior(node, among: names, viewport: parameters.viewport)
        try names.insert(behavior, path: "")
        try check(bulk(with: behavior), room, key: "behavior")
        if behavior.isGroup {
            for placed in bodies.placedBehaviors {
                guard let other = placed.behavior.names.first(where: behavior.names.contains) else {
                    continue
                }
                throw TableError(
                    path: "behavior \(behavior.id)", key: "items",
                    message: "\"\(other)\" is named by the behavior \"\(placed.behavior.id)\"")
            }
            lose(behavior.names, &hold)
        }
        bodies.add(behavior)
    }

    private mutating func removeBehavior(
        _ table: inout TableReader, _ hold: inout WorldHold
    ) throws(TableError) {
        let place = try behavior(&table)
        let behavior = bodies.placedBehaviors[place].behavior
        if behavior.isGroup {
            let user = bodies.placedBehaviors.first { $0.behavior.names.contains(behavior.id) }
            if let user {
                throw table.error(
                    "behavior",
                    "\"\(behavior.id)\" is named by the behavior \"\(user.behavior.id)\"")
            }
            lose(behavior.names, &hold)
        }
        bodies.remove(behavior: behavior.id)
    }

    /// The index of an existing behavior.
    private func behavior(_ table: inout TableReader) throws(TableError) -> Int {
        try table.require("behavior")
        let name = try table.name("behavior") ?? ""
        guard let place = bodies.behaviorIndex(name) else {
            let known = bodies.placedBehaviors.map(\.behavior.id)
            throw table.error(
                "behavior",
                "there is no behavior \"\(name)\", "
                    + knownNames(nearestTo: name, among: known))
        }
        return place
    }

    // MARK: Properties

    private mutating func set(
        _ table: inout TableReader, _ hold: inout WorldHold, _ room: Bulk
    ) throws(TableError) {
        try table.require("values")
        guard let values = table.node("values")?.members else {
            throw table.error("values", "must be a table")
        }
        if table.node("item") == nil {
            try setBehavior(at: try behavior(&table), values, &hold, room)
        } else if table.node("behavior") == nil {
            try setItem(try item(&table), values, hold)
        } else {
            throw table.error("behavior", "cannot stand beside item")
        }
    }

    private mutating func setItem(
        _ name: String, _ values: [Node.Member], _ hold: WorldHold
    ) throws(TableError) {
        let path = "item \(name)"
        func sets(_ keys: [String]) -> String? {
            keys.first { key in values.contains { $0.name == key } }
        }
        if let key = sets(["id", "shape", "token", "content"]) {
            throw TableError(path: path, key: key, message: "cannot be set")
        }
        if let key = sets(["center", "rotation"]),
            hold.placements.contains(where: { $0.hand.isObject && $0.item == name })
        {
            throw TableError(
                path: path, key: key, message: "cannot be set while the item's token lies there")
        }
        guard let former = bodies.items.first(where: { $0.id == name }) else { return }
        var changed = try WorldItem(
            Node(.object((Node(encoding: former).members ?? []) + values)), among: WorldNames())
        // The item may be further away than a table can say.
        if sets(["center"]) == nil { changed.center = former.center }
        if sets(["rotation"]) == nil { changed.rotation = former.rotation }
        if let group = bodies.group(of: name)?.behavior.id, let first = values.first {
            throw TableError(
                path: path, key: first.name,
                message: "cannot be set of a member of the group \"\(group)\"")
        }
        if sets(["center", "rotation"]) != nil {
            bodies.place(name, center: changed.center, rotation: changed.rotation)
        }
        if changed.center != former.center || changed.rotation != former.rotation
            || changed.scale != former.scale
        {
            cuts.grow(name)
        }
        bodies.setExclusive(name, changed.isExclusive)
        if changed.extent != former.extent || changed.scale != former.scale {
            bodies.resize(name, size: changed.size, scale: changed.scale)
        }
    }

    private mutating func setBehavior(
        at place: Int, _ values: [Node.Member], _ hold: inout WorldHold, _ room: Bulk
    ) throws(TableError) {
        let former = bodies.placedBehaviors[place].behavior
        let path = "behavior \(former.id)"
        for key in ["id", "kind"] where values.contains(where: { $0.name == key }) {
            throw TableError(path: path, key: key, message: "cannot be set")
        }
        if former.isGroup {
            throw TableError(path: path, message: "a group cannot be set, only removed and added")
        }
        if values.isEmpty { return }
        var names = try names(except: former.id)
        let changed = try WorldBehavior(
            Node(.object(former.setting(values))), among: names, viewport: parameters.viewport)
        try names.insert(changed, path: "")
        try check(bulk(with: changed), room, key: "values")
        var isActive: Bool?
        if case .push(_, let push) = changed.rule, values.contains(where: { $0.name == "active" }) {
            isActive = push.isActive
        }
        let isForced = values.contains { WorldBehavior.forceKeys.contains($0.name) }
        bodies.replace(changed, isActive: isActive, isForced: isForced)
    }

    // MARK: Contents

    /// The bulk with a behavior, in the place of one of the same name if there is one.
    private func bulk(with behavior: WorldBehavior) -> Bulk {
        let others = bodies.placedBehaviors.map(\.behavior).filter { $0.id != behavior.id }
        return Bulk(items: bodies.placedItems.count, others + [behavior])
    }

    /// Throws where the world would grow beyond its session's room.
    private func check(_ bulk: Bulk, _ room: Bulk, key: String) throws(TableError) {
        // One that is beyond it already, as stored by a former version, may shrink.
        guard let excess = bulk.excess(of: room), self.bulk != bulk else { return }
        throw TableError(
            path: "", key: key, message: "the worlds of a session have at most \(excess)")
    }

    /// All names except that of one behavior.
    private func names(except other: String? = nil) throws(TableError) -> WorldNames {
        var names = WorldNames()
        for placed in bodies.placedItems { names.append(placed.item) }
        for placed in bodies.placedBehaviors where placed.behavior.id != other {
            try names.insert(placed.behavior, path: "")
        }
        return names
    }

    /// Fingers let go of items whose bodies will be replaced.
    mutating func lose(_ items: [String], _ hold: inout WorldHold) {
        for grip in hold.grips where items.contains(grip.item) {
            releaseGrip(of: grip.hand, &hold)
        }
        hold.pinches.removeAll { items.contains($0.item) }
        hold.turns.removeAll { items.contains($0.item) }
        hold.placements.removeAll { items.contains($0.item) }
    }
}
