import Glibc
import Testing

@testable import Platform

/// Folders and files, in a folder of the test's own.
final class FolderTests {
    private let folder: String

    init() throws {
        let ending = String(repeating: "X", count: 6)
        var template = Array("/tmp/gestured-platform-\(ending)".utf8CString)
        folder = try #require(unsafe mkdtemp(&template).map { unsafe String(cString: $0) })
    }

    deinit {
        for name in Folder.names(in: folder) ?? [] { unsafe unlink("\(folder)/\(name)") }
        for name in ["a/b/c", "a/b", "a", ""] { unsafe rmdir("\(folder)/\(name)") }
    }

    private func text(_ path: String) throws -> String {
        let file = try unsafe #require(fopen(path, "r"))
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    @Test(arguments: [
        ("/a/b.toml", "/a"), ("/b", "/"), ("a/b", "a"), ("b", "."), ("/a/b/", "/a/b"),
    ])
    func theFolderAboveIsNamed(path: String, above: String) {
        #expect(Folder.above(path) == above)
    }

    @Test func foldersAreMadeWithThoseAbove() {
        #expect(Folder.make("\(folder)/a/b/c") == 0)
        #expect(Folder.isThere("\(folder)/a/b/c"))
        #expect(Folder.make("\(folder)/a/b/c") == 0, "it is there")
        #expect(Folder.names(in: "\(folder)/a") == ["b"])
    }

    @Test func aFolderIsNotMadeInAFileOrInItsPlace() {
        #expect(File.replace("\(folder)/file", with: []) == 0)
        #expect(Folder.make("\(folder)/file") == EEXIST)
        #expect(Folder.make("\(folder)/file/a") == ENOTDIR)
        #expect(!Folder.isThere("\(folder)/file"))
    }

    @Test func namesAreBoundedAndMissingFoldersTold() {
        for name in ["x", "y", "z"] { #expect(File.replace("\(folder)/\(name)", with: []) == 0) }
        #expect(Folder.names(in: folder)?.sorted() == ["x", "y", "z"])
        #expect(Folder.names(in: folder, countMax: 2)?.count == 2)
        #expect(Folder.names(in: "\(folder)/none") == nil)
        #expect(Folder.names(in: "\(folder)/x") == nil, "it is a file")
    }

    @Test func aFileIsReplacedAsAWhole() throws {
        let path = "\(folder)/file"
        for content in ["first", "the second", ""] {
            #expect(File.replace(path, with: Array(content.utf8)) == 0)
            #expect(try text(path) == content)
            #expect(Folder.names(in: folder) == ["file"], "nothing is left beside it")
        }
    }

    @Test func aFileThatCannotBeReplacedStays() throws {
        #expect(File.replace("\(folder)/none/file", with: []) == ENOENT)
        #expect(Folder.make("\(folder)/a") == 0)
        #expect(File.replace("\(folder)/a", with: [1]) == EISDIR)
        #expect(Folder.names(in: folder) == ["a"], "nothing is left beside it")
        #expect(unsafe mkfifo("\(folder)/pipe", 0o600) == 0)
        #expect(File.replace("\(folder)/pipe", with: [1]) == EINVAL)
        #expect(Folder.names(in: folder)?.sorted() == ["a", "pipe"])
    }

    @Test func aFullDeviceIsTold() {
        let device = unsafe open("/dev/full", O_WRONLY)
        defer { close(device) }
        #expect(File.writeAll([1, 2, 3], to: device) == ENOSPC)
        #expect(File.writeAll([], to: device) == 0)
    }

    @Test func linksAreRead() {
        let path = "\(folder)/link"
        #expect(unsafe symlink("somewhere", path) == 0)
        #expect(File.target(ofLink: path) == "somewhere")
        #expect(File.target(ofLink: folder) == nil)
        #expect(!File.isThere(path), "it leads nowhere")
    }
}
