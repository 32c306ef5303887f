import Geometry
import Interactions
package import Notation

/// The texts of a scene that name values, or have languages.
package struct SceneTexts: Hashable, Sendable {
    /// The values that some texts name.
    package struct Use: Hashable, Sendable {
        /// Whether any of them is shown otherwise than it is written.
        package var isAny = false
        /// Variables by their indexes in the scene, as bits.
        package var variables: UInt64 = 0
        /// Kinds of counts.
        package var counts: Set<String> = []
        /// Bytes of these texts as they are written, in their longest languages.
        package var bytes = 0

        package init() {}

        package mutating func formUnion(_ other: Use) {
            isAny = isAny || other.isAny
            variables |= other.variables
            counts.formUnion(other.counts)
            bytes += other.bytes
        }
    }

    /// The texts that `scene/` tells.
    package var described = Use()
    /// Those that the states of components tell, in the order of the components. Empty: there are
    /// none.
    package var told: [Use] = []
    /// Whether rows with content have any.
    package var areInRows = false
    /// Whether a state tells a template that is long.
    package var areLong = false
    /// The language of those who choose none; empty: no text has languages.
    package var language = ""

    package init() {}

    package var areAny: Bool { described.isAny || areInRows || told.contains(where: \.isAny) }

    /// The name of the variable that chooses the language.
    package static let languageName = "language"
    /// The beginning of the names of counts in a text.
    package static let countPrefix = "count."
}

extension Scene {
    /// The values that its texts name before any has changed; nil: all are shown as written.
    package var firstTexts: TextContext? { textContext(of: variables.map(\.value), BadgeCounts()) }

    /// The values that its texts name where its variables and counts have these.
    fileprivate func textContext(of values: [VariableValue], _ counts: BadgeCounts) -> TextContext?
    {
        // Commands may bring rows whose texts name variables, to a scene that has no such texts.
        guard texts.areAny || !variables.isEmpty else { return nil }
        let names = variables
        let value: @Sendable (String) -> TextValue? = { name in
            if name.hasPrefix(SceneTexts.countPrefix) {
                let kind = String(name.dropFirst(SceneTexts.countPrefix.utf8.count))
                return .number(Double(counts[kind]))
            }
            guard let index = names.firstIndex(where: { $0.name == name }) else { return nil }
            return values.indices.contains(index) ? values[index].textValue : nil
        }
        var language = texts.language
        if case .text(let chosen)? = value(SceneTexts.languageName) { language = chosen }
        return TextContext(language: language, fallback: texts.language, values: value)
    }
}

extension Session {
    /// The values that its texts name now; nil: all texts are shown as they are written.
    package var textContext: TextContext? {
        scene.textContext(of: badges.variables?.values ?? [], badges.counts)
    }

    /// Shows the texts that name these variables, by their indexes as bits, with their new values,
    /// once what follows from the change has happened.
    mutating func showTexts(naming changed: UInt64) {
        guard let ledger = badges.variables, !ledger.values.isEmpty else { return }
        for index in scene.variables.indices where changed & 1 << UInt64(index) != 0 {
            outgoing.texts.note(scene.variables[index].name)
        }
        showTexts { $0.variables & changed != 0 }
    }

    /// The same for the texts that name the counts of these kinds.
    mutating func showTexts(namingCounts isMeant: (String) -> Bool) {
        guard hasTexts else { return }
        for kind in badges.counts.entries.map(\.kind) where isMeant(kind) {
            outgoing.texts.note(SceneTexts.countPrefix + kind)
        }
        showTexts { $0.counts.contains(where: isMeant) }
    }

    /// Tells the scene and the rows again whose texts name values that have changed, if it is time
    /// for that: a scene has hundreds of kilobytes of them, and a value may change with each event.
    mutating func tellChangedTexts() {
        let interval =
            (scene.text?.utf8.count ?? 0) > Limits.shortSceneBytesMax
            ? Limits.textStepsMin : frameSteps
        guard let names = outgoing.texts.take(at: clock, interval: interval) else { return }
        if !outgoing.rows.list.isEmpty { showRowTexts { names.contains($0) } }
        let described = scene.texts.described
        guard described.isAny else { return }
        let isMeant =
            scene.variables.indices.contains { index in
                described.variables & 1 << UInt64(index) != 0
                    && names.contains(scene.variables[index].name)
            } || described.counts.contains { names.contains(SceneTexts.countPrefix + $0) }
        if isMeant { outgoing.pictures.scene.change(urgently: false) }
    }

