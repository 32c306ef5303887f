import Notation

/// Errors that may go once another is mended: they are not told.
///
/// To read the rest of a scene, a key that is wrong is taken out, or gets another value. Its table
/// may then lack what another key needs, and names that others use may be gone.
extension SceneFaults {
    /// Whether an error of a table of a component may follow from another.
    func isFollowOn(_ error: TableError, at place: ScenePlace) -> Bool {
        let table = identity(of: place)
        let isInRenamed = renamed.contains { table.hasPrefix("\($0.table), \($0.key) ") }
        return isInRenamed || isFollowOn(error) || isOfMendedKeys(error, table)
            || isOfOthersNames(error, place) || isOfHolder(error, place)
    }

    /// Whether an error of the scene or of a reaction may follow from another.
    func isFollowOn(_ error: TableError) -> Bool {
        if error.path.isEmpty, error.key == "variables",
            renamed.contains(SceneMend(table: "", key: "variables"))
        {
            return true
        }
        let message = error.message
        if !isOfFixedNames(error), SceneStandIns.lists(nameless, in: message) { return true }
        if lostVariables {
            return message.holds("which is no variable") || message.hasPrefix("unknown variable ")
        }
        return gone.contains { message.holds("names \"\($0)\", which is no variable") }
    }

    /// Whether it lists names that no scene changes.
    private func isOfFixedNames(_ error: TableError) -> Bool {
        let begins = ["key", "kind", "value", "command", "transition"].map { "unknown \($0) " }
        return error.unknownKey != nil || begins.contains(where: error.message.holds)
    }

    /// Whether it is about how its key goes with keys of which one was taken out.
    private func isOfMendedKeys(_ error: TableError, _ table: String) -> Bool {
        let message = error.message
        func isMended(_ key: String) -> Bool {
            let mend = SceneMend(table: table, key: key)
            return mends[mend] != nil || renamed.contains(mend)
        }
        if error.key == "anchors", message.hasPrefix("must stand in order") {
            let entries = "\(table), anchors "
            return ["axis", "frame"].contains(where: isMended)
                || mends.keys.contains { $0.key == "at" && $0.table.hasPrefix(entries) }
        }
        guard ["beside", "must not be above", "must leave"].contains(where: message.holds) else {
            return false
        }
        let words = message.split { !$0.isLetter && $0 != "_" }
        return words.contains { isMended(String($0)) }
    }

    /// Whether it is about names of a component whose lists have other entries than in the file.
    private func isOfOthersNames(_ error: TableError, _ place: ScenePlace) -> Bool {
        let message = error.message
        let isUnknown =
            message.holds("known ones are ") || message.hasSuffix("there is none")
        if isUnknown, let id = componentID(of: place), unsure.contains(id) {
            return !isOfFixedNames(error)
        }
        return unsure.contains { message.holds(" \($0) has no slot ") }
    }

    /// Whether it is about a holder that may be one of those before it which need a name.
    private func isOfHolder(_ error: TableError, _ place: ScenePlace) -> Bool {
        guard error.key == "in", error.message.holds("is no earlier component"),
            !error.message.holds("it comes later"), let index = place.steps[0].index
        else { return false }
        let earlier = node["components"]?.array?.prefix(index) ?? []
        return earlier.contains { $0["id"]?.string.map(nameless.contains) == true }
    }

    /// Notes a stand-in that has the place of a name.
    mutating func noteNameless(_ standIn: String, of key: String, at place: ScenePlace) {
        let isOfComponent = place.steps.count == 1
        let isList = isOfComponent && SceneStandIns.lists.contains(key)
        guard isList || SceneStandIns.names.contains(key) else { return }
        nameless.insert(standIn)
        if !isOfComponent, let id = componentID(of: place) { untried.insert(id) }
    }

    func componentID(of place: ScenePlace) -> String? {
        ScenePlace(steps: [place.steps[0]]).table(in: node)?["id"]?.string
    }

    /// Notes that a component's list is not the file's; without a key, that an entry is gone.
    mutating func doubt(_ place: ScenePlace, _ key: String? = nil) {
        let isList = key.map { SceneStandIns.lists.contains($0) && place.steps.count == 1 } ?? true
        if isList, let id = componentID(of: place) { unsure.insert(id) }
    }

    /// Keeps the variable of the language while a text by language is gone.
    mutating func keepLanguage(of text: Node?, at key: String) {
        let isText = Node.textKeys.contains(key) && text?.members != nil
        let isList = text?.array?.contains { $0.members != nil } == true && key == "pages"
        guard isText || isList, node["language"] == nil else { return }
        node = node.setting("language", SceneStandIns.language)
    }

    /// Takes out a key that the table does not know. If it misspells one that is missing, that has
    /// its value from now on, since other keys and tables may refer to it.
    mutating func rename(_ stranger: String, to meant: String?, at place: ScenePlace) {
        let table = place.table(in: node)
        node = place.changing(node) { $0.without(stranger) }
        guard let meant, let value = table?[stranger] else { return }
        let mend = SceneMend(table: identity(of: place), key: meant)
        let isStandIn = mends[mend] != nil && table?[meant]?.string.map(SceneStandIns.isOne) == true
        guard table?[meant] == nil || isStandIn else { return }
        if SceneStandIns.names.contains(meant) {
            guard let name = value.string, Name.isValid(name), !isTaken(name, meant, at: place)
            else { return }
        }
        if let standIn = mends[mend] { nameless.remove(standIn.name) }
        node = place.changing(node) { $0.setting(meant, value) }
        renamed.insert(mend)
    }

    /// Whether another entry of the same list has a name.
    private func isTaken(_ name: String, _ key: String, at place: ScenePlace) -> Bool {
        guard let last = place.steps.last else { return false }
        let holder = ScenePlace(steps: Array(place.steps.dropLast())).table(in: node)
        return holder?[last.key]?.array?.contains { $0[key]?.string == name } ?? false
    }
}
