/// A device without slots, until its first report with a place: protocol A ends each contact of it,
/// and a device that does not has a single contact.
struct UndecidedDecoder: ContactDecoder {
    /// Events that wait for the decision; a device's state at its opening has some ten.
    private static let waitingMax = 64

    var screen: Screen {
        didSet { decided?.screen = screen }
    }
    private let device: Int
    private var waiting: [InputEvent] = []
    private var decided: (any ContactDecoder)?

    init(device: Int, screen: Screen) {
        self.device = device
        self.screen = screen
    }

    mutating func read(
        _ event: InputEvent, into log: inout ContactLog, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        if decided != nil {
            try decided?.read(event, into: &log, diagnostics)
            return
        }
        if waiting.count == Self.waitingMax { waiting.removeFirst() }
        waiting.append(event)
        if event.code == .contactEnd {
            decided = ListDecoder(device: device, screen: screen)
        } else if event.code == .report, waiting.contains(where: { [.x, .y].contains($0.code) }) {
            decided = SlotDecoder(device: device, screen: screen, sign: .touch)
        } else {
            return
        }
        let all = waiting
        waiting = []
        for event in all { try decided?.read(event, into: &log, diagnostics) }
    }
}
