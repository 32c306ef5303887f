/// A device of a single contact: a pen, an old touchscreen, or a tablet of a virtual machine.
struct SingleDecoder: ContactDecoder {
    var screen: Screen
    /// The code that says whether it touches; above 0 it does.
    let sign: InputEvent.Code
    private let key: Int
    private var x: Int?
    private var y: Int?
    private var isTouching = false
    /// Since the last report.
    private var (hasMoved, hasLanded, hasLifted) = (false, false, false)
    private var isLost = false
    private var pens = Pens()
    /// A pen left the range while it touched: it has lifted, whether the device says so or not.
    private var hasLeft = false
    /// Whether it has touched at any time: only a pen that never does is told to hover.
    private var hasTouched = false

    /// The last place that the device told; nil before it told both coordinates.
    var place: ContactLog.Place? { screen.place(x, y) }

    init(device: Int, screen: Screen, sign: InputEvent.Code = .touch) {
        self.screen = screen
        self.sign = sign
        key = device << ContactKey.deviceShift
    }

    mutating func read(
        _ event: InputEvent, into log: inout ContactLog, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        if pens.read(event), isTouching { leave() }
        switch event.code {
        case .singleX, .singleY:
            try screen.check(event, diagnostics)
            if event.code == .singleX { x = event.value } else { y = event.value }
            hasMoved = true
        case sign where !isLost:
            // A pressure changes while it goes on; a key tells each change, and only these.
            let isDown = event.value > 0
            if isDown != isTouching || sign != .pressure { touch(isDown) }
        case .dropped:
            isTouching = false
            isLost = true
            try log.cancel(key, isLost: true, event.microseconds, event.line, diagnostics)
        case .report:
            if !isLost { try report(event, into: &log, diagnostics) }
            (hasMoved, hasLanded, hasLifted) = (false, false, false)
            isLost = false
        default: break
        }
    }

    private mutating func touch(_ isDown: Bool) {
        if isDown {
            (isTouching, hasLanded, hasTouched, hasLeft) = (true, true, true, false)
        } else {
            isTouching = false
            // The device may say late what its pen's leaving has said already.
            if !hasLeft { hasLifted = true }
            hasLeft = false
        }
    }

    /// The kernel keeps `BTN_TOUCH` where a device forgets it, so only a new one lands again.
    private mutating func leave() { (isTouching, hasLifted, hasLeft) = (false, true, true) }

    private func report(
        _ event: InputEvent, into log: inout ContactLog, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        let place = screen.place(x, y)
        if log.isDown(key) {
            if hasLifted {
                // Where another contact lands in the same report, the place is that one's.
                try log.end(
                    key, at: isTouching ? nil : place, event.microseconds, event.line, diagnostics)
            } else if hasMoved, let place {
                try log.move(key, to: place, event.microseconds, event.line, diagnostics)
            }
            if !hasLifted || !isTouching { return }
        }
        guard isTouching || hasLanded, let place else {
            if hasLifted { log.miss(key, pointer: 0, event.line) }
            if pens.areHovering, !hasTouched { log.hover(key, pointer: 0, event.line) }
            return
        }
        try log.begin(key, at: place, event.microseconds, event.line, diagnostics)
        // The contact came and went between two reports.
        if !isTouching { try log.end(key, event.microseconds, event.line, diagnostics) }
    }
}