    private mutating func showTexts(where isMeant: (SceneTexts.Use) -> Bool) {
        guard hasTexts else { return }
        for index in scene.texts.told.indices where isMeant(scene.texts.told[index]) {
            reacting.dueTexts |= 1 << UInt32(index)
        }
    }

    /// Shows the texts of components whose values have changed: each once, however many reactions
    /// to one event change them, for a scene may have half a megabyte of texts to fill in. Returns
    /// their bytes as they are written.
    @discardableResult
    mutating func showDueTexts() -> Int {
        guard reacting.dueTexts != 0 else { return 0 }
        var bytes = 0
        let due = reacting.dueTexts
        reacting.dueTexts = 0
        let context = textContext
        for index in machines.indices where due & 1 << UInt32(index) != 0 {
            bytes += scene.texts.told[index].bytes
            machines[index].showTexts(context, fades: true, at: motion, into: &effects)
            outgoing.changeState(index, urgently: !reacting.isInStep)
            collectEffects(of: index)
            // Long texts go with the next frame, however many events change them.
            if scene.texts.areLong { outgoing.deferState(index) }
        }
        fireTimers()
        return bytes
    }

    /// Notes whether its scene has texts that name values.
    mutating func noteTexts() {
        hasTexts = scene.texts.areAny
        tellsTexts = !scene.texts.told.isEmpty
    }

    /// Gives a component the values of its texts, before it is shown.
    mutating func beginTexts() {
        noteTexts()
        guard hasTexts else { return }
        let context = textContext
        for index in machines.indices {
            machines[index].showTexts(context, fades: false, at: motion, into: &effects)
        }
    }
}

/// The names of values that have changed since the scene and the rows were told with them.
struct ChangedTexts: Hashable, Sendable {
    private var names: Set<String> = []
    private var told = Step.zero
    /// Whether there are any names.
    private(set) var areAny = false

    init() {}

    mutating func note(_ name: String) {
        names.insert(name)
        areAny = true
    }

    /// The names, if they were taken long enough ago; nil: there are none, or it is too early.
    mutating func take(at clock: Step, interval: Int) -> Set<String>? {
        guard areAny, told == .zero || clock - told >= interval else { return nil }
        defer { (names, told, areAny) = ([], max(clock, Step(1)), false) }
        return names
    }
}

/// With the names in order: a set of its own gives equal ones in any order.
extension ChangedTexts: Codable {
    private enum CodingKeys: String, CodingKey { case names, told, areAny }

    init(from decoder: any Decoder) throws {
        let table = try decoder.container(keyedBy: CodingKeys.self)
        names = Set(try table.decode([String].self, forKey: .names))
        told = try table.decode(Step.self, forKey: .told)
        areAny = try table.decode(Bool.self, forKey: .areAny)
    }

    func encode(to encoder: any Encoder) throws {
        var table = encoder.container(keyedBy: CodingKeys.self)
        try table.encode(names.sorted(), forKey: .names)
        try table.encode(told, forKey: .told)
        try table.encode(areAny, forKey: .areAny)
    }
}

// A session that was encoded before there were texts with values has none; one without any writes
// none.

extension KeyedDecodingContainer {
    func decode(_: ChangedTexts.Type, forKey key: Key) throws -> ChangedTexts {
        try decodeIfPresent(ChangedTexts.self, forKey: key) ?? ChangedTexts()
    }
}

extension KeyedEncodingContainer {
    mutating func encode(_ texts: ChangedTexts, forKey key: Key) throws {
        if texts != ChangedTexts() { try encodeIfPresent(texts, forKey: key) }
    }
}

extension Limits {
    /// Steps between two updates of a long scene for its texts: a tenth of a second.
    static let textStepsMin = 12
    /// Bytes of a text in a state that is told at once.
    package static let shortTextBytesMax = 1_024
}

extension VariableValue {
    var textValue: TextValue {
        switch self {
        case .number(let number): .number(number)
        case .text(let text): .text(text)
        case .truth(let truth): .truth(truth)
        }
    }
}
