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

    /// The error where one thing has more content than it may have, or all together more than a
    /// scene may have: it names the largest. `nodes` are the components as they were written.
    func contentExcess(of nodes: [Node]) -> TableError? {
        let bytes = contentBytes
        guard bytes > Limits.contentOfOneBytesMax else { return nil }
        let largest = largestContent(of: nodes)
        let isBeyondOne = largest.bytes > Limits.contentOfOneBytesMax
        guard isBeyondOne || bytes > Limits.contentBytesMax else { return nil }
        let rule =
            isBeyondOne
            ? "one thing has at most \(Limits.contentOfOneBytesMax) bytes"
            : "the most in this scene; all content of a scene has at most "
                + "\(Limits.contentBytesMax) bytes, not \(bytes)"
        return TableError(
            path: largest.path, key: largest.key, line: largest.line,
            message: "has \(largest.bytes) bytes as JSON, \(rule): name pictures and long texts "
                + "here, and let clients have them")
    }

    private func largestContent(of nodes: [Node]) -> ContentPart {
        var largest = ContentPart(path: "", node: content)
        for component in components {
            let path = "component \(component.id)"
            let written = nodes.first { $0["id"]?.string == component.id }
            largest.take(ContentPart(path: path, node: component.content, written))
            if component.parameters.kind == List.kind {
                largest.take(ContentPart(path: path, node: written?["row"], written, key: "row"))
            }
            // Lists of things that have content of their own: items, tips, rows.
            for member in written?.members ?? [] {
                let what = SceneTable.entryWord(of: member.name)
                for (index, entry) in (member.value.array ?? []).enumerated() {
                    let name = entry["id"]?.string ?? "\(index + 1)"
                    let own = "\(path), \(what) \(name)"
                    largest.take(ContentPart(path: own, node: entry["content"], entry))
                    for action in entry["menu"]?.array ?? [] {
                        let name = action["id"]?.string ?? ""
                        largest.take(
                            ContentPart(
                                path: "\(own), action \(name)", node: action["content"], action))
                    }
                }
            }
        }
        return largest
    }
}

/// Content of one thing.
private struct ContentPart {
    private(set) var path: String
    private(set) var key: String
    private(set) var bytes: Int
    private(set) var line: Int?

    init(path: String, node: Node?, _ holder: Node? = nil, key: String = "content") {
        (self.path, self.key) = (path, key)
        bytes = node?.jsonBytes ?? 0
        line = holder?[key]?.line ?? holder?.line
    }

    mutating func take(_ other: ContentPart) { if other.bytes > bytes { self = other } }
}
