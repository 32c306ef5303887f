import CPictures
import Geometry

/// The photos that content names, as `coast.webp`; each is read once, when it is first drawn.
package final class Photos {
    /// Bytes of one photo: a page loads a dozen of them at once.
    package static let bytesMax = 256 * 1_024
    /// Pixels of one side: two for each point of a large place.
    package static let sideMax = 2_048
    /// Names that are asked for: a hostile scene could bring any number.
    package static let namesMax = 64

    /// The file of a name; nil: there is none.
    private let read: (String) -> [UInt8]?
    /// Nil: it is no photo.
    private var known: [String: Photo?] = [:]

    package init(reading read: @escaping (String) -> [UInt8]?) { self.read = read }

    /// Whether a name is that of a file, and of nothing that leads elsewhere: small letters, digits
    /// and hyphens, at most 60, and `.webp`.
    package static func isName(_ name: String) -> Bool {
        guard name.hasSuffix(".webp") else { return false }
        let stem = name.utf8.dropLast(".webp".utf8.count)
        guard (1...60).contains(stem.count), stem.first != UInt8(ascii: "-") else { return false }
        return stem.allSatisfy { letter in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(letter)
                || letter == UInt8(ascii: "-")
        }
    }

    func named(_ name: String) -> Photo? {
        if let found = known[name] { return found }
        guard Self.isName(name), known.count < Self.namesMax else { return nil }
        let photo = read(name).flatMap { $0.count <= Self.bytesMax ? Photo($0) : nil }
        known[name] = .some(photo)
        return photo
    }
}

/// Pixels that can be drawn. It owns a handle of the C library.
@safe
final class Photo {
    private let handle: OpaquePointer

    /// Nil: the bytes are no WebP, or a side of it is too long.
    init?(_ bytes: [UInt8]) {
        guard let handle = unsafe gp_photo_new(bytes, bytes.count, Int32(Photos.sideMax)) else {
            return nil
        }
        unsafe self.handle = handle
    }

    deinit { unsafe gp_photo_free(handle) }

    fileprivate func draw(on canvas: OpaquePointer, _ size: Size) {
        unsafe gp_photo_draw(canvas, handle, size.width, size.height)
    }
}

extension Canvas {
    /// Covers a box from the origin on.
    func draw(_ photo: Photo, covering size: Size) {
        unsafe withHandle { unsafe photo.draw(on: $0, size) }
    }
}
