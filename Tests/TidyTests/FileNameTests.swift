import Testing

/// A name of a file says what is in it: a search by name finds one file.
struct FileNameTests {
    /// Names that a tool prescribes.
    private static let prescribed: Set = ["main.swift", "shim.h"]

    @Test func noNameStandsForTwoFiles() throws {
        let files =
            Repository.files(under: "Sources", endings: [".swift", ".c", ".h", ".cpp"])
            + Repository.files(under: "Tests", endings: [".swift", ".c", ".h", ".cpp"])
            + Repository.files(under: "Clients/web", endings: [".js", ".ts"])
        let byName = Dictionary(grouping: files) { String($0.split(separator: "/").last ?? "") }
        for (name, places) in byName where !Self.prescribed.contains(name) {
            #expect(places.count == 1, "\(name): \(places.sorted())")
        }
        #expect(byName.count > 500)
    }
}
