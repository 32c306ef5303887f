import Geometry
import Testing

@testable import Pictures

@Suite struct CanvasTests {
    @Test func aShapeIsFilledWhereItIs() throws {
        let canvas = try Canvas(Size(40, 40), scale: 1)
        canvas.fill(.box(0, 0, 40, 40), .white)
        canvas.fill(.box(10, 10, 20, 20, radius: 8), Color(0xff0000))
        expect(canvas, 20, 20, Color(0xff0000))
        expect(canvas, 20, 11, Color(0xff0000))
        expect(canvas, 10, 10, .white)
        expect(canvas, 9, 20, .white)
        canvas.fill(.circle(20, 20, 5), Color(0x0000ff))
        expect(canvas, 20, 16, Color(0x0000ff))
        expect(canvas, 15, 15, Color(0xff0000))
    }

    @Test func aGroupHasOneAlpha() throws {
        let canvas = try Canvas(Size(20, 20), scale: 1)
        canvas.fill(.box(0, 0, 20, 20), .white)
        canvas.grouped(alpha: 0.5) {
            canvas.fill(.box(0, 0, 20, 20), .black)
            canvas.fill(.box(5, 5, 10, 10), Color(0xff0000))
        }
        // The red covers the black before both become translucent.
        expect(canvas, 10, 10, Color(1, 0.5, 0.5))
        expect(canvas, 2, 2, Color(0.5, 0.5, 0.5))
    }

    @Test func aClipAndATransformEndWithTheirBody() throws {
        let canvas = try Canvas(Size(20, 20), scale: 1)
        canvas.saved {
            canvas.translate(10, 10)
            canvas.clip(.box(0, 0, 5, 5))
            canvas.fill(.box(-10, -10, 40, 40), .black)
        }
        expect(canvas, 12, 12, .black)
        #expect(canvas.color(x: 16, y: 16)?.alpha == 0)
        canvas.fill(.box(0, 0, 2, 2), .black)
        expect(canvas, 1, 1, .black)
    }

    @Test func textIsBlackWhereLettersAre() throws {
        let canvas = try Canvas(Size(100, 40), scale: 2)
        canvas.fill(.box(0, 0, 100, 40), .white)
        let text = Text("Hello", size: 20, weight: 700)
        let size = canvas.size(of: text)
        #expect((40...70).contains(size.width) && (18...32).contains(size.height))
        canvas.draw(text, at: Vector(10, 5), .black)
        var dark = 0
        for y in 0..<80 {
            for x in 0..<200 where canvas.color(x: x, y: y)?.isDark == true {
                dark += 1
                #expect((18...Int(2 * (12 + size.width))).contains(x))
            }
        }
        #expect((400...4_000).contains(dark))
    }

    @Test func longWordsAreCut() throws {
        let canvas = try Canvas(Size(100, 40), scale: 1)
        let text = Text(String(repeating: "word ", count: 5_000), size: 12, width: 80, lines: 2)
        let size = canvas.size(of: text)
        #expect(size.width <= 80 && size.height < 40)
    }

    @Test(arguments: [(16_384.0, 1.0, 1.0), (10_000, 10_000, 1), (100, 100, 200), (0, 10, 1)])
    func noPictureIsLargerThanItsBounds(width: Double, height: Double, scale: Double) {
        #expect(throws: PictureError.self) { try Canvas(Size(width, height), scale: scale) }
    }

    @Test func aMatrixWithoutInverseEndsNothing() throws {
        let canvas = try Canvas(Size(10, 10), scale: 1)
        canvas.saved {
            canvas.rotate(1, scale: 0)
            canvas.fill(.box(0, 0, 10, 10), .black)
        }
        #expect(canvas.color(x: 5, y: 5)?.alpha == 0)
        canvas.fill(.box(0, 0, 10, 10), .black)
        expect(canvas, 5, 5, .black)
    }

    /// Cairo would stop for good at letters that FreeType refuses.
    @Test(arguments: [1.0, 10, 16, 80, 1_000, 99_999])
    func hugeLettersEndNothing(scale: Double) throws {
        for size in [1.0, 20, 1_000, 1e300] {
            let canvas = try Canvas(Size(10, 10), scale: 1)
            canvas.saved {
                canvas.scale(scale)
                let text = Text("Axg", size: size, width: 1e300, lines: 2)
                #expect(canvas.size(of: text).width.isFinite)
                canvas.draw(text, at: .zero, .black)
            }
            canvas.fill(.box(0, 0, 10, 10), Color(0xff0000))
            expect(canvas, 5, 5, Color(0xff0000))
            #expect(try !canvas.encoded().isEmpty)
        }
    }

    @Test func filesAreTheSameEachTime() throws {
        func bytes(isVector: Bool) throws -> [UInt8] {
            let canvas =
                isVector
                ? try Canvas(vector: Size(60, 60)) : try Canvas(Size(60, 60), scale: 1)
            canvas.grouped(alpha: 0.5) {
                canvas.fill(.circle(30, 30, 20), .fall(.white, .black, height: 60))
            }
            canvas.draw(Text("Hello", size: 12), at: Vector(5, 5), .black)
            return try canvas.encoded()
        }
        let png = try bytes(isVector: false)
        #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(try bytes(isVector: false) == png)
        // Cairo counts the surfaces of a process in an SVG: two processes give the same bytes.
        let svg = try bytes(isVector: true)
        #expect(String(decoding: svg, as: UTF8.self).contains("<svg"))
    }
}
