import Interactions
import Notation
import Sessions

/// The rows that reactions may name of a list, and the actions of their menus: those of the scene,
/// and those that its reactions insert.
struct ReactionRows {
    /// Nil: the rows are a number, and have no ids.
    private let listed: ListedRows?
    /// The ids of rows that the scene does not have.
    private var inserted: [String] = []
    /// The actions of all menus, and the same in their order.
    private var actions: Set<String> = []
    private var actionsInOrder: [String] = []
    /// Whether a reaction replaces the rows, or brings some whose ids are known only then.
    private(set) var areOpen = false
    /// The same of actions.
    private var areActionsOpen = false

    init(_ list: ListParameters) {
        listed = list.listed
        for action in list.menu { note(action: action.id) }
        for row in list.listed?.rows ?? [] {
            for action in row.menu ?? [] { note(action: action.id) }
        }
    }

    // MARK: Additions

    /// Notes the row of an `insert`.
    mutating func note(row: Node?) {
        guard let id = row?["id"]?.literal else {
            (areOpen, areActionsOpen) = (true, true)
            return
        }
        if listed?.place(of: id) == nil, !inserted.contains(id) { inserted.append(id) }
        guard let menu = row?["menu"] else { return }
        for action in menu.array?.map({ $0["id"]?.literal }) ?? [nil] {
            guard let action else { return areActionsOpen = true }
            note(action: action)
        }
    }

    /// Notes the keys that a `set` gives other values.
    mutating func note(keys: [String]) {
        if keys.contains("rows") { (areOpen, areActionsOpen) = (true, true) }
        if keys.contains("menu") { areActionsOpen = true }
    }

    private mutating func note(action: String) {
        if actions.insert(action).inserted { actionsInOrder.append(action) }
    }

    // MARK: Refusals

    /// Why a value cannot stand at a key of a reaction; nil: it can. `isOfAction` says whether an
    /// item is an action.
    func rule(refusing node: Node, as key: String, isOfAction: Bool) -> String? {
        switch key {
        case "row": rule(refusingNumber: node, upTo: List.rowsMax - 1)
        case "at": rule(refusingNumber: node, upTo: List.listedRowsMax)
        case "action": rule(refusingAction: node)
        case "item": isOfAction ? rule(refusingAction: node) : rule(refusingRow: node)
        default: nil
        }
    }

    /// `largest` is the largest number where any rows may come. Else there are never more rows
    /// than ids: an `insert` takes the place of the last one at most.
    private func rule(refusingNumber node: Node, upTo largest: Int) -> String? {
        guard node.int != nil else { return nil }
        var range = 0...largest
        if !areOpen {
            // A number says itself how many there are.
            guard let listed else { return nil }
            let count = listed.count + inserted.count
            guard count > 0 else { return "there is no row \(node.shown): the list has none" }
            range = 0...count - 1
        }
        return ValueForm.whole(range).rule(refusing: node).map { "\(node.shown) must be \($0)" }
    }

    private func rule(refusingRow node: Node) -> String? {
        guard !areOpen, let id = node.literal else { return nil }
        let shown = TableReader.shortened(id)
        guard let listed else {
            return "there is no row \"\(shown)\": the rows of this list are a number, and have no "
                + "ids"
        }
        guard listed.place(of: id) == nil, !inserted.contains(id) else { return nil }
        let known = knownNames(nearestTo: id, among: listed.rows.map(\.id) + inserted)
        return "there is no row \"\(shown)\", \(known)"
    }

    private func rule(refusingAction node: Node) -> String? {
        // Where the rows are a number, the list's menu is all, and the form says it.
        guard listed != nil, !areActionsOpen, let id = node.literal, !actions.contains(id) else {
            return nil
        }
        return "there is no action \"\(TableReader.shortened(id))\", "
            + knownNames(nearestTo: id, among: actionsInOrder)
    }
}

extension Node {
    /// A text that stands for itself; nil: it is no text, or stands for what will have happened.
    var literal: String? {
        guard let string, !FactForms.isPlaceholder(string), !namesFacts else { return nil }
        return string
    }
}
