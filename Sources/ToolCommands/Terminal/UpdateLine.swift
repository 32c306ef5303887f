import Commands
import GesturedClient
import Notation
import Protocol

/// `{"topic":…,"body":…}` with the body unchanged, and when it was received if that is given.
private func jsonLine(_ update: ReceivedUpdate, received: WallTime?) -> [UInt8] {
    let stamp = received.map { "\"received\":\(UpdateTemplate.fixed($0.milliseconds, 3))," } ?? ""
    return Array("{\(stamp)\"topic\":".utf8) + Node(.string(update.topic)).json()
        + Array(",\"body\":".utf8) + update.body + Array("}".utf8)
}

/// How `watch` prints an update.
struct UpdatePrinter {
    enum Form {
        case text, json
        case template(UpdateTemplate)
    }

    var form = Form.text
    /// Whether each line says when the update was received.
    var hasTimestamps = false

    func printLine(_ update: ReceivedUpdate) throws(Failure) {
        let received = WallTime.now
        let stamp: ShownText =
            hasTimestamps ? Style.output(received.clock, .dim) + "  " : ""
        switch form {
        case .text: try Console.printLine(stamp + readableLine(update, .output))
        case .template(let template):
            try Console.printLine(stamp + template.line(update, received: received))
        case .json:
            try Console.printJSON(jsonLine(update, received: hasTimestamps ? received : nil))
        }
    }
}

/// One line for a person: topic, number, content.
func readableLine(_ update: ReceivedUpdate, _ style: Style = .plain) -> ShownText {
    let paint: Style.Paint
    switch update.topic.prefix(while: { $0 != "/" }) {
    case "state": paint = .cyan
    case "transition": paint = .magenta
    case "badge", "variables": paint = .yellow
    case "rejected": paint = .red
    default: paint = .blue
    }
    let head = style(update.topic, paint) + style(" #\(update.sequence)", .dim)
    return ([head] + readableTexts(update)).joined(separator: "  ")
}

/// The content of an update for a person, part by part.
func readableTexts(_ update: ReceivedUpdate) -> [ShownText] {
    let content = update.content
    let kind = update.topic.prefix { $0 != "/" }
    let parts: [String]
    switch kind {
    case "state":
        let views = (content["views"]?.members ?? []).map { viewText($0.name, $0.value) }
        parts = [content["phase"]?.string ?? "?"] + views + [modelText(content["model"])]
    case "transition":
        parts = transitionTexts(content)
    case "rows":
        parts = rowsTexts(content)
    case "scene":
        parts = [content["scene"]?.string ?? "no name"] + sceneTexts(content)
    case "frame":
        let states = (content["states"]?.array ?? []).compactMap { $0["component"]?.string }
        let transitions = (content["transitions"]?.array ?? []).map { transition in
            transitionTexts(transition).joined(separator: " ")
        }
        parts = [states.joined(separator: " ")] + transitions
    case "touches":
        let contacts = content["touches"]?.array ?? []
        parts = contacts.isEmpty ? ["none"] : contacts.map(touchText)
    case "rejected":
        let texts = ["code", "message", "topic", "excerpt"].compactMap { content[$0]?.string }
        let reaction = content["reaction"]?.int.map { "reaction=\($0)" }
        parts = [texts.joined(separator: " | "), reaction ?? ""]
    default:
        let own = (content.members ?? []).filter { !["epoch", "seq", "t"].contains($0.name) }
        parts = flattened(Node(.object(own))).map { "\($0.path)=\($0.value)" }
    }
    return parts.filter { !$0.isEmpty }.map { ShownText($0) }
}

/// Rows that a line shows, and letters of the text of each.
private let rowsShown = 8
private let rowLetters = 40

/// How many rows a list has, and the first ones that were told, by their ids and texts.
private func rowsTexts(_ content: Node) -> [String] {
    let (count, from) = (content["count"]?.int ?? 0, content["from"]?.int ?? 0)
    let told = content["rows"]?.array ?? []
    let shown = told.prefix(rowsShown).enumerated().map { place, row in
        rowText(row, number: from &+ place)
    }
    return [
        "version \(content["version"]?.int ?? 0)", count == 1 ? "1 row" : "\(count) rows",
        from > 0 ? "from row \(from)" : "",
    ] + shown + [told.count > shown.count ? "and \(told.count - shown.count) more" : ""]
}

