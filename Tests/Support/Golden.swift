package import Foundation
package import Testing

/// The folder of a test file's goldens: `Goldens` beside it.
private func goldenURL(_ name: String, beside file: String) -> URL {
    URL(fileURLWithPath: file).deletingLastPathComponent()
        .appendingPathComponent("Goldens").appendingPathComponent(name)
}

/// A file of the repository, by its path from the top.
package func repositoryURL(_ path: String) -> URL {
    URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent(path)
}

/// Compares text with a golden file; `RECORD_GOLDENS=1` writes the file instead.
package func expectGolden(
    _ text: String, named name: String, file: String = #filePath,
    at location: SourceLocation = #_sourceLocation
) throws {
    try expectGolden(text, name, at: goldenURL(name, beside: file), location)
}

/// The same with a document for people, by its path from the top.
package func expectGolden(
    _ text: String, document path: String, at location: SourceLocation = #_sourceLocation
) throws {
    try expectGolden(text, path, at: repositoryURL(path), location)
}

private func expectGolden(
    _ text: String, _ name: String, at url: URL, _ location: SourceLocation
) throws {
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: true, encoding: .utf8)
        return
    }
    let expected = try String(contentsOf: url, encoding: .utf8)
    if text == expected { return }
    let pairs = zip(
        text.split(separator: "\n", omittingEmptySubsequences: false),
        expected.split(separator: "\n", omittingEmptySubsequences: false))
    let line = pairs.enumerated().first { $0.element.0 != $0.element.1 }
    let found = line.map { "line \($0.offset + 1): \($0.element.0) instead of \($0.element.1)" }
    Issue.record(
        "\(name) differs, \(found ?? "in its length"); RECORD_GOLDENS=1 rewrites it",
        sourceLocation: location)
}

/// A number as its bits, so that a golden notices the last of them.
package func bits(_ value: Double) -> String { String(value.bitPattern, radix: 16) }
