import Foundation
import Schemas
import TestSupport
import Testing

/// The files of the contract are what the code says.
@Suite struct SchemaFileTests {
    @Test(arguments: Schemas.names)
    func theFileHoldsWhatTheReadersTake(name: String) throws {
        let text = try #require(Schemas.text(name))
        try expectGolden(text, document: "docs/schemas/\(name).json")
    }

    @Test func theDocumentListsAllChannelsAndOperations() throws {
        try expectGolden(Schemas.asyncAPI, document: "docs/asyncapi.yaml")
    }

    @Test func noFileIsLeftOver() throws {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: repositoryURL("docs/schemas").path)
        let schemas = files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
        #expect(schemas.sorted() == Schemas.names.sorted())
    }
}
