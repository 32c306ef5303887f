/// Makes contacts of the events of one device.
protocol ContactDecoder: Sendable {
    /// Where the device's units lie; a live device gets another one when its viewport changes.
    var screen: Screen { get set }

    /// Reads the device's next event. A complete report goes into the log.
    mutating func read(
        _ event: InputEvent, into log: inout ContactLog, _ diagnostics: Diagnostics
    ) throws(RecordingError)
}

/// The keys under which the log knows contacts.
enum ContactKey {
    /// The bits of a contact; those above are of its device.
    static let deviceShift = 33

    static func device(of key: Int) -> Int { key >> deviceShift }
}

/// The tools of `ABS_MT_TOOL_TYPE` that matter here, as `linux/input.h` numbers them.
enum ToolType {
    static let finger = 0
    static let palm = 2
}

/// The pens of a device that are in its range, and whether one touches.
///
/// A pen is in range from `BTN_TOOL_PEN` on, or from a code of its siblings, such as a rubber. It
/// hovers there until `BTN_TOUCH`.
struct Pens: Sendable {
    private var inRange: Set<Int> = []
    private var isTouching = false

    var areHovering: Bool { !inRange.isEmpty && !isTouching }

    /// Reads an event of any code; returns whether the last pen left the range with it.
    @discardableResult
    mutating func read(_ event: InputEvent) -> Bool {
        switch event.code {
        case .touch:
            isTouching = event.value != 0
            return false
        case .pen(let tool) where event.value != 0:
            inRange.insert(tool)
            return false
        case .pen(let tool): return inRange.remove(tool) != nil && inRange.isEmpty
        default: return false
        }
    }
}
