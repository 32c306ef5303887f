import Foundation

/// The files of the repository that this test stands in.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Build products, fetched tools and Git's own: not part of the house.
    private static let ignored: Set<String> = [".build", ".venv", ".git", "__pycache__"]

    /// The names at the top, without those that Git ignores.
    static func topLevel() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.path)
            .filter { !ignored.contains($0) }.sorted()
    }

    /// Relative paths of all files below a folder that end in one of the endings.
    static func files(under folder: String, endings: [String]) -> [String] {
        let base = root.appendingPathComponent(folder)
        guard let walk = FileManager.default.enumerator(atPath: base.path) else { return [] }
        return walk.compactMap { $0 as? String }
            .filter { path in
                endings.contains { path.hasSuffix($0) }
                    && !path.split(separator: "/").contains { ignored.contains(String($0)) }
            }
            .map { "\(folder)/\($0)" }.sorted()
    }

    static func lines(of path: String) throws -> [Substring] {
        try text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
    }

    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }

    static var swiftFiles: [String] {
        ["Package.swift"]
            + ["Sources", "Tests", "Benchmarks"].flatMap { files(under: $0, endings: [".swift"]) }
    }

    /// Every file that a person reads, in any language.
    static var texts: [String] {
        let endings = [
            ".swift", ".c", ".h", ".cpp", ".hpp", ".py", ".md", ".toml", ".service", ".modulemap",
        ]
        let folders = ["Sources", "Tests", "Benchmarks", "Examples", "config", "systemd", "docs"]
        let scripts = files(under: ".ci", endings: [""])
            .filter { $0.dropFirst(4).allSatisfy { $0 != "/" } }
        return ["Package.swift", "README.md", "CONTRIBUTING.md", "Makefile"] + scripts
            + folders.flatMap { files(under: $0, endings: endings) }
    }
}
