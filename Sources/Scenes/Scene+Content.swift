import Interactions
import Notation
import Sessions

extension Scene {
    /// Bytes of all its content as JSON.
    var contentBytes: Int {
        let own = (content.map { [$0] } ?? []) + components.compactMap(\.content)
        return own.reduce(0) { $0 + $1.jsonBytes }
            + components.reduce(0) { $0 + $1.parameters.contentBytes }
    }

    /// The error where there is more content than a scene may have: it names the largest.
    /// `nodes` are the components as they were written.
    func contentExcess(of nodes: [Node]) -> TableError? {
        let bytes = contentBytes
        guard bytes > Limits.contentBytesMax else { return nil }
        var largest = ContentPart(path: "", node: content)
        for component in components {
            let path = "component \(component.id)"
            let written = nodes.first { $0["id"]?.string == component.id }
            largest.take(ContentPart(path: path, node: component.content, written))
            // Lists of things that have content of their own: items, tips, rows.
            for member in written?.members ?? [] {
                for (index, entry) in (member.value.array ?? []).enumerated() {
                    let name = entry["id"]?.string ?? "\(index + 1)"
                    let what =
                        member.name.hasSuffix("s") ? "\(member.name.dropLast())" : member.name
                    largest.take(
                        ContentPart(
                            path: "\(path), \(what) \(name)", node: entry["content"], entry))
                }
            }
        }
        return TableError(
            path: largest.path, key: "content", line: largest.line,
            message: "has \(largest.bytes) bytes as JSON, the most in this scene; all content of a "
                + "scene has at most \(Limits.contentBytesMax) bytes, not \(bytes): name pictures "
                + "and long texts here, and let clients have them")
    }
}

/// Content of one thing.
private struct ContentPart {
    private(set) var path: String
    private(set) var bytes: Int
    private(set) var line: Int?

    init(path: String, node: Node?, _ holder: Node? = nil) {
        self.path = path
        bytes = node?.jsonBytes ?? 0
        line = holder?["content"]?.line ?? holder?.line
    }

    mutating func take(_ other: ContentPart) { if other.bytes > bytes { self = other } }
}
