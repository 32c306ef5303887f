package import Geometry

/// Draws a course: one panel for each unit over a common axis of time.
package struct Plot {
    private static let width = 960.0
    private static let left = 64.0
    private static let right = 20.0
    private static let top = 64.0
    private static let panelHeight = 220.0
    private static let gap = 22.0
    private static let phaseHeight = 20.0
    private static let bottom = 44.0

    private let course: Course
    private let title: String
    private let theme: Theme
    private let scale: Double
    private let time: Axis
    /// The lines of each unit, in the order of the fields.
    private let panels: [(unit: String, lines: [Int])]
    private let phased: [String]

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
        var phased: [String] = []
        for phase in course.phases where !phased.contains(phase.component) {
            phased.append(phase.component)
        }
        self.phased = phased
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
        let phases = Double(phased.count) * (Self.phaseHeight + 4)
        return Size(Self.width, Self.top + plots + phases + Self.bottom)
    }

    private var inner: Double { Self.width - Self.left - Self.right }

    private func x(_ milliseconds: Double) -> Double {
        inner * min(max(time.place(of: milliseconds / 1_000), 0), 1)
    }

    private func color(_ line: Int) -> Color {
        let colors = [0x0a6cff, 0xff6b00, 0x1f9d55, 0xe0245e, 0x8b5cf6, 0x0fa3b1, 0xb8860b]
        return Color(colors[line % colors.count])
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
            canvas.translate(Self.left, Self.top)
            for (index, panel) in panels.enumerated() {
                canvas.saved {
                    canvas.translate(0, Double(index) * (Self.panelHeight + Self.gap))
                    draw(panel.lines, unit: panel.unit, hasNames: index == 0, on: canvas)
                }
            }
            canvas.translate(0, Double(panels.count) * (Self.panelHeight + Self.gap) - 8)
            for component in phased {
                drawPhases(of: component, on: canvas)
                canvas.translate(0, Self.phaseHeight + 4)
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
        var left = Self.left
        for (index, line) in course.lines.enumerated() {
            let unit = Self.unit(of: line.name)
            let text = Text(line.name + (unit.isEmpty ? "" : " (\(unit))"), size: 12, weight: 500)
            let width = canvas.size(of: text).width
            if left + width + 30 > Self.width { break }
            canvas.fill(.box(left, 41, 16, 4, radius: 2), color(index))
            canvas.draw(text, at: Vector(left + 22, 35), theme.ink)
            left += width + 40
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

    /// A row of the phases of one component.
    private func drawPhases(of component: String, on canvas: Canvas) {
        for phase in course.phases where phase.component == component {
            let (start, end) = (x(phase.from), x(phase.to))
            guard end - start > 0.2 else { continue }
            let color = color(of: phase.name, among: course.phases)
            canvas.fill(
                .box(start, 0, max(end - start - 1, 0.2), Self.phaseHeight, radius: 3),
                color.opacity(0.28))
            drawLabel(phase.name, from: start, to: end, y: 3, theme.ink, canvas)
        }
        let name = Text(component, size: 11, weight: 600, width: Self.left - 10, alignment: .right)
        canvas.draw(name, at: Vector(-Self.left + 2, 3), theme.faint)
    }

    /// Names get colors in the order in which they come, so that neighbours differ.
    private func color(of name: String, among bands: [Course.Band]) -> Color {
        var names: [String] = []
        for band in bands where !names.contains(band.name) { names.append(band.name) }
        let place = names.firstIndex(of: name) ?? 0
        return Color.palette[place % Color.palette.count]
    }

    /// A name in a band, if it has room; returns whether it has.
    @discardableResult
    private func drawLabel(
        _ name: String, from: Double, to: Double, y: Double, _ color: Color, _ canvas: Canvas
    ) -> Bool {
        let text = Text(name, size: 11)
        let width = canvas.size(of: text).width
        guard width + 6 <= to - from else { return false }
        canvas.draw(text, at: Vector((from + to - width) / 2, y), color)
        return true
    }

    // MARK: A panel

    private func draw(_ lines: [Int], unit: String, hasNames: Bool, on canvas: Canvas) {
        let height = Self.panelHeight
        let bounds = (time.least * 1_000, time.most * 1_000)
        let values = lines.flatMap { line in
            course.lines[line].runs.flatMap { run in
                run.filter { $0.time >= bounds.0 - 20 && $0.time <= bounds.1 + 20 }.map(\.value)
            }
        }
        let axis = Axis((values.min() ?? 0)...(values.max() ?? 1), ticks: 7)
        drawTransitions(hasNames: hasNames, on: canvas)
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
        if !unit.isEmpty {
            canvas.draw(Text(unit, size: 11, weight: 600), at: Vector(6, 5), theme.faint)
        }
        canvas.saved {
            canvas.clip(.box(0, 0, inner, height))
            for line in lines { draw(course.lines[line], axis, color(line), canvas) }
        }
    }

    private func draw(_ line: Course.Line, _ axis: Axis, _ color: Color, _ canvas: Canvas) {
        for run in line.runs where !run.isEmpty {
            let points = run.map { point in
                // Cairo's coordinates end at some millions; a slope to a point so far is flat.
                let place = time.place(of: point.time / 1_000).bounded(by: 100)
                let height = axis.place(of: point.value).bounded(by: 100)
                return (inner * place, Self.panelHeight * (1 - height))
            }
            if points.count == 1 {
                canvas.fill(.circle(points[0].0, points[0].1, 2), color)
            } else {
                canvas.stroke(.lines(points), color, width: 2)
            }
        }
    }

    private func drawTransitions(hasNames: Bool, on canvas: Canvas) {
        // Bands that overlap have their names above one another.
        var lanes: [Double] = []
        for band in course.transitions {
            guard band.to / 1_000 >= time.least, band.from / 1_000 <= time.most else { continue }
            let (start, end) = (x(band.from), x(band.to))
            let color = color(of: band.name, among: course.transitions)
            canvas.fill(
                .box(start, 0, max(end - start, 1), Self.panelHeight),
                color.opacity(end - start > 1 ? 0.13 : 0.4))
            let lane = lanes.firstIndex { $0 <= start } ?? lanes.count
            let y = Self.panelHeight - 18 - 15 * Double(lane)
            if hasNames,
                drawLabel(band.name, from: start, to: end, y: y, theme.faint, canvas)
            {
                if lane == lanes.count { lanes.append(end) } else { lanes[lane] = end }
            }
        }
    }
}
