import Foundation
import Testing

@testable import Platform

struct PlainFileTests {
    private final class Folder {
        let path = NSTemporaryDirectory() + "gestured-\(UUID().uuidString)"

        init() throws {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func file(_ name: String, _ count: Int) -> String {
            let file = "\(path)/\(name)"
            _ = FileManager.default.createFile(atPath: file, contents: Data(count: count))
            return file
        }
    }

    @Test func aFileIsReadWholeUpToItsBound() throws {
        let folder = try Folder()
        for count in [0, 1, 100] {
            #expect(try PlainFile.read(folder.file("a", count), bytesMax: 100).count == count)
        }
        #expect(throws: PlainFile.Failure(reason: "has more than 100 bytes")) {
            try PlainFile.read(folder.file("a", 101), bytesMax: 100)
        }
        #expect(try PlainFile.read("/dev/null", bytesMax: 100).isEmpty)
    }

    @Test func pipesFoldersAndEndlessFilesAreRefusedAtOnce() throws {
        let folder = try Folder()
        // Nobody will ever write to it, so that opening it as a file is would wait forever.
        #expect(unsafe mkfifo("\(folder.path)/fifo", 0o600) == 0)
        let noFile = "cannot be read: it is no file"
        let rejectionLog = [
            ("\(folder.path)/fifo", noFile), (folder.path, noFile),
            ("\(folder.path)/nowhere", "cannot be read: No such file or directory"),
            ("/dev/zero", "has more than 100 bytes"),
        ]
        for (path, reason) in rejectionLog {
            #expect(throws: PlainFile.Failure(reason: reason)) {
                try PlainFile.read(path, bytesMax: 100)
            }
        }
    }
}
