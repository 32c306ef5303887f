import Foundation
import StoreSupport
import Testing

@testable import Store

/// SQLite says "unable to open database file" whatever the reason is: the error says what to do.
@Suite struct StoreAccessTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func refusal(_ path: String) throws -> String {
        do throws(StoreError) {
            _ = try SQLiteConnection(path, .write)
        } catch {
            return error.description
        }
        throw Unexpected.opened(path)
    }

    private enum Unexpected: Error { case opened(String) }

    @Test func aFolderThatIsNotThereIsNamed() throws {
        let folder = scratch.folder.path + "/none"
        #expect(
            try refusal("\(folder)/state.db")
                == "\(folder)/state.db: unable to open database file: there is no folder "
                + "\(folder); make it, or set state_dir to another")
    }

    @Test func aFileInThePlaceOfTheFolderIsNamed() throws {
        let file = scratch.folder.path + "/file"
        try Data("x".utf8).write(to: URL(filePath: file))
        let told = try refusal("\(file)/state.db")
        #expect(told.hasSuffix(": \(file) is no folder; set state_dir to one"), "\(told)")
    }

    @Test func aFolderInThePlaceOfTheFileIsNamed() throws {
        try FileManager.default.createDirectory(
            atPath: scratch.path, withIntermediateDirectories: false)
        let told = try refusal(scratch.path)
        #expect(told.hasSuffix(": \(scratch.path) is a folder; move it away"), "\(told)")
    }

    /// SQLite would wait for ever for somebody who writes to it.
    @Test(.timeLimit(.minutes(1)), arguments: ["", "-wal", "-shm", "-journal"])
    func aPipeInThePlaceOfAFileIsNamed(suffix: String) throws {
        if !suffix.isEmpty { try scratch.open().close() }
        let pipe = scratch.path + suffix
        unsafe unlink(pipe)
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        #expect(try refusal(scratch.path).hasSuffix(": \(pipe) is a pipe; move it away"))
        let error = #expect(throws: StoreError.self) { try scratch.open() }
        #expect(error?.description.hasSuffix(": \(pipe) is a pipe; move it away") == true)
        #expect(error?.kind == .unavailable, "it is not damaged, and nothing is set aside")
    }

    @Test func aLinkIsFollowedToAFileAndNowhereElse() throws {
        let real = scratch.folder.path + "/real.db"
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path, withDestinationPath: real)
        let error = #expect(throws: StoreError.self) { try scratch.open() }
        let told = error?.description ?? ""
        #expect(told.contains("\(scratch.path) is a link that leads to no file; rem"), "\(told)")
        try SQLiteStore(real, .full, newKey: 1).close()
        #expect(StoreAccess.obstacle(scratch.path) == nil)
        try scratch.open().close()
        // SQLite's other files stand beside the file itself.
        unsafe unlink(real + "-wal")
        try #require(unsafe mkfifo(real + "-wal", 0o600) == 0)
        #expect(try refusal(scratch.path).hasSuffix("/real.db-wal is a pipe; move it away"))
        try FileManager.default.removeItem(atPath: scratch.path)
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path, withDestinationPath: "/dev/null")
        #expect(try refusal(scratch.path).hasSuffix("\(scratch.path) is a device; move it away"))
    }

    /// The superuser may do all of it.
    @Test(.enabled(if: getuid() != 0)) func whatAUserMayNotDoIsSaid() throws {
        unsafe chmod(scratch.folder.path, 0o500)
        defer { unsafe chmod(scratch.folder.path, 0o700) }
        let told = try refusal(scratch.path)
        #expect(told.contains("may not make files in \(scratch.folder.path); chown or"), "\(told)")
    }
}
