import Interactions
import Notation
import Sessions

/// Finds the texts of a scene that name values, and checks the names and formats.
struct TextReader {
    /// In the order of the scene, to which bits refer.
    private let variables: [Variable]
    /// The language of those who choose none: the scene's, else the first that a text has.
    private(set) var language: String?
    /// Whether faults are asked for.
    private let isStrict: Bool
    /// Those of the first key that has some: without it, a reader finds the next.
    private var faults: [TableError] = []
    /// Whether a text that a state tells is long.
    private var areLong = false
    /// Whether rows have texts that name values.
    private var areInRows = false
    /// The texts of the content under way.
    private var use = SceneTexts.Use()

    /// Reads the texts of a scene. `nodes` are its components as they were written, by which errors
    /// name them. `isStrict` is false where the scene was accepted before there were templates.
    static func texts(
        of scene: Scene, _ nodes: [Node], language: String?, isStrict: Bool
    ) throws(TableError) -> SceneTexts {
        var reader = TextReader(scene.variables, language, isStrict: isStrict)
        var texts = SceneTexts()
        if let content = scene.content { reader.read(content, path: "", key: "content") }
        texts.described = reader.takeUse()
        var told: [SceneTexts.Use] = []
        for component in scene.components {
            let written = nodes.last { $0["id"]?.string == component.id }
            let own = reader.read(written ?? Node(.object([])), component)
            texts.described.formUnion(own.described)
            told.append(own.told)
        }
        if told.contains(where: \.isAny) { texts.told = told }
        texts.language = reader.language ?? ""
        texts.areInRows = reader.areInRows
        texts.areLong = reader.areLong
        try TableError.throwFirst(of: reader.faults)
        return texts
    }

    /// Whether a scene has texts by language, and the first language of one; nil: it has none.
    static func firstLanguage(in node: Node) -> String? {
        if let elements = node.array {
            for element in elements {
                if let found = firstLanguage(in: element) { return found }
            }
        }
        for member in node.members ?? [] where member.name != "reactions" {
            if let titles = member.value.array, ReaderParameters.textLists.contains(member.name),
                let first = titles.first(where: { $0.members != nil && $0.isText })?.members?.first
            {
                return first.name
            }
            if Node.textKeys.contains(member.name), member.value.isText,
                let first = member.value.members?.first
            {
                return first.name
            }
            if let found = firstLanguage(in: member.value) { return found }
        }
        return nil
    }

    private init(_ variables: [Variable], _ language: String?, isStrict: Bool) {
        self.variables = variables
        self.language = language
        self.isStrict = isStrict
    }

    private mutating func takeUse() -> SceneTexts.Use {
        defer { use = SceneTexts.Use() }
        return use
    }

    /// The texts of a component: those that its state tells, and those that the scene tells.
    private mutating func read(
        _ node: Node, _ component: Scene.Component
    ) -> (told: SceneTexts.Use, described: SceneTexts.Use) {
        let path = "component \(component.id)"
        var (told, described) = (SceneTexts.Use(), SceneTexts.Use())
        for member in node.members ?? [] {
            if member.name == "content" {
                read(member.value, path: path, key: member.name)
                described.formUnion(takeUse())
            } else if Node.textKeys.contains(member.name), member.value.isText {
                read(text: member.value, path: path, key: member.name, within: nil)
                let own = takeUse()
                let length = SceneText(member.value)?.longestBytes ?? 0
                if own.isAny, length > Limits.shortTextBytesMax { areLong = true }
                told.formUnion(own)
                // A label's state tells its text: `scene/` need not be told again for it.
                if component.parameters.kind != Label.kind { described.formUnion(own) }
            } else if component.parameters.textLists.contains(member.name) {
                for (index, text) in (member.value.array ?? []).enumerated() where text.isText {
                    read(text: text, path: path, key: member.name, within: "entry \(index + 1)")
                }
                let own = takeUse()
                told.formUnion(own)
                described.formUnion(own)
            } else if let entries = member.value.array {
                let singular = SceneTable.entryWord(of: member.name)
                for (index, entry) in entries.enumerated() where entry.members != nil {
                    let name = entry["id"]?.string ?? "\(index + 1)"
                    let own = readEntry(entry, path: "\(path), \(singular) \(name)")
                    // Rows have a topic of their own.
                    if member.name == "rows" {
                        areInRows = areInRows || own.isAny
                        continue
                    }
                    told.formUnion(own)
                    described.formUnion(own)
                }
            } else if member.name == "row" {
                read(member.value, path: path, key: member.name)
                areInRows = takeUse().isAny || areInRows
            } else if member.value.members != nil {
                read(member.value, path: path, key: member.name)
                described.formUnion(takeUse())
            }
        }
        return (told, described)
    }