private func rowText(_ row: Node, number: Int) -> String {
    let name = row["id"]?.string ?? "row \(number)"
    guard let text = row["content"]?["text"]?.string else { return name }
    let isLong = text.count > rowLetters
    return "\(name) \"\(text.prefix(rowLetters))\(isLong ? "…" : "")\""
}

/// The components of a scene, each within what holds it.
private func sceneTexts(_ content: Node) -> [String] {
    (content["components"]?.array ?? []).map { component in
        let id = component["id"]?.string ?? "?"
        guard let parent = component["parent"]?.string, let slot = component["slot"]?.string
        else { return id }
        return "\(id) in \(parent)/\(slot)"
    }
}

private func modelText(_ model: Node?) -> String {
    guard let model, model.members?.isEmpty == false else { return "" }
    return flattened(model).map { "\($0.path)=\($0.value)" }.joined(separator: " ")
}

private func transitionTexts(_ content: Node) -> [String] {
    var parts = [content["name"]?.string ?? "?", content["event"]?.string ?? "?"]
    let ends = ["from", "to"].map { content[$0].map(plain) ?? "" }
    if !ends[0].isEmpty || !ends[1].isEmpty { parts.append("\(ends[0])→\(ends[1])") }
    let parties = (content["items"]?.array ?? []) + [content["boundary"]].compactMap { $0 }
    if !parties.isEmpty { parts.append(parties.map(plain).joined(separator: "·")) }
    if let token = content["token"]?.int { parts.append("symbol \(token)") }
    if let duration = content["duration"]?.double { parts.append("\(short(duration)) s") }
    if let curve = content["curve"]?.string { parts.append(curve) }
    if let numbers = content["curve"]?["spring"]?.array {
        let texts = numbers.map { short($0.double ?? 0) }
        parts.append("spring \(texts.joined(separator: ","))")
    }
    return parts
}

private func plain(_ node: Node) -> String {
    if node.isNull { return "" }
    return node.string ?? String(decoding: node.json(), as: UTF8.self)
}

/// A contact: whose it is, the thing that touches, and where.
private func touchText(_ touch: Node) -> String {
    let name = touch["user"]?.string ?? "\(touch["pointer"]?.int ?? 0)"
    func number(_ field: String) -> String {
        short(touch[field]?.double ?? 0, decimals: 1)
    }
    return "\(name) \(touch["kind"]?.string ?? "?") (\(number("x")), \(number("y")))"
}

/// A view's place, and its rotation, scale and alpha if they are not the defaults.
private func viewText(_ name: String, _ view: Node) -> String {
    func number(_ field: String) -> Double { view[field]?.double ?? 0 }
    var text = "\(name) (\(short(number("x"), decimals: 1)), \(short(number("y"), decimals: 1)))"
    text += " \(short(number("w"), decimals: 1))×\(short(number("h"), decimals: 1))"
    if number("rotation") != 0 { text += " ↻\(short(number("rotation")))" }
    if number("scale") != 1 { text += " ×\(short(number("scale")))" }
    if number("alpha") != 1 { text += " α\(short(number("alpha"), decimals: 2))" }
    return text
}

/// The leaves of a tree with their paths, such as `limits.topic 200`. Objects of a list stand under
/// their ids: `items.home.glow false`.
func flattened(_ node: Node, path: String = "") -> [(path: String, value: String)] {
    if let entries = node.array, !entries.isEmpty, entries.allSatisfy({ $0["id"]?.string != nil }) {
        return entries.flatMap { entry in
            let own = (entry.members ?? []).filter { $0.name != "id" }
            return flattened(Node(.object(own)), path: "\(path).\(entry["id"]?.string ?? "")")
        }
    }
    guard let members = node.members else {
        let text = node.string ?? String(decoding: node.json(), as: UTF8.self)
        return [(path, text)]
    }
    return members.flatMap {
        flattened($0.value, path: path.isEmpty ? $0.name : "\(path).\($0.name)")
    }
}
