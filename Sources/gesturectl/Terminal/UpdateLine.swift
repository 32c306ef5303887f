import GesturedClient
import Notation
import Protocol

/// `{"topic":…,"body":…}` with the body unchanged.
func jsonLine(_ update: ReceivedUpdate) -> String {
    let topic = String(decoding: Node(.string(update.topic)).json(), as: UTF8.self)
    let body = String(decoding: update.body, as: UTF8.self)
    return "{\"topic\":\(topic),\"body\":\(body)}"
}

/// One line for a person: topic, number, content.
func readableLine(_ update: ReceivedUpdate, _ style: Style = .plain) -> String {
    let content = update.content
    let kind = update.topic.prefix { $0 != "/" }
    let parts: [String]
    switch kind {
    case "state":
        let views = (content["views"]?.members ?? []).map { viewText($0.name, $0.value) }
        parts = [content["phase"]?.string ?? "?"] + views + [modelText(content["model"])]
    case "transition":
        parts = transitionTexts(content)
    case "rejected":
        let texts = ["code", "message", "topic", "excerpt"].compactMap { content[$0]?.string }
        parts = [texts.joined(separator: " | ")]
    default:
        let own = (content.members ?? []).filter { !["epoch", "seq", "t"].contains($0.name) }
        parts = flattened(Node(.object(own))).map { "\($0.path)=\($0.value)" }
    }
    let paint: Style.Paint
    switch kind {
    case "state": paint = .cyan
    case "transition": paint = .magenta
    case "badge": paint = .yellow
    case "rejected": paint = .red
    default: paint = .blue
    }
    let head = style(Printable.line(update.topic), paint) + style(" #\(update.sequence)", .dim)
    return ([head] + parts.filter { !$0.isEmpty }.map { Printable.line($0) }).joined(
        separator: "  ")
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
    if let duration = content["duration"]?.double { parts.append("\(short(duration)) s") }
    if let curve = content["curve"]?.string { parts.append(curve) }
    return parts
}

private func plain(_ node: Node) -> String {
    if node.isNull { return "" }
    return node.string ?? String(decoding: node.json(), as: UTF8.self)
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

/// The leaves of a tree with their paths, such as `limits.topic 200`.
func flattened(_ node: Node, path: String = "") -> [(path: String, value: String)] {
    guard let members = node.members else {
        let text = node.string ?? String(decoding: node.json(), as: UTF8.self)
        return [(path, text)]
    }
    return members.flatMap {
        flattened($0.value, path: path.isEmpty ? $0.name : "\(path).\($0.name)")
    }
}
