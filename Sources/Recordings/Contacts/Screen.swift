import Protocol

/// Maps a device's units to points.
struct Screen {
    let x: ClosedRange<Int>
    let y: ClosedRange<Int>
    /// The place of the screen's corner, in points.
    private let corner: ContactLog.Place
    /// The way of one unit of each axis, in points.
    private let right: ContactLog.Place
    private let down: ContactLog.Place

    /// Both axes have one scale, so that a circle stays a circle.
    ///
    /// `scale` is points of a unit, from the viewport's corner; nil: the whole screen fits into the
    /// middle of the viewport.
    init(
        x: ClosedRange<Int>, y: ClosedRange<Int>, viewport: (width: Double, height: Double),
        scale: Double?
    ) {
        (self.x, self.y) = (x, y)
        let (width, height) = (
            Double(x.upperBound - x.lowerBound), Double(y.upperBound - y.lowerBound)
        )
        let fit = scale ?? min(viewport.width / width, viewport.height / height)
        corner =
            scale != nil
            ? ContactLog.Place(x: 0, y: 0)
            : ContactLog.Place(
                x: (viewport.width - width * fit) / 2, y: (viewport.height - height * fit) / 2)
        right = ContactLog.Place(x: fit, y: 0)
        down = ContactLog.Place(x: 0, y: fit)
    }

    /// The screen covers the whole viewport, each axis with its own scale: a touchscreen's units
    /// are seldom square.
    init(
        x: ClosedRange<Int>, y: ClosedRange<Int>, filling viewport: (width: Double, height: Double),
        turned turn: ScreenTurn
    ) {
        (self.x, self.y) = (x, y)
        // The last unit lies within the viewport, whose right and bottom edges are outside.
        let across = Double(x.upperBound - x.lowerBound + 1)
        let along = Double(y.upperBound - y.lowerBound + 1)
        let (width, height) = viewport
        switch turn {
        case .none:
            corner = ContactLog.Place(x: 0, y: 0)
            right = ContactLog.Place(x: width / across, y: 0)
            down = ContactLog.Place(x: 0, y: height / along)
        case .quarter:
            corner = ContactLog.Place(x: width, y: 0)
            right = ContactLog.Place(x: 0, y: height / across)
            down = ContactLog.Place(x: -width / along, y: 0)
        case .half:
            corner = ContactLog.Place(x: width, y: height)
            right = ContactLog.Place(x: -width / across, y: 0)
            down = ContactLog.Place(x: 0, y: -height / along)
        case .threeQuarters:
            corner = ContactLog.Place(x: 0, y: height)
            right = ContactLog.Place(x: 0, y: -height / across)
            down = ContactLog.Place(x: width / along, y: 0)
        }
    }

    /// Throws where an event gives a place that no gesture can have.
    func check(_ event: InputEvent, _ diagnostics: Diagnostics) throws(RecordingError) {
        let isAcross = [.x, .singleX].contains(event.code)
        let place = isAcross ? place(event.value, y.lowerBound) : place(x.lowerBound, event.value)
        try diagnostics.check(place, event.line)
    }

    func place(_ x: Int, _ y: Int) -> ContactLog.Place {
        let (units, lines) = (Double(x - self.x.lowerBound), Double(y - self.y.lowerBound))
        return ContactLog.Place(
            x: corner.x + units * right.x + lines * down.x,
            y: corner.y + units * right.y + lines * down.y)
    }

    /// Nil while a coordinate is not known yet.
    func place(_ x: Int?, _ y: Int?) -> ContactLog.Place? {
        guard let x, let y else { return nil }
        return place(x, y)
    }
}

/// How a touch panel is mounted, clockwise, as seen from before the picture that it covers.
package enum ScreenTurn: Int, Sendable, CaseIterable {
    case none = 0
    case quarter = 90
    case half = 180
    case threeQuarters = 270
}
