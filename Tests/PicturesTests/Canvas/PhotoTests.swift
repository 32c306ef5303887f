import Foundation
import Geometry
import Testing

@testable import Pictures

@Suite struct PhotoTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Clients/web/images").standardized

    private static func bytes(_ name: String) -> [UInt8]? {
        (try? Data(contentsOf: folder.appendingPathComponent(name))).map { Array($0) }
    }

    @Test(arguments: ["coast.webp", "a-1.webp", String(repeating: "a", count: 60) + ".webp"])
    func theseAreNames(name: String) { #expect(Photos.isName(name)) }

    @Test(arguments: [
        "", ".webp", "coast", "coast.png", "../coast.webp", "a/b.webp", "Coast.webp", "a b.webp",
        "-a.webp", "a.b.webp", String(repeating: "a", count: 61) + ".webp",
    ])
    func theseAreNot(name: String) { #expect(!Photos.isName(name)) }

    /// Each photo that comes with the page is one, and small.
    @Test func ourOwnCanBeDrawn() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(names.count >= 12)
        let photos = Photos(reading: Self.bytes)
        for name in names {
            #expect(photos.named(name) != nil, "\(name)")
            #expect(try #require(Self.bytes(name)).count <= 12 * 1_024, "\(name)")
        }
    }

    @Test func oneIsReadOnceAndOthersAreRefused() {
        var asked: [String] = []
        let photos = Photos { name in
            asked.append(name)
            return name == "ada.webp" ? Self.bytes(name) : Array("RIFF no photo".utf8)
        }
        for _ in 0..<3 {
            #expect(photos.named("ada.webp") != nil)
            #expect(photos.named("none.webp") == nil)
            #expect(photos.named("../ada.webp") == nil)
        }
        #expect(asked == ["ada.webp", "none.webp"])
        for number in 0..<200 { _ = photos.named("n\(number).webp") }
        #expect(asked.count == Photos.namesMax)
    }

    @Test func itCoversItsBoxInItsOwnProportions() throws {
        let canvas = try Canvas(Size(40, 20), scale: 1)
        canvas.fill(.box(0, 0, 40, 20), .white)
        let photo = try #require(Self.bytes("ada.webp").flatMap { Photo($0) })
        canvas.saved {
            canvas.translate(10, 5)
            canvas.draw(photo, covering: Size(20, 10))
        }
        for (x, y) in [(9, 10), (31, 10), (20, 4), (20, 16)] {
            #expect(canvas.color(x: x, y: y) == .white, "\(x), \(y)")
        }
        for (x, y) in [(10, 5), (29, 14), (10, 14), (29, 5)] {
            #expect(canvas.color(x: x, y: y) != .white, "\(x), \(y)")
        }
    }
}
