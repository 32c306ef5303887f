import Foundation
import Testing

@testable import Commands
@testable import PictureCommands

/// The newest caption of a file that another process writes.
@Suite struct CaptionFileTests {
    @Test(arguments: [
        ("", ""),
        ("One", ""),
        ("One\n", "One"),
        ("One\nTwo\n", "Two"),
        ("One\nTwo\n\n   \n", "Two"),
        ("One\nTw", "One"),
    ])
    func theNewestWholeLineCounts(text: String, caption: String) {
        #expect(CaptionFile.lastLine(of: Array(text.utf8)) == caption)
    }

    @Test func aFileThatGrowsIsFollowed() throws {
        let path = NSTemporaryDirectory() + "captions-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        // More than the part that is looked at.
        let long = String(repeating: "An older caption\n", count: CaptionFile.tailBytesMax / 8)
        try (long + "One\n").write(toFile: path, atomically: false, encoding: .utf8)
        var captions = try CaptionFile(path)
        #expect(captions.newest == "One")
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("Two\n".utf8))
        try file.close()
        let changed = captions.look()
        #expect(changed)
        #expect(captions.newest == "Two")
        let changedAgain = captions.look()
        #expect(!changedAgain)
    }

    @Test func aMissingFileIsNamed() {
        #expect(throws: Failure.file("/none/here: No such file or directory")) {
            try CaptionFile("/none/here")
        }
    }
}