    private mutating func readEntry(_ entry: Node, path: String) -> SceneTexts.Use {
        for member in entry.members ?? [] {
            if Node.textKeys.contains(member.name), member.value.isText {
                read(text: member.value, path: path, key: member.name, within: nil)
            } else {
                read(member.value, path: path, key: member.name)
            }
        }
        return takeUse()
    }

    /// Reads all texts within a value of a key.
    private mutating func read(_ node: Node, path: String, key: String, within: String? = nil) {
        for element in node.array ?? [] {
            read(element, path: path, key: key, within: within)
        }
        for member in node.members ?? [] {
            let name = within.map { "\($0).\(member.name)" } ?? member.name
            if Node.textKeys.contains(member.name), member.value.isText {
                read(text: member.value, path: path, key: key, within: name)
            } else {
                read(member.value, path: path, key: key, within: name)
            }
        }
    }

    /// Reads one text. `within` is its name in the value of the key.
    private mutating func read(text node: Node, path: String, key: String, within: String?) {
        guard node.isTextToFill else { return }
        use.isAny = true
        use.bytes += SceneText(node)?.longestBytes ?? 0
        if node.string == nil, let index = index(of: SceneTexts.languageName) {
            use.variables |= 1 << UInt64(index)
        }
        let texts =
            node.string.map { [("", $0)] }
            ?? node.members?.map { ($0.name, $0.value.string ?? "") } ?? []
        let isAsked = isStrict && faults.first.map { $0.path == path && $0.key == key } ?? true
        for (language, text) in texts {
            let (parts, flaws) = TextTemplate.survey(of: text)
            // It is shown as it is written.
            if !isStrict, !flaws.isEmpty { continue }
            var messages = flaws.map(\.message)
            for case .field(let name, let format) in parts {
                let isRoom = isAsked && faults.count + messages.count < Limits.entriesToldMax
                guard let flaw = flaw(ofField: name, format, isAsked: isRoom) else { continue }
                if !messages.contains(flaw) { messages.append(flaw) }
            }
            guard isAsked else { continue }
            let names = [within, language.isEmpty ? nil : language].compactMap { $0 }
            let place = names.isEmpty ? "" : "\(names.joined(separator: ".")): "
            faults += messages.prefix(Limits.entriesToldMax - faults.count).map { message in
                TableError(
                    path: path, key: key, line: node.line, message: "\(place)the text \(message)")
            }
        }
    }

    private func index(of name: String) -> Int? { variables.firstIndex { $0.name == name } }

    /// Notes the use of a value. Completes "the text …"; nil: it is right, or nothing is asked.
    private mutating func flaw(
        ofField name: String, _ format: NumberFormat?, isAsked: Bool
    ) -> String? {
        if name.hasPrefix(SceneTexts.countPrefix) {
            let kind = String(name.dropFirst(SceneTexts.countPrefix.utf8.count))
            guard Name.isValid(kind) else { return "names a count that is none: \"\(kind)\"" }
            use.counts.insert(kind)
            return nil
        }
        guard let index = index(of: name) else {
            guard isAsked else { return nil }
            let known = variables.map(\.name)
            let shown = TableReader.shortened(name)
            return "names \"\(shown)\", which is no variable, "
                + knownNames(nearestTo: name, among: known) + "; {{ stands for a brace"
        }
        use.variables |= 1 << UInt64(index)
        return isAsked ? format.flatMap { variables[index].fault(of: $0) } : nil
    }
}

extension Variable {
    /// Why a format cannot be for its values; nil: it can.
    fileprivate func fault(of format: NumberFormat) -> String? {
        switch value {
        case .number: nil
        case .text, .truth:
            format.isOfNumbers ? "has a format of numbers for \(name), which is none" : nil
        }
    }
}
