import Interactions
package import Notation
import Protocol
import Scenes
import Sessions

/// All that is wrong with a scene, for a person to correct at once.
///
/// A reader stops at the first error. So the scene is read again and again, each time without what
/// was wrong and with something in the place of what is missing: a key, an entry of a list, or a
/// whole component where that is not enough. Reactions are looked at last, all of them at once:
/// they name components. No error is told that may go once another is mended: see
/// `SceneFaults+FollowOns`.
package struct SceneFaults {
    var faults: [TableError] = []
    var node: Node
    var reactions: [Node] = []
    /// The numbers that entries have in the file, by the path of their list.
    private var numbers: [String: [Int]] = [:]
    /// Keys that were wrong or missing, by table and name.
    var mends: [SceneMend: SceneStandIns] = [:]
    /// The ids of the file that stand-ins take the place of, by the stand-in's name.
    var written: [String: String] = [:]
    /// Keys that have the value of a key which misspells them. Nothing is told of what stands
    /// there: another key may be meant.
    var renamed: Set<SceneMend> = []
    /// Ids of components that were taken out, and names of variables that are wrong.
    var gone: Set<String> = []
    /// Ids of components whose lists have other entries than in the file: nothing is said of names
    /// and numbers of those.
    var unsure: Set<String> = []
    /// Ids of components of which an entry needs a name: what reactions write there is not tried.
    var untried: Set<String> = []
    /// Stand-ins for names that the file does not give: a name is missing, or an entry before has
    /// the same one.
    var nameless: Set<String> = []
    /// Whether null is a date: in JSON it is a value.
    private var hasDates = false
    /// The errors of dates in reactions.
    private var dates: [TableError] = []
    /// Whether nothing is known of the scene's variables.
    var lostVariables = false

    /// Reads a file: JSON if its name ends so, else TOML.
    package static func found(in bytes: [UInt8], file: String) -> [SceneError] {
        let isJSON = file.hasSuffix(".json")
        let node: Node
        do throws(DocumentError) {
            let depthMax = Limits.checkedDepthMax
            node =
                try isJSON
                ? Document.jsonFile(bytes, depthMax: depthMax)
                : Document.toml(bytes, depthMax: depthMax, takesDates: true)
        } catch {
            return [SceneError(error, file: file)]
        }
        var search = SceneFaults(node)
        search.hasDates = !isJSON
        search.renameIDs()
        search.takeOutDates()
        search.search()
        let found = search.faults.prefix(Limits.sceneErrorsMax)
        return found.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
            .map { SceneError($0, file: file) }
    }

    private init(_ node: Node) {
        self.node = node
        // A scene whose texts have languages keeps its variable for them.
        if node["language"] == nil, let language = SceneTable.firstLanguage(in: node) {
            self.node = node.setting("language", Node(.string(language)))
        }
        let written = node["reactions"]?.array ?? []
        guard !written.isEmpty, written.count <= Limits.reactionsMax else { return }
        reactions = written
        self.node = self.node.without("reactions")
    }

    private mutating func takeOutDates() {
        while hasDates, faults.count < Limits.sceneErrorsMax,
            let date = SceneTable.dates(in: node).first, takeOut(date)
        {}
    }

    private mutating func search() {
        while faults.count < Limits.sceneErrorsMax {
            do throws(TableError) {
                _ = try SceneTable.read(node, fallbackName: nil)
                checkReactions()
                tryReactions()
                return
            } catch {
                guard takeOut(error) else { return }
            }
        }
    }

    private mutating func checkReactions() {
        let all = Node(.object([.init("reactions", Node(.array(reactions)))]))
        dates = hasDates ? SceneTable.dates(in: all) : []
        for error in dates + SceneTable.depths(in: all) { note(error) }
        let found = SceneTable.faults(
            of: reactions, in: node, gone: gone, unsure: unsure, countMax: Limits.sceneErrorsMax)
        for fault in found { noteUnlessFollowing(fault) }
    }

    /// Reads what reactions would write into components.
    private mutating func tryReactions() {
        for trial in SceneTable.trials(of: reactions, in: node) {
            guard faults.count < Limits.sceneErrorsMax else { return }
            let id = trial.scene["components"]?.array?.first?["id"]?.string ?? ""
            if unsure.contains(id) || untried.contains(id) { continue }
            for fault in trial.faults { noteUnlessFollowing(trial.error(fault, value: nil)) }
            var search = SceneFaults(trial.scene)
            search.search()
            for fault in search.faults where !trial.isTold(fault) {
                let place = ScenePlace(fault.path, in: trial.scene)
                let value = fault.key.flatMap { place?.table(in: trial.scene)?[$0] }
                noteUnlessFollowing(trial.error(fault, value: value))
            }
        }
    }

    /// Notes an error, and takes out what it names or puts something into its place. False: there
    /// is nothing that could be done.
    private mutating func takeOut(_ error: TableError) -> Bool {
        guard let place = ScenePlace(error.path, in: node) else {
            noteUnlessFollowing(error)
            return takeOutOfScene(error)
        }
        if place.isFrame {
            // All that is wrong with a frame is told at once; without it the component fills.
            note(error, at: place)
            let holder = ScenePlace(steps: place.steps.dropLast())
            let mend = SceneMend(table: holder.identity(numbers), key: "frame")
            mends[mend] = SceneStandIns(of: "frame", number: mends.count)
            return remove(place)
        }
        if let stranger = error.unknownKey, place.table(in: node)?[stranger] != nil {
            note(error, at: place)
            rename(stranger, to: error.meantKey, at: place)
            return true
        }
        let key = error.key ?? ""
        let mend = SceneMend(table: place.identity(numbers), key: key)
        if !error.isAbsence, renamed.remove(mend) != nil {
            doubt(place, key)
            node = place.changing(node) { $0.without(key) }
            return true
        }
        let isMended = mends[mend] != nil
        guard isMended || error.isAbsence || place.table(in: node)?[key] != nil else {
            note(error, at: place)
            return remove(place)
        }
        if mends[mend] == nil {
            if !isOfAnother(error, mend) { note(error, at: place) }
            let standIns = SceneStandIns(of: key, number: mends.count)
            mends[mend] = standIns
            noteNameless(standIns.name, of: key, at: place)
            keepLanguage(of: place.table(in: node)?[key], at: key)
            if key != "anchors" { doubt(place, key) }
            if !error.isAbsence, !SceneStandIns.neverOut.contains(key) {
                node = place.changing(node) { $0.without(key) }
                return true
            }
        }
        guard let standIn = mends[mend]?.next(in: &node, at: place) else { return remove(place) }
        if key == "anchors", !SceneStandIns.isRenumbered(standIn) { doubt(place, key) }
        node = place.changing(node) { $0.setting(key, standIn) }
        return true
    }

    /// Whether a key is missing only because another was taken out that says the same.
    private func isOfAnother(_ error: TableError, _ mend: SceneMend) -> Bool {
        let others = error.isAbsence ? SceneStandIns.sameAs[mend.key] ?? [] : []
        return others.contains { mends[SceneMend(table: mend.table, key: $0)] != nil }
    }

    func identity(of place: ScenePlace) -> String { place.identity(numbers) }

    mutating func note(_ error: TableError, at place: ScenePlace) {
        for error in error.all where !isFollowOn(error, at: place) {
            var told = error
            told.path = place.path(numbers, in: node)
            note(told)
        }
    }

    private mutating func noteUnlessFollowing(_ error: TableError) {
        // A date is no value of any kind: whatever else is wrong with it follows from that.
        let isOfDate = dates.contains { $0.path == error.path && $0.key == error.key }
        if !isOfDate, !isFollowOn(error) { note(error) }
    }

    private mutating func note(_ error: TableError) {
        for error in error.all {
            var told = error
            told.message = SceneStandIns.hidden(in: error.message, written)
            faults.append(told)
        }
    }

    private mutating func takeOutOfScene(_ error: TableError) -> Bool {
        if let stranger = error.unknownKey, let value = node[stranger] {
            node = node.without(stranger)
            if error.meantKey == "variables", node["variables"] == nil {
                node = node.setting("variables", value)
                renamed.insert(SceneMend(table: "", key: "variables"))
            }
            return true
        }
        let key = error.key ?? ""
        switch key {
        case "components":
            // Any component will do; reactions cannot be to it.
            reactions = []
            node = node.setting("components", SceneStandIns.components)
            return true
        case "variables":
            guard let variables = node[key] else { return false }
            let (right, wrong) = VariableReader.parted(variables)
            lostVariables = wrong.isEmpty
            // Nothing is said of reactions to the others.
            gone.formUnion(wrong)
            node =
                wrong.isEmpty ? node.without(key) : node.setting(key, right)
            return true
        case "language":
            // Any language will do.
            node = node.setting("language", SceneStandIns.language)
            return true
        case "viewport":
            // Any viewport will do to read the rest.
            node = node.setting("viewport", SceneStandIns.viewport)
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
            if place.steps.last?.index != nil { doubt(place) }
            node = place.removed(from: node, &numbers)
            return true
        }
        guard let index = place.steps[0].index else { return false }
        let id = node["components"]?.array?[index]["id"]?.string
        take(out: index)
        var holders = id.map { [$0] } ?? []
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
        let place = ScenePlace(steps: [.init(key: "components", word: "component", index: index)])
        node = place.removed(from: node, &numbers)
    }
}

extension Limits {
    /// Errors of a scene that are told at once: each is found by reading the scene once more.
    package static let sceneErrorsMax = 100
    /// Levels of a file that a check reads, to name what is nested too deep.
    static let checkedDepthMax = 256
}
