package import Geometry

extension ByteBuffer {
    /// A view as a member of an object.
    package mutating func member(
        _ name: StaticString, _ view: ViewState, cutFloor: Int = 0, isFirst: Bool
    ) {
        let most = name.utf8CodeUnitCount &+ 4 &+ Self.viewBytesMax
        unsafe write(atMost: most) { [digits] start in
            unsafe digits.view(
                view, cutFloor: cutFloor, at: memberName(name, isFirst: isFirst, at: start))
        }
    }

    /// A view as `{"x","y","w","h","rotation","scale","alpha","z","cut"}`; no `cut` where it is 0.
    /// `cutFloor` is added to its own.
    package mutating func json(_ view: ViewState, cutFloor: Int = 0) {
        unsafe write(atMost: Self.viewBytesMax) { [digits] start in
            unsafe digits.view(view, cutFloor: cutFloor, at: start)
        }
    }

    /// Bytes of a view: the text between the numbers, 80 bytes, and nine numbers.
    private static let viewBytesMax = 128 + 9 * Digits.bytesMax
}

extension Digits {
    /// Unsafe: fills lent memory.
    @inline(__always)
    fileprivate func view(_ view: ViewState, cutFloor: Int, at start: Place) -> Place {
        var place = unsafe piece("{\"x\":", at: start)
        unsafe place = points(view.center.x, at: place)
        unsafe place = piece(",\"y\":", at: place)
        unsafe place = points(view.center.y, at: place)
        unsafe place = piece(",\"w\":", at: place)
        unsafe place = points(view.size.width, at: place)
        unsafe place = piece(",\"h\":", at: place)
        unsafe place = points(view.size.height, at: place)
        if view.rotation == 0 && view.scale == 1 && view.alpha == 1 {
            // Most views are in this state most of the time.
            unsafe place = piece(
                ",\"rotation\":0,\"scale\":1,\"alpha\":1,\"z\":", at: place)
        } else {
            unsafe place = piece(",\"rotation\":", at: place)
            unsafe place = radians(view.rotation, at: place)
            unsafe place = piece(",\"scale\":", at: place)
            unsafe place = fine(view.scale, at: place)
            unsafe place = piece(",\"alpha\":", at: place)
            unsafe place = fine(view.alpha, at: place)
            unsafe place = piece(",\"z\":", at: place)
        }
        unsafe place = signed(view.z, at: place)
        let cut = view.cut + cutFloor
        if cut != 0 {
            unsafe place = piece(",\"cut\":", at: place)
            unsafe place = signed(cut, at: place)
        }
        unsafe place.pointee = UInt8(ascii: "}")
        return unsafe place + 1
    }
}

/// Unsafe: copies a literal into lent memory.
@inline(__always)
func piece(
    _ text: StaticString, at place: UnsafeMutablePointer<UInt8>
) -> UnsafeMutablePointer<UInt8> {
    unsafe UnsafeMutableRawPointer(place).copyMemory(
        from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    return unsafe place + text.utf8CodeUnitCount
}
