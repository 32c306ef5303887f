import Testing

@testable import Pictures

@Suite struct CourseTests {
    private func course(_ fields: String..., of name: String = "toss") throws -> Course {
        try Course(try film(name), session: nil, fields: fields, frameRate: 60)
    }

    @Test func aLineHasTheValuesOfTheStates() throws {
        let line = try #require(try course("toss.item.x").lines.first)
        let points = line.runs.flatMap { $0 }
        #expect(points.first?.value == 160 && points.last?.value == 160)
        #expect((points.map(\.value).max() ?? 0) > 600, "it is thrown to the right")
        #expect(zip(points, points.dropFirst()).allSatisfy { $0.time <= $1.time })
    }

    @Test func transitionsAndPhasesAreBands() throws {
        let course = try course("toss.item.x")
        #expect(Set(course.transitions.map(\.name)) == ["toss", "return"])
        #expect(course.transitions.allSatisfy { $0.to > $0.from })
        #expect(
            Array(course.phases.map(\.name).prefix(4))
                == ["resting", "dragging", "thrown", "returning"])
        for (one, next) in zip(course.phases, course.phases.dropFirst()) {
            #expect(one.to == next.from)
        }
    }

    @Test func aLineEndsWhereItsViewIsAbsent() throws {
        let runs = try #require(try course("toss.touch.x").lines.first).runs.filter { !$0.isEmpty }
        #expect(runs.count > 3, "each drag is a run")
    }

    @Test(arguments: [
        ("toss.item.xx", "did you mean toss.item.x?"), ("tos.item.y", "did you mean toss.item.y?"),
        ("toss.phase", "is no number"), ("", "no field"),
    ])
    func otherFieldsAreRefused(field: String, words: String) throws {
        let error = #expect(throws: PictureError.self) { try course(field) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func unitsFollowTheLastPart() {
        #expect(Plot.unit(of: "toss.item.x") == "pt" && Plot.unit(of: "a.b.rotation") == "rad")
        #expect(Plot.unit(of: "a.b.scale").isEmpty && Plot.unit(of: "p.model.offset") == "pt")
    }

    @Test func aPlotOfEveryExampleCanBeDrawn() throws {
        let course = try course("toss.item.x", "toss.item.rotation", "toss.item.scale")
        let plot = Plot(course, title: "toss", from: 0, to: 7_000, theme: .dark, scale: 1)
        let canvas = try plot.drawn(isVector: false)
        expect(canvas, 2, 2, Theme.dark.background)
        var colors = 0
        for x in stride(from: 64, to: 940, by: 1) {
            for y in stride(from: 64, to: 284, by: 2)
            where canvas.color(x: x, y: y).map({ $0.blue > 0.9 && $0.red < 0.2 }) == true {
                colors += 1
            }
        }
        #expect(colors > 300, "the first line is blue")
    }
}
