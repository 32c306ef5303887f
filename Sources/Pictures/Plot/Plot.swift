package import Geometry

/// Draws a course: one panel for each unit over a common axis of time.
package struct Plot {
    private static let width = 960.0
    private static let left = 64.0
    private static let right = 20.0
    /// Above the legend, for each of its rows, and below it.
    private static let head = 35.0
    private static let legendHeight = 20.0
    private static let headGap = 9.0
    private static let panelHeight = 220.0
    private static let gap = 22.0
    private static let phaseHeight = 20.0
    /// The height of a row of names.
    private static let nameHeight = 15.0
    /// Rows of names: above one another in a panel, and below a row of phases.
    private static let transitionRowsMax = 12
    private static let phaseRowsMax = 3
    private static let bottom = 44.0

    private let course: Course
    private let title: String
    private let theme: Theme
    private let scale: Double
    private let time: Axis
    /// The lines of each unit, in the order of the fields.
    private let panels: [(unit: String, lines: [Int])]
    private(set) var phased: [Phased] = []
    let legend: [Entry]
    private let legendRows: Int
    /// Where the names of transitions stand.
    private(set) var transitionNames: [Name] = []

    /// One field in the legend.
    struct Entry {
        let text: Text
        let left: Double
        let row: Int
    }

    /// A name, where it has room.
    struct Name {
        let text: Text
        let left: Double
        /// Row of names, from 0; -1: within its own band.
        let row: Int
        let band: Int
    }

    /// The phases of one component in a row, and the names that have no room in it.
    struct Phased {
        let component: String
        var names: [Name] = []
        var rows = 0
    }

    /// Milliseconds from and to; `scale` pixels are one point.
    package init(
        _ course: Course, title: String, from: Double, to: Double, theme: Theme, scale: Double
    ) {
        self.course = course
        self.title = title
        self.theme = theme
        self.scale = scale
        time = Axis(from / 1_000...max(to, from + 1) / 1_000, ticks: 10, isTight: true)
        var panels: [(unit: String, lines: [Int])] = []
        for (index, line) in course.lines.enumerated() {
            let unit = Self.unit(of: line.name)
            if let place = panels.firstIndex(where: { $0.unit == unit }) {
                panels[place].lines.append(index)
            } else {
                panels.append((unit, [index]))
            }
        }
        self.panels = panels
        // Texts are measured before there is a drawing.
        let ruler = try? Canvas(Size(1, 1), scale: 1)
        func width(_ text: Text) -> Double { ruler?.size(of: text).width ?? 0 }
        (legend, legendRows) = Self.legend(of: course, width)
        var components: [String] = []
        for phase in course.phases where !components.contains(phase.component) {
            components.append(phase.component)
        }
        transitionNames = names(
            of: course.transitions, rows: Self.transitionRowsMax, isWithin: false, width,
            beside: firstPaths)
        for component in components {
            let names = names(
                of: course.phases, rows: Self.phaseRowsMax, isWithin: true, width,
                component: component)
            let rows = (names.map(\.row).max() ?? -1) + 1
            phased.append(Phased(component: component, names: names, rows: rows))
        }
    }

    /// The fields beside one another, as many in a row as there is room for.
    private static func legend(
        of course: Course, _ width: (Text) -> Double
    ) -> (entries: [Entry], rows: Int) {
        var entries: [Entry] = []
        var (left, row) = (Self.left, 0)
        for line in course.lines {
            let unit = unit(of: line.name)
            let text = Text(line.name + (unit.isEmpty ? "" : " (\(unit))"), size: 12, weight: 500)
            let length = width(text)
            if left + length + 30 > Self.width, left > Self.left {
                (left, row) = (Self.left, row + 1)
            }
            entries.append(Entry(text: text, left: left, row: row))
            left += length + 40
        }
        return (entries, row + 1)
    }

    /// Places the names of bands so that no two lie over each other: within the band if they may
    /// and it has room, else in the first row that has, as near to the band as can be. A row where
    /// no line goes through the name is better than one before it.
    private func names(
        of bands: [Course.Band], rows: Int, isWithin: Bool, _ width: (Text) -> Double,
        component: String? = nil, beside paths: LinePaths? = nil
    ) -> [Name] {
        var names: [Name] = []
        var taken = Array(repeating: [ClosedRange<Double>](), count: rows)
        for (index, band) in bands.enumerated()
        where component == nil || band.component == component {
            guard band.to / 1_000 >= time.least, band.from / 1_000 <= time.most else { continue }
            let text = Text(band.name, size: 11)
            let length = width(text)
            let (start, end) = (x(band.from), x(band.to))
            let middle = (start + end - length) / 2
            if isWithin, length + 6 <= end - start {
                names.append(Name(text: text, left: middle, row: -1, band: index))
                continue
            }
            let left = min(max(middle, 0), max(inner - length, 0))
            let span = left - 3...left + length + 3
            let free = taken.indices.filter { row in
                !taken[row].contains { span.overlaps($0) }
            }
            let lines = paths?.heights(from: span.lowerBound, to: span.upperBound) ?? []
            let clear = free.first { row in
                let top = Self.top(ofRow: row)
                return !lines.contains { $0.overlaps(top - 1...top + Self.nameHeight) }
            }
            guard let row = clear ?? free.first else { continue }
            taken[row].append(span)
            names.append(Name(text: text, left: left, row: row, band: index))
        }
        return names
    }

    /// The upper edge of a row of names in a panel.
    static func top(ofRow row: Int) -> Double { panelHeight - 18 - nameHeight * Double(row) }

    /// The lines of the panel that has the names.
    private var firstPaths: LinePaths? {
        panels.first.map { panel in
            let axis = axis(of: panel.lines)
            return LinePaths(
                panel.lines.flatMap { line in
                    course.lines[line].runs.map { points(of: $0, axis) }
                })
        }
    }

    private var top: Double {
        Self.head + Self.legendHeight * Double(legendRows) + Self.headGap
    }

    private func height(of phases: Phased) -> Double {
        Self.phaseHeight + 4 + Self.nameHeight * Double(phases.rows)
    }

    /// The unit of a field's numbers, as it stands on the wire.
    package static func unit(of field: String) -> String {
        switch field.split(separator: ".").last ?? "" {
        case "x", "y", "w", "h", "offset": "pt"
        case "rotation": "rad"
        default: ""
        }
    }

    package var size: Size {
        let plots = Double(panels.count) * (Self.panelHeight + Self.gap)
        let phases = phased.reduce(0) { $0 + height(of: $1) }
        return Size(Self.width, top + plots + phases + Self.bottom)
    }

    private var inner: Double { Self.width - Self.left - Self.right }

    private func x(_ milliseconds: Double) -> Double {
        inner * min(max(time.place(of: milliseconds / 1_000), 0), 1)
    }

    /// How the line of a field is drawn. Fields beyond the colors have dashes.
    struct Look: Hashable {
        let color: Int
        /// The length of the dashes and of the gaps; 0: there are none.
        let dash: Double
    }

    static func look(ofLine line: Int) -> Look {
        let colors = [
            0x0a6cff, 0xff6b00, 0x1f9d55, 0xe0245e, 0x8b5cf6, 0x0fa3b1, 0xb8860b, 0x6b7280,
            0x7c2d12, 0xd946ef, 0x65a30d, 0x1e3a8a,
        ]
        let dashes = [0.0, 8, 3]
        return Look(
            color: colors[line % colors.count], dash: dashes[line / colors.count % dashes.count])
    }

    package func drawn(isVector: Bool) throws(PictureError) -> Canvas {
        let size = size
        let canvas: Canvas
        if isVector {
            canvas = try Canvas(vector: Size(size.width * scale, size.height * scale))
            canvas.scale(scale)
        } else {
            canvas = try Canvas(size, scale: scale)
        }
        canvas.fill(.box(0, 0, size.width, size.height), theme.background)
        drawHead(on: canvas)
        canvas.saved {
            canvas.translate(Self.left, top)
            for (index, panel) in panels.enumerated() {
                canvas.saved {
                    canvas.translate(0, Double(index) * (Self.panelHeight + Self.gap))
                    draw(panel.lines, unit: panel.unit, hasNames: index == 0, on: canvas)
                }
            }
            canvas.translate(0, Double(panels.count) * (Self.panelHeight + Self.gap) - 8)
            for phases in phased {
                draw(phases, on: canvas)
                canvas.translate(0, height(of: phases))
            }
            drawTimes(on: canvas)
        }
        return canvas
    }

    // MARK: Around the panels

    /// The title and the legend.
    private func drawHead(on canvas: Canvas) {
        let words = Text(title, size: 15, weight: 700, width: Self.width - 40)
        canvas.draw(words, at: Vector(Self.left, 12), theme.ink)
        for (index, entry) in legend.enumerated() {
            let y = Self.head + Self.legendHeight * Double(entry.row)
            let look = Self.look(ofLine: index)
            if look.dash == 0 {
                canvas.fill(.box(entry.left, y + 6, 16, 4, radius: 2), Color(look.color))
            } else {
                canvas.stroke(
                    .lines([(entry.left, y + 8), (entry.left + 18, y + 8)]), Color(look.color),
                    width: 4, dash: look.dash)
            }
            canvas.draw(entry.text, at: Vector(entry.left + 22, y), theme.ink)
        }
    }

    private func drawTimes(on canvas: Canvas) {
        for tick in time.ticks {
            let text = Text(time.label(of: tick), size: 11)
            let width = canvas.size(of: text).width
            canvas.draw(text, at: Vector(x(tick * 1_000) - width / 2, 2), theme.faint)
        }
        let unit = Text("time (s)", size: 11, weight: 500)
        canvas.draw(
            unit, at: Vector(inner / 2 - canvas.size(of: unit).width / 2, 18), theme.faint)
    }

    /// A row of the phases of one component, and below it the names that have no room in it.
    private func draw(_ phases: Phased, on canvas: Canvas) {
        for phase in course.phases where phase.component == phases.component {
            let (start, end) = (x(phase.from), x(phase.to))
            guard end - start > 0.2 else { continue }
            let color = color(of: phase.name, among: course.phases)
            canvas.fill(
                .box(start, 0, max(end - start - 1, 0.2), Self.phaseHeight, radius: 3),
                color.opacity(0.28))
        }
        func y(of name: Name) -> Double {
            name.row < 0 ? 3 : Self.phaseHeight + 1 + Self.nameHeight * Double(name.row)
        }
        // The stems first: one of a lower row may go through a name above.
        for name in phases.names where name.row >= 0 {
            let band = course.phases[name.band]
            let middle = (x(band.from) + x(band.to)) / 2
            canvas.fill(
                .box(middle - 0.5, Self.phaseHeight, 1, y(of: name) - Self.phaseHeight + 2),
                theme.ink.opacity(0.35))
        }
        for name in phases.names {
            let place = Vector(name.left, y(of: name))
            if name.row < 0 {
                canvas.draw(name.text, at: place, theme.ink)
            } else {
                canvas.draw(name.text, at: place, theme.ink, halo: theme.background)
            }
        }
        let text = Text(
            phases.component, size: 11, weight: 600, width: Self.left - 10, alignment: .right)
        canvas.draw(text, at: Vector(-Self.left + 2, 3), theme.faint)
    }

    /// Names get colors in the order in which they come, so that neighbours differ.
    private func color(of name: String, among bands: [Course.Band]) -> Color {
        var names: [String] = []
        for band in bands where !names.contains(band.name) { names.append(band.name) }
        let place = names.firstIndex(of: name) ?? 0
        return Color.palette[place % Color.palette.count]
    }

    // MARK: A panel

    private func draw(_ lines: [Int], unit: String, hasNames: Bool, on canvas: Canvas) {
        let height = Self.panelHeight
        let axis = axis(of: lines)
        drawTransitions(on: canvas)
        for tick in axis.ticks {
            let y = height * (1 - axis.place(of: tick))
            canvas.fill(.box(0, y - 0.5, inner, 1), theme.ink.opacity(tick == 0 ? 0.25 : 0.09))
            let text = Text(
                axis.label(of: tick), size: 11, width: Self.left - 12, alignment: .right)
            canvas.draw(
                text, at: Vector(-Self.left + 4, y - canvas.size(of: text).height / 2),
                theme.faint)
        }
        for tick in time.ticks {
            canvas.fill(.box(x(tick * 1_000) - 0.5, 0, 1, height), theme.ink.opacity(0.06))
        }
        canvas.stroke(.box(0, 0, inner, height), theme.edge, width: 1)
        canvas.saved {
            canvas.clip(.box(0, 0, inner, height))
            for line in lines { draw(course.lines[line], axis, Self.look(ofLine: line), canvas) }
        }
        // Words stand over the lines, which would strike them through.
        if !unit.isEmpty {
            let words = Text(unit, size: 11, weight: 600)
            canvas.draw(words, at: Vector(6, 5), theme.faint, halo: theme.background)
        }
        guard hasNames else { return }
        for name in transitionNames {
            let place = Vector(name.left, Self.top(ofRow: name.row))
            canvas.draw(name.text, at: place, theme.faint, halo: theme.background)
        }
    }

    private func axis(of lines: [Int]) -> Axis {
        let bounds = (time.least * 1_000, time.most * 1_000)
        let values = lines.flatMap { line in
            course.lines[line].runs.flatMap { run in
                run.filter { $0.time >= bounds.0 - 20 && $0.time <= bounds.1 + 20 }.map(\.value)
            }
        }
        return Axis((values.min() ?? 0)...(values.max() ?? 1), ticks: 7)
    }

    /// A run of a line in the points of its panel.
    private func points(of run: [(time: Double, value: Double)], _ axis: Axis) -> [Vector] {
        run.map { point in
            // Cairo's coordinates end at some millions; a slope to a point so far is flat.
            let place = time.place(of: point.time / 1_000).bounded(by: 100)
            let height = axis.place(of: point.value).bounded(by: 100)
            return Vector(inner * place, Self.panelHeight * (1 - height))
        }
    }

    private func draw(_ line: Course.Line, _ axis: Axis, _ look: Look, _ canvas: Canvas) {
        for run in line.runs where !run.isEmpty {
            let points = points(of: run, axis)
            if points.count == 1 {
                canvas.fill(.circle(points[0].x, points[0].y, 2), Color(look.color))
            } else {
                canvas.stroke(
                    .lines(points.map { ($0.x, $0.y) }), Color(look.color), width: 2,
                    dash: look.dash)
            }
        }
    }

    private func drawTransitions(on canvas: Canvas) {
        for band in course.transitions {
            guard band.to / 1_000 >= time.least, band.from / 1_000 <= time.most else { continue }
            let (start, end) = (x(band.from), x(band.to))
            canvas.fill(
                .box(start, 0, max(end - start, 1), Self.panelHeight),
                color(of: band.name, among: course.transitions)
                    .opacity(end - start > 1 ? 0.13 : 0.4))
        }
    }
}
