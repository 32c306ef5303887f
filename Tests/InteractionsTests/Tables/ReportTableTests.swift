import Foundation
import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// The protocol's table of what reactions may ask of each kind.
@Suite struct ReportTableTests {
    private static let heading =
        "| kind | transitions, and the values that they tell | phases | commands |"

    private static let kinds: [any KindParameters] = [
        TipsParameters.counting(3), TossParameters(viewport: .phone),
        NavigationParameters(root: "a"), ProfileParameters(viewport: .phone),
        ListParameters(rows: 20), ReaderParameters(pages: .count(4), viewport: .phone),
        TabsParameters.five, WorldParameters(viewport: .phone), ButtonParameters(viewport: .phone),
        LabelParameters(viewport: .phone), PanelParameters.sheet,
    ]

    private static func code(_ name: String) -> String { "`\(name)`" }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
    }

    private static func row(_ parameters: some KindParameters) -> String {
        let reports = parameters.reports
        let transitions = reports.transitions.map { report in
            code(report.name) + list(report.placeholders.map { code("$\($0.rawValue)") })
        }
        let commands = reports.commands.map { command in
            code(command.name)
                + list(
                    command.arguments.map { argument in
                        code(argument.name) + (argument.isRequired ? "" : "?")
                    })
        }
        let columns = [
            code(ComponentParameters(parameters).kind), transitions.joined(separator: ", "),
            reports.phases.map(code).joined(separator: ", "), commands.joined(separator: ", "),
        ]
        return "| \(columns.joined(separator: " | ")) |"
    }

    @Test func theProtocolSaysWhatKindsReport() throws {
        #expect(Self.kinds.count == Kinds.all.count)
        let document = try String(
            contentsOf: repositoryURL("docs/protocol/scenes.md"), encoding: .utf8)
        var lines = document.components(separatedBy: "\n")
        let start = try #require(lines.firstIndex(of: Self.heading))
        let end = try #require(lines[start...].firstIndex(of: ""))
        let rows = [Self.heading, "|---|---|---|---|"] + Self.kinds.map { Self.row($0) }
        lines.replaceSubrange(start..<end, with: rows)
        try expectGolden(lines.joined(separator: "\n"), document: "docs/protocol/scenes.md")
    }
}
