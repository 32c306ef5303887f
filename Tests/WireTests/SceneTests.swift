import Testing

@testable import Wire

@Test func placeholderForTheFirstCommit() throws {
    #expect(Topic.isName("alice"))
}
