import Geometry
import Notation

/// A film with what is shown of it and how: the stills, strips and animations are made of this.
package struct Screening {
    /// Times of a strip; more cannot be told apart.
    package static let panelsMax = 64
    /// Panels beside one another: a strip of more goes on below.
    package static let panelsOfRowMax = 8
    /// Frames of an animation: two minutes at 30 a second.
    package static let framesMax = 3_600
    /// Ghosts of each panel.
    package static let ghostsMax = 16
    /// Around a phone in a strip or an animation, in points.
    private static let margin = 14.0
    private static let corner = 16.0
    /// The height of a caption of two lines, and of a time below a panel.
    private static let captionHeight = 44.0
    private static let timeHeight = 24.0

    private let film: Film
    private let session: String?
    private let scale: Double
    private let theme: Theme
    private let hasCaptions: Bool
    private let photos: Photos?
    /// The largest viewport of the sessions that are shown.
    private let viewport: Size

    /// A nil session means the one that the recording plays at each time. `scale` pixels are one
    /// point. Throws where there is no such session.
    package init(
        _ film: Film, session: String?, scale: Double, theme: Theme, hasCaptions: Bool,
        photos: Photos? = nil
    ) throws(PictureError) {
        let names = film.sessions
        if let session, !names.contains(session) {
            throw PictureError(
                "there is no session '\(session)' in the recording; it has "
                    + (names.isEmpty ? "none" : names.joined(separator: ", ")))
        }
        if names.isEmpty { throw PictureError("the recording opens no session") }
        self.film = film
        self.session = session
        self.scale = scale
        self.theme = theme
        self.hasCaptions = hasCaptions
        self.photos = photos
        viewport = film.largestViewport(of: session)
    }

    /// The session that is seen at a time, and the fingers on it.
    private struct Scenery {
        var picture: Picture
        var fingers: [Touches.Finger]
    }

    private func scenery(at time: Double, in projector: Projector) -> Scenery? {
        guard let name = session ?? film.session(at: time),
            let picture = projector.picture(of: name)
        else { return nil }
        return Scenery(picture: picture, fingers: film.fingers(on: name, at: time))
    }

    // MARK: A still

    /// The screen alone, unless there are captions; times are milliseconds.
    package func still(at time: Double, isVector: Bool) throws(PictureError) -> Canvas {
        let size = Size(viewport.width, viewport.height + (hasCaptions ? Self.captionHeight : 0))
        let canvas = try canvas(size, isVector: isVector)
        canvas.fill(.box(0, 0, size.width, size.height), theme.background)
        var projector = Projector(film)
        projector.advance(to: time)
        if let scenery = scenery(at: time, in: projector) {
            let painter = Painter(scenery.picture, on: canvas)
            painter.paint()
            painter.paint(scenery.fingers)
        }
        if hasCaptions { drawCaption(at: time, below: viewport.height, width: size.width, canvas) }
        return canvas
    }

    private func canvas(_ size: Size, isVector: Bool) throws(PictureError) -> Canvas {
        let canvas =
            try isVector
            ? Canvas(vector: Size(size.width * scale, size.height * scale))
            : Canvas(size, scale: scale)
        canvas.photos = photos
        if isVector { canvas.scale(scale) }
        return canvas
    }

    // MARK: A strip

    /// Times that part a span evenly.
    package static func times(from: Double, to: Double, count: Int) -> [Double] {
        let step = count > 1 ? (to - from) / Double(count - 1) : 0
        return (0..<count).map { from + step * Double($0) }
    }

    /// Rising times beside and below one another; each panel has faint ghosts of what was before.
    package func strip(
        at times: [Double], ghosts: Int, isVector: Bool
    ) throws(PictureError) -> Canvas {
        let rows = (times.count + Self.panelsOfRowMax - 1) / Self.panelsOfRowMax
        // As many in each row as can be.
        let columns = (times.count + rows - 1) / rows
        let width = viewport.width + Self.margin
        let height =
            viewport.height + Self.margin + Self.timeHeight
            + (hasCaptions ? Self.captionHeight : 0)
        let size = Size(
            width * Double(columns) + Self.margin, height * Double(rows) + Self.margin)
        let canvas = try canvas(size, isVector: isVector)
        canvas.fill(.box(0, 0, size.width, size.height), theme.background)
        var projector = Projector(film)
        for (panel, time) in times.enumerated() {
            var former: [Picture] = []
            for ghost in 0..<ghosts where panel > 0 {
                let part = Double(ghost + 1) / Double(ghosts + 1)
                let before = times[panel - 1] + (time - times[panel - 1]) * part
                projector.advance(to: before)
                if let scenery = scenery(at: before, in: projector) {
                    former.append(scenery.picture)
                }
            }
            projector.advance(to: time)
            let left = Self.margin + width * Double(panel % columns)
            let top = height * Double(panel / columns)
            canvas.saved {
                canvas.translate(left, Self.margin + top)
                drawPhone(scenery(at: time, in: projector), ghosts: former, canvas)
                drawTime(time, canvas)
            }
            if hasCaptions {
                canvas.saved {
                    canvas.translate(left, top)
                    drawCaption(
                        at: time, below: height + Self.margin - Self.captionHeight,
                        width: viewport.width, canvas)
                }
            }
        }
        return canvas
    }

    private func drawTime(_ time: Double, _ canvas: Canvas) {
        let text = Text(
            "\((time / 10).rounded() / 100) s", size: 13, weight: 500, width: viewport.width,
            alignment: .center)
        canvas.draw(text, at: Vector(0, viewport.height + 10), theme.faint)
    }

    /// The screen with round corners, in the middle of the largest viewport.
    private func drawPhone(_ scenery: Scenery?, ghosts: [Picture], _ canvas: Canvas) {
        guard let scenery else { return }
        let size = scenery.picture.viewport
        canvas.saved {
            canvas.translate(
                (viewport.width - size.width) / 2, (viewport.height - size.height) / 2)
            let screen = Shape.box(0, 0, size.width, size.height, radius: Self.corner)
            canvas.saved {
                canvas.clip(screen)
                let painter = Painter(scenery.picture, on: canvas, ghosts: ghosts)
                painter.paint()
                painter.paint(scenery.fingers)
            }
            canvas.stroke(screen, theme.edge, width: 1)
        }
    }

    private func drawCaption(
        at time: Double, below y: Double, width: Double, _ canvas: Canvas
    ) {
        guard let words = film.caption(at: time) else { return }
        let text = Text(
            words, size: 13, weight: 500, width: width - 8, lines: 2, alignment: .center)
        let height = canvas.size(of: text).height
        canvas.draw(text, at: Vector(4, y + (Self.captionHeight - height) / 2), theme.ink)
    }

    // MARK: An animation

    /// How many frames an animation has; throws where they are too many.
    package static func frames(
        from: Double, to: Double, rate: Double, speed: Double
    ) throws(PictureError) -> Int {
        let count = ((to - from) / 1_000 / speed * rate).rounded(.down) + 1
        guard count <= Double(framesMax) else {
            throw PictureError(
                "\(Int(count.bounded(by: 1e15))) frames are too many: at most \(framesMax); try a "
                    + "lower --rate, a higher --speed, or a part by --from and --to")
        }
        return Int(count)
    }

    /// WebP, `rate` frames a second, the recording `speed` times as fast. No loops mean for ever.
    package func animation(
        from: Double, to: Double, rate: Double, speed: Double, loops: Int, quality: Double
    ) throws(PictureError) -> [UInt8] {
        let count = try Self.frames(from: from, to: to, rate: rate, speed: speed)
        let size = Size(
            viewport.width + 2 * Self.margin,
            viewport.height + 2 * Self.margin
                + (hasCaptions ? Self.captionHeight - Self.margin + 4 : 0))
        let canvas = try canvas(size, isVector: false)
        let film = try Reel(like: canvas, loops: loops, quality: quality)
        var projector = Projector(self.film)
        for frame in 0..<count {
            let time = from + Double(frame) / rate * speed * 1_000
            projector.advance(to: time)
            canvas.fill(.box(0, 0, size.width, size.height), theme.background)
            canvas.saved {
                canvas.translate(Self.margin, Self.margin)
                drawPhone(scenery(at: time, in: projector), ghosts: [], canvas)
            }
            if hasCaptions {
                drawCaption(
                    at: time, below: size.height - Self.captionHeight, width: size.width, canvas)
            }
            try film.add(canvas, milliseconds: Int((Double(frame) / rate * 1_000).rounded()))
        }
        return try film.encoded(milliseconds: Int((Double(count) / rate * 1_000).rounded()))
    }
}
