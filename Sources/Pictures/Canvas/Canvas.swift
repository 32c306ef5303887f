import CPictures
package import Geometry

/// Why a picture cannot be made.
package struct PictureError: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) { self.message = message }
}

/// A surface of pixels or of vectors, and the brush on it. It owns a handle of the C library.
@safe
package final class Canvas {
    /// Pixels of one side; WebP has no more, cairo has 32,767.
    package static let sideMax = 16_383
    /// Pixels of a picture: 268 MB of memory.
    package static let pixelsMax = 67_108_864

    /// Points.
    package let size: Size
    package let isVector: Bool
    private var drawsText = true
    /// Whether texts that a grid of letters can show are noted in `texts` and not drawn.
    package var leavesText = false
    /// These, in the order of drawing.
    package private(set) var texts: [PlacedText] = []
    /// Those that content names; nil: there are none.
    package var photos: Photos?
    private let handle: OpaquePointer

    /// Pixels: `scale` of them are one point.
    package init(_ size: Size, scale: Double) throws(PictureError) {
        let (width, height) = try Self.pixels(of: size, scale: scale)
        guard let handle = unsafe gp_canvas_pixels(Int32(width), Int32(height), scale) else {
            throw PictureError("no memory for a picture of \(width)×\(height) pixels")
        }
        unsafe self.handle = handle
        self.size = size
        isVector = false
    }

    /// A vector drawing.
    package init(vector size: Size) throws(PictureError) {
        _ = try Self.pixels(of: size, scale: 1)
        guard let handle = unsafe gp_canvas_svg(size.width, size.height) else {
            throw PictureError("no memory for a drawing")
        }
        unsafe self.handle = handle
        self.size = size
        isVector = true
    }

    deinit { unsafe gp_canvas_free(handle) }

    /// The whole pixels of a size; throws where they exceed the bounds.
    package static func pixels(
        of size: Size, scale: Double
    ) throws(PictureError) -> (width: Int, height: Int) {
        let sides = [size.width, size.height].map { ($0 * scale).rounded(.up) }
        guard sides.allSatisfy({ $0 >= 1 && $0 <= Double(sideMax) }),
            sides[0] * sides[1] <= Double(pixelsMax)
        else {
            let words = sides.map { $0.isFinite ? "\(Int($0.bounded(by: 1e15)))" : "\($0)" }
            throw PictureError(
                "a picture of \(words.joined(separator: "×")) pixels is too large: at most "
                    + "\(sideMax) a side and \(pixelsMax) in all; try a smaller --scale")
        }
        return (Int(sides[0]), Int(sides[1]))
    }

    func withHandle(_ body: (OpaquePointer) -> Void) { unsafe body(handle) }

    // MARK: State

    /// Draws with a transform or clip that ends with the body.
    package func saved(_ body: () -> Void) {
        unsafe gp_save(handle)
        body()
        unsafe gp_restore(handle)
    }

    /// Draws as one, with one alpha.
    package func grouped(alpha: Double, _ body: () -> Void) {
        if alpha >= 1 { return body() }
        if alpha <= 0 { return }
        unsafe gp_group_begin(handle)
        body()
        unsafe gp_group_end(handle, alpha)
    }

    package func translate(_ x: Double, _ y: Double) {
        unsafe gp_transform(handle, 1, 0, 0, 1, x, y)
    }

    package func scale(_ k: Double) { stretch(k, k) }

    package func stretch(_ across: Double, _ down: Double) {
        unsafe gp_transform(handle, across, 0, 0, down, 0, 0)
    }

    /// Turns clockwise about the origin, and scales.
    package func rotate(_ angle: Double, scale k: Double = 1) {
        let (sine, cosine) = Angle.sineCosine(angle)
        unsafe gp_transform(handle, k * cosine, k * sine, -k * sine, k * cosine, 0, 0)
    }

    package func clip(_ shape: Shape) {
        trace(shape)
        unsafe gp_clip(handle)
    }

    // MARK: Shapes

    package func fill(_ shape: Shape, _ paint: Paint) {
        trace(shape)
        switch paint {
        case .color(let color): unsafe gp_fill(handle, color.c)
        case .linear(let from, let to, let stops):
            let stops = stops.map { gp_stop(at: $0.at, color: $0.color.c) }
            unsafe gp_fill_linear(handle, from.x, from.y, to.x, to.y, stops, stops.count)
        case .radial(let center, let radius, let stops):
            let stops = stops.map { gp_stop(at: $0.at, color: $0.color.c) }
            unsafe gp_fill_radial(handle, center.x, center.y, radius, stops, stops.count)
        }
    }

    package func fill(_ shape: Shape, _ color: Color) { fill(shape, .color(color)) }

    /// A positive `dash` is the length of the dashes and of the gaps.
    package func stroke(_ shape: Shape, _ color: Color, width: Double, dash: Double = 0) {
        trace(shape)
        unsafe gp_stroke(handle, width, color.c, dash)
    }

    private func trace(_ shape: Shape) {
        for step in shape.steps {
            switch step {
            case .move(let p): unsafe gp_move(handle, p.x, p.y)
            case .line(let p): unsafe gp_line(handle, p.x, p.y)
            case .curve(let a, let b, let p):
                unsafe gp_curve(handle, a.x, a.y, b.x, b.y, p.x, p.y)
            case .arc(let p, let radius, let from, let to):
                unsafe gp_arc(handle, p.x, p.y, radius, from, to)
            case .close: unsafe gp_close(handle)
            }
        }
    }

    // MARK: Text

    package func size(of text: Text) -> Size {
        let size = unsafe text.withC { unsafe gp_text_size(handle, &$0) }
        return Size(size.width, size.height)
    }

    /// Draws a text with its top left corner at a point.
    package func draw(_ text: Text, at point: Vector, _ color: Color) {
        guard drawsText else { return }
        if leavesText,
            let words = PlacedText(text, at: point, size(of: text), transform, color)
        {
            texts.append(words)
            return
        }
        unsafe text.withC { unsafe gp_text_draw(handle, &$0, point.x, point.y, color.c) }
    }

    /// Draws a text over what is there, with a rim of another color around its letters.
    package func draw(_ text: Text, at point: Vector, _ color: Color, halo: Color) {
        if !leavesText {
            for (across, down) in Self.rim { draw(text, at: point + Vector(across, down), halo) }
        }
        draw(text, at: point, color)
    }

    /// Steps around a letter, in points.
    private static let rim: [(Double, Double)] = [
        (-1.5, 0), (1.5, 0), (0, -1.5), (0, 1.5), (-1, -1), (1, -1), (-1, 1), (1, 1),
    ]

    /// Draws what the body draws, but for its texts.
    package func withoutText(_ body: () -> Void) {
        let former = drawsText
        drawsText = false
        body()
        drawsText = former
    }

    /// From the canvas's own points to its pixels.
    private var transform: PlacedText.Transform {
        var values = gp_matrix()
        unsafe gp_transform_get(handle, &values)
        return PlacedText.Transform(
            across: Vector(values.xx, values.yx), down: Vector(values.xy, values.yy),
            origin: Vector(values.x0, values.y0))
    }

    // MARK: Results

    /// The file of the picture: PNG, or SVG for vectors. Nothing can be drawn behind it.
    package func encoded() throws(PictureError) -> [UInt8] {
        var count = 0
        guard let bytes = unsafe gp_canvas_encode(handle, &count) else {
            throw PictureError("the picture could not be encoded")
        }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// The pixels, valid within the body; words of alpha, red, green and blue.
    package func withPixels<Result>(
        _ body: (_ pixels: UnsafePointer<UInt8>, _ width: Int32, _ height: Int32, _ stride: Int32)
            -> Result
    ) -> Result? {
        var (width, height, stride): (Int32, Int32, Int32) = (0, 0, 0)
        guard let data = unsafe gp_canvas_data(handle, &width, &height, &stride) else { return nil }
        return unsafe body(data, width, height, stride)
    }

    /// The color of one pixel, for tests; nil outside.
    package func color(x: Int, y: Int) -> Color? {
        unsafe withPixels { (data, width, height, stride) -> Color? in
            guard (0..<Int(width)).contains(x), (0..<Int(height)).contains(y) else { return nil }
            let pixel = unsafe data + y * Int(stride) + 4 * x
            return unsafe Color(
                Double(pixel[2]) / 255, Double(pixel[1]) / 255, Double(pixel[0]) / 255,
                alpha: Double(pixel[3]) / 255)
        } ?? nil
    }
}
