package import Notation

/// Fields of states by their names: `toss.item.x`, `toss.phase`, `profile.model.offset`.
package struct Fields: Sendable {
    /// Fields that can be named at once.
    package static let namesMax = 32
    /// Names in an error.
    private static let listedMax = 12
    /// The numbers of a view, as on the wire.
    package static let numbers = ["x", "y", "w", "h", "rotation", "scale", "alpha", "z"]

    package let names: [String]
    private var met: Set<String> = []
    /// The views of each component that were seen, and its last model.
    private var views: [String: Set<String>] = [:]
    private var models: [String: Node] = [:]

    package init(_ names: [String]) { self.names = names }

    /// The values of a component's state, by the place of their names; null for a field of the
    /// component that the state lacks now.
    package mutating func values(of component: String, _ state: Node) -> [(Int, Node)] {
        for view in state["views"]?.members ?? [] {
            views[component, default: []].insert(view.name)
        }
        models[component] = state["model"]
        return names.enumerated().compactMap { index, name in
            guard name.hasPrefix(component + ".") else { return nil }
            let value = Self.value(of: name.dropFirst(component.count + 1), state)
            if value != nil { met.insert(name) }
            return (index, value ?? Node(.null))
        }
    }

    /// The value at a path behind the name of its component, such as `item.x`; nil: it has none.
    package static func value(of path: Substring, _ state: Node) -> Node? {
        if path == "phase" { return state["phase"] }
        if path.hasPrefix("model.") {
            var node = state["model"]
            for part in path.dropFirst("model.".count).split(separator: ".") {
                node =
                    Int(part).flatMap { index in
                        node?.array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
                    } ?? node?[String(part)]
            }
            return node
        }
        guard let dot = path.lastIndex(of: ".") else { return nil }
        let key = String(path[path.index(after: dot)...])
        guard numbers.contains(key) else { return nil }
        return state["views"]?[String(path[..<dot])]?[key]
    }

    /// All names that there were.
    package var known: [String] {
        views.keys.sorted().flatMap { component in
            let views = self.views[component, default: []].sorted().flatMap { view in
                Self.numbers.map { "\(component).\(view).\($0)" }
            }
            let model = (models[component] ?? Node(.null)).leaves(path: "\(component).model")
            return ["\(component).phase"] + views + model
        }
    }

    /// The words for the first name that never had a value; nil where all had.
    package var complaint: String? {
        guard let name = names.first(where: { !met.contains($0) }) else { return nil }
        let known = known
        // A person who errs in the last part sees what there is beside it.
        let stem = name.lastIndex(of: ".").map { name[...$0] } ?? ""
        var near = stem.isEmpty ? [] : known.filter { $0.hasPrefix(stem) }
        if near.isEmpty, let nearest = nearestName(to: name, among: known) { near = [nearest] }
        if known.isEmpty { return "no field '\(name)': the recording publishes no state" }
        let best = nearestName(to: name, among: near)
        let others = (near.isEmpty ? known : near).filter { $0 != best }.prefix(Self.listedMax)
        let list = others.joined(separator: ", ")
        guard let best else { return "no field '\(name)'; there are \(list)" }
        return "no field '\(name)'; did you mean \(best)?"
            + (others.isEmpty ? "" : " There are also \(list)")
    }
}

extension Node {
    /// The paths of the values in a tree.
    fileprivate func leaves(path: String) -> [String] {
        if let members { return members.flatMap { $0.value.leaves(path: "\(path).\($0.name)") } }
        if let array { return array.enumerated().flatMap { $1.leaves(path: "\(path).\($0)") } }
        return [path]
    }
}
