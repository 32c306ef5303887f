import Foundation
import Testing

/// The places of files and folders, and words that no text may have.
struct HouseTests {
    private static let topLevel: Set<String> = [
        ".ci", ".gitignore", ".swift-format", "Benchmarks", "CONTRIBUTING.md", "Clients",
        "Examples", "LICENSE", "Makefile", "Package.swift", "README.md", "SECURITY.md", "Sources",
        "Tests", "config", "docs", "systemd",
    ]

    @Test func nothingElseStandsAtTheTop() throws {
        let found = Set(try Repository.topLevel())
        #expect(found.isSubset(of: Self.topLevel), "\(found.subtracting(Self.topLevel))")
    }

    @Test func nothingIsLeftForLater() throws {
        // Put together, so that this file does not find itself.
        let marks = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK:"]
        try expectNone("says", marks)
    }

    @Test func noTextNamesAPlaceOnSomebodysMachine() throws {
        let places = ["/wo" + "rk/", "/ho" + "me/", "/ro" + "ot/", "/Us" + "ers/", "/tm" + "p/wt"]
        try expectNone("names", places)
    }

    private func expectNone(_ verb: String, _ words: [String]) throws {
        for file in Repository.texts where Repository.exists(file) {
            for (number, line) in try Repository.lines(of: file).enumerated() {
                for word in words where line.contains(word) {
                    Issue.record("\(file):\(number + 1) \(verb) \(word)")
                }
            }
        }
    }

    /// `[text](target)`: a file that is there, and a heading that it has.
    @Test func everyRelativeLinkLeadsSomewhere() throws {
        let link = /\[[^\]\n]*\]\(([^)\s]+)\)/
        var count = 0
        let clients = Repository.files(under: "Clients", endings: [".md"])
        for file in clients + Repository.texts where file.hasSuffix(".md") {
            for match in try Repository.text(of: file).matches(of: link) {
                let target = String(match.1)
                if target.contains("://") || target.hasPrefix("mailto:") { continue }
                count += 1
                try expectTarget(target, in: file)
            }
        }
        #expect(count > 0, "no link was found at all")
    }

    private func expectTarget(_ target: String, in file: String) throws {
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let folder = file.contains("/") ? (file as NSString).deletingLastPathComponent + "/" : ""
        let joined = parts[0].isEmpty ? file : folder + parts[0]
        let path = (joined as NSString).standardizingPath
        guard Repository.exists(path) else {
            Issue.record("\(file) links to \(target), which is not there")
            return
        }
        guard parts.count > 1, path.hasSuffix(".md") else { return }
        let anchors = try Repository.lines(of: path).filter { $0.hasPrefix("#") }.map(anchor)
        #expect(anchors.contains(String(parts[1])), "\(file) links to \(target): no such heading")
    }

    /// As GitHub makes it of a heading: lower case, spaces to dashes, punctuation gone.
    private func anchor(_ heading: Substring) -> String {
        let text = heading.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
        return String(
            text.compactMap { character -> Character? in
                if character == " " { return "-" }
                return character.isLetter || character.isNumber || "-_".contains(character)
                    ? character : nil
            })
    }

    @Test func theReadmeNamesTheCommands() throws {
        let readme = try Repository.text(of: "README.md")
        for command in ["make run", "make test", "make bench", "make check"] {
            #expect(readme.contains(command), "README.md does not name \(command)")
        }
    }

    /// A folder is a room: a reader looks through its list of files first.
    @Test func noFolderOfTheSourcesHasMoreThanTwentyTwoFiles() {
        let files = Repository.files(under: "Sources", endings: [".swift"])
        let folders = Dictionary(grouping: files) { ($0 as NSString).deletingLastPathComponent }
        for (folder, files) in folders {
            #expect(files.count <= 22, "\(folder) has \(files.count) Swift files")
        }
    }

    @Test func everyScriptOfTheChecksCanBeRun() {
        for script in [
            "run", "test", "check", "deps", "show", "install", "deb", "service",
            "pictures", "photographs", "docc", "cluster",
        ] {
            let path = Repository.root.appendingPathComponent(".ci/\(script)").path
            #expect(FileManager.default.isExecutableFile(atPath: path), ".ci/\(script)")
        }
    }
}
