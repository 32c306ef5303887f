import CPictures

/// An animation that is being encoded. It owns a handle of the C library.
@safe
final class Reel {
    private let handle: OpaquePointer

    init(like canvas: Canvas, loops: Int, quality: Double) throws(PictureError) {
        let made = unsafe canvas.withPixels { (_, width, height, _) -> OpaquePointer? in
            unsafe gp_film_new(width, height, Int32(loops), quality)
        }
        guard let handle = unsafe made ?? nil else {
            throw PictureError("no memory for an animation")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe gp_film_free(handle) }

    func add(_ canvas: Canvas, milliseconds: Int) throws(PictureError) {
        let isGood = unsafe canvas.withPixels { data, _, _, stride in
            unsafe gp_film_add(handle, data, stride, Int32(milliseconds)) == 1
        }
        if isGood != true { throw PictureError("a frame could not be encoded") }
    }

    /// The whole file; the last frame is shown up to a time.
    func encoded(milliseconds: Int) throws(PictureError) -> [UInt8] {
        guard unsafe gp_film_end(handle, Int32(milliseconds)) == 1 else {
            throw PictureError("the animation could not be encoded")
        }
        var count = 0
        guard let bytes = unsafe gp_film_data(handle, &count) else {
            throw PictureError("the animation is empty")
        }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}
