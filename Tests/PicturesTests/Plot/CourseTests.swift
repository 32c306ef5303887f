import Geometry
import Simulation
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

    @Test func everyFieldStandsInTheLegend() throws {
        let fields = ["x", "y", "w", "h", "rotation", "scale", "alpha", "z"].map {
            "toss.item.\($0)"
        }
        let course = try Course(
            try film("toss"), session: nil, fields: fields, frameRate: 60)
        let plot = Plot(course, title: "toss", from: 0, to: 7_000, theme: .light, scale: 1)
        #expect(
            plot.legend.map(\.text.words).map { $0.prefix { $0 != " " } } == fields.map { $0[...] })
        let rows = Set(plot.legend.map(\.row))
        #expect(rows.count > 1, "eight fields have no room beside one another")
        for row in rows {
            let places = plot.legend.filter { $0.row == row }.map(\.left)
            #expect(places == places.sorted() && Set(places).count == places.count)
        }
    }

    @Test func noTwoFieldsLookTheSame() {
        let looks = (0..<Fields.namesMax).map(Plot.look(ofLine:))
        #expect(Set(looks).count == Fields.namesMax)
        // Few fields are told apart by their colors alone.
        #expect(looks.prefix(12).allSatisfy { $0.dash == 0 })
    }

    /// In the tour dozens of bands lie within a few seconds.
    @Test func everyBandHasItsNameAndNoneLiesOverAnother() throws {
        for (name, field, end) in [
            ("toss", "toss.item.x", 7_000.0), ("tips", "tips.tip.x", 15_000),
            ("list", "list.row-4.x", 8_000), ("navigation", "navigation.dashboard.x", 8_000),
        ] {
            guard let course = try? course(field, of: name) else { continue }
            let plot = Plot(course, title: name, from: 0, to: end, theme: .light, scale: 1)
            let canvas = try Canvas(Size(1, 1), scale: 1)
            func spans(_ names: [Plot.Name], _ row: Int) -> [(Double, Double)] {
                names.filter { $0.row == row }
                    .map { ($0.left, $0.left + canvas.size(of: $0.text).width) }
                    .sorted { $0.0 < $1.0 }
            }
            for names in [plot.transitionNames] + plot.phased.map(\.names) {
                for row in Set(names.map(\.row)) {
                    let spans = spans(names, row)
                    for (one, next) in zip(spans, spans.dropFirst()) {
                        #expect(one.1 <= next.0, "\(name): names over each other")
                    }
                }
            }
            let seen = course.transitions.filter { $0.to >= 0 && $0.from <= end }
            #expect(plot.transitionNames.count == seen.count, "\(name)")
        }
    }

    /// Values at equal distances over a second.
    private func line(_ name: String, _ values: [Double]) -> Course.Line {
        let step = 1_000 / Double(values.count - 1)
        return Course.Line(
            name: name, runs: [values.enumerated().map { (Double($0.offset) * step, $0.element) }])
    }

    private func plot(_ lines: Course.Line...) -> Plot {
        let band = Course.Band(component: "a", name: "TRANSITION", from: 0, to: 1_000)
        return Plot(
            Course(lines: lines, transitions: [band]), title: "", from: 0, to: 1_000,
            theme: .light, scale: 3)
    }

    @Test func aNameStandsInARowThatNoLineGoesThrough() {
        #expect(plot(line("a.v.x", [50, 50])).transitionNames.map(\.row) == [0])
        // One line lies at the bottom, where the first row is.
        let both = plot(line("a.v.x", [0, 0]), line("a.v.y", [100, 100]))
        #expect(both.transitionNames.map(\.row) == [1])
        let steep = LinePaths([[Vector(0, 0), Vector(100, 100)], [Vector(90, 7)], []])
        #expect(steep.heights(from: 20, to: 40) == [20...40])
        #expect(steep.heights(from: 80, to: 120) == [80...100, 7...7])
        #expect(steep.heights(from: 101, to: 120).isEmpty)
    }

    /// Where lines go through every row, the letters of a name have a rim.
    @Test func noLineStrikesANameThrough() throws {
        let zigzag = plot(line("a.v.x", (0...2_000).map { Double($0 % 2) }))
        let name = try #require(zigzag.transitionNames.first)
        let canvas = try zigzag.drawn(isVector: false)
        func isLine(_ color: Color?) -> Bool {
            color.map { $0.blue > 0.9 && $0.red < 0.3 } ?? false
        }
        func isLetter(_ color: Color?) -> Bool {
            color.map { ($0.blue - $0.red).magnitude < 0.12 && $0.red < 0.6 } ?? false
        }
        // The upper half of the letters, in pixels; the lines end below it.
        let top = 64 + Plot.top(ofRow: name.row)
        let left = Int(3 * (64 + name.left))
        var letters = 0
        for y in Int(3 * (top + 2))..<Int(3 * (top + 5.5)) {
            for x in left..<left + Int(3 * canvas.size(of: name.text).width)
            where isLetter(canvas.color(x: x, y: y)) {
                letters += 1
                #expect(!isLine(canvas.color(x: x - 2, y: y)), "at \(x), \(y)")
                #expect(!isLine(canvas.color(x: x + 2, y: y)), "at \(x), \(y)")
            }
        }
        #expect(letters > 40, "\(letters)")
        #expect(isLine(canvas.color(x: left - 40, y: Int(3 * (top + 4)))), "the lines are there")
    }
}
