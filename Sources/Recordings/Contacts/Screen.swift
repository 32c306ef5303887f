import Protocol

/// Maps a device's units to points.
struct Screen {
    let x: ClosedRange<Int>
    let y: ClosedRange<Int>
    /// The place of the screen's corner, in points.
    private let corner: ContactLog.Place
    /// Points of a unit of each axis.
    private let scale: (x: Double, y: Double)
    /// The last place within the viewport, as places are written; nil: the screen need not fit.
    private let last: ContactLog.Place?

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
        self.scale = (fit, fit)
        // The right and bottom edges of a viewport are outside.
        last =
            scale != nil
            ? nil
            : ContactLog.Place(
                x: viewport.width - ContactLog.Place.step,
                y: viewport.height - ContactLog.Place.step)
    }

    /// The whole screen is 0 … 1 along each axis: a touchscreen's units are seldom square.
    init(unitOf x: ClosedRange<Int>, _ y: ClosedRange<Int>) {
        (self.x, self.y) = (x, y)
        corner = ContactLog.Place(x: 0, y: 0)
        last = nil
        // The last unit lies within: the right and bottom edges of a viewport are outside.
        scale = (
            1 / Double(x.upperBound - x.lowerBound + 1), 1 / Double(y.upperBound - y.lowerBound + 1)
        )
    }

    /// Throws where an event gives a place that no gesture can have.
    func check(_ event: InputEvent, _ diagnostics: Diagnostics) throws(RecordingError) {
        let isAcross = [.x, .singleX].contains(event.code)
        let place = isAcross ? place(event.value, y.lowerBound) : place(x.lowerBound, event.value)
        try diagnostics.check(place, event.line)
    }

    func place(_ x: Int, _ y: Int) -> ContactLog.Place {
        var place = ContactLog.Place(
            x: corner.x + Double(x - self.x.lowerBound) * scale.x,
            y: corner.y + Double(y - self.y.lowerBound) * scale.y)
        guard let last else { return place }
        // A place beside the screen stays there.
        if x <= self.x.upperBound { place.x = min(place.x, last.x) }
        if y <= self.y.upperBound { place.y = min(place.y, last.y) }
        return place
    }

    /// Nil while a coordinate is not known yet.
    func place(_ x: Int?, _ y: Int?) -> ContactLog.Place? {
        guard let x, let y else { return nil }
        return place(x, y)
    }
}
