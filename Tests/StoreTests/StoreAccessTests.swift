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

    /// The superuser may do all of it.
    @Test(.enabled(if: getuid() != 0)) func whatAUserMayNotDoIsSaid() throws {
        unsafe chmod(scratch.folder.path, 0o500)
        defer { unsafe chmod(scratch.folder.path, 0o700) }
        let told = try refusal(scratch.path)
        #expect(told.contains("may not make files in \(scratch.folder.path); chown or"), "\(told)")
    }
}
