import Foundation
import Gestures
import Interactions
import TestSupport
import Testing

/// Every kind's table, played once.
enum Tables {
    static let all = Result {
        [
            try tips().grid(), try toss().grid(), try navigation().grid(),
            try profile().grid(), try list().grid(), try reader().grid(), try tabs().grid(),
            try dynamics().grid(), try button().grid(), try label().grid(),
            try panel().grid(),
        ]
    }
}

/// The answer to every event in every state; nothing else can happen.
@Suite struct TransitionsTests {
    @Test func noPairIsUndefined() throws {
        for grid in try Tables.all.get() {
            #expect(grid.faults.isEmpty, "\(grid.kind): \(grid.faults.prefix(5))")
            #expect(!grid.rows.isEmpty && !grid.states.isEmpty)
            #expect(grid.rows.allSatisfy { $0.answers.count == grid.states.count })
        }
    }

    @Test func noEventOfTheVocabularyIsMissing() throws {
        let names = Set(Vocabulary.all.map(\.name))
        for kind in GestureKind.allCases {
            #expect(names.contains { $0.group == kind.rawValue }, "\(kind)")
        }
        for grid in try Tables.all.get() {
            let played = Set(grid.rows.map(\.event.stimulus.name))
            #expect(names.isSubset(of: played), "\(grid.kind): \(names.subtracting(played))")
        }
    }

    @Test func noEventHasTwoRows() throws {
        for grid in try Tables.all.get() {
            #expect(Set(grid.rows.map(\.event)).count == grid.rows.count, "\(grid.kind)")
        }
    }

    /// The phases that clients are told of are those that a state of the table is in.
    @Test func everyDeclaredPhaseIsReached() throws {
        for grid in try Tables.all.get() {
            #expect(grid.reached == Set(grid.phases), "\(grid.kind)")
            #expect(try publishedPhases(of: grid.kind) == Set(grid.phases), "\(grid.kind)")
        }
    }

    /// The phases that the protocol lists in a kind's section, or on the kind's own page.
    private func publishedPhases(of kind: String) throws -> Set<String> {
        let folder = repositoryURL("docs/protocol")
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
            try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
        }
        let heading = "# `\(kind)`\n"
        let page = try #require(pages.first { $0.contains(heading) }, "no section on \(kind)")
        let section = try #require(page.range(of: heading))
        let rest = page[section.upperBound...]
        let isOwnPage = section.lowerBound == page.startIndex
        let end = isOwnPage ? nil : rest.range(of: "\n## ")?.lowerBound
        let body = rest[..<(end ?? rest.endIndex)]
        let start = try #require(body.range(of: "`phase`:"), "\(kind) has no phases")
        let list = body[start.upperBound...]
        let model = try #require(list.range(of: "`model`"), "\(kind) has no model")
        // Behind a condition in brackets there are names that are no phases.
        let bare = list[..<model.lowerBound].replacing(/\([^)]*\)/, with: "")
        return Set(bare.matches(of: /`([a-z-]+)`/).map { String($0.1) })
    }

    @Test func theDocumentSaysWhatTheMachinesDo() throws {
        let document = TransitionsDocument(try Tables.all.get())
        try expectGolden(document.text, document: "docs/transitions.md")
    }
}
