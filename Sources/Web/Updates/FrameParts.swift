import Protocol

/// The parts of a frame's body, as places in the bytes of its message.
struct FrameParts {
    struct State {
        var component: Range<Int>
        var text: Range<Int>
    }

    let bytes: [UInt8]
    private(set) var epoch = 0..<0
    private(set) var seq = 0
    /// The `seq` of the first frame within.
    private(set) var since = 0
    private(set) var time = 0..<0
    private(set) var states: [State] = []
    private(set) var transitions: [Range<Int>] = []
    private(set) var badge: Range<Int>?
    private(set) var variables: Range<Int>?
    private(set) var touches: Range<Int>?

    /// Reads the text once. Nil: it is no frame, or one with rows, which stands by itself: rows
    /// come seldom, and are large.
    init?(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        var (seqText, sinceText) = (0..<0, 0..<0)
        var (hasStates, hasRows) = (false, false)
        do throws(JSONScanner.Flaw) {
            try JSONScanner.walk(bytes, in: range) { (name, scanner) throws(JSONScanner.Flaw) in
                let name = bytes[name]
                if name.elementsEqual("states".utf8) {
                    hasStates = true
                    try scanner.walkList { (scanner) throws(JSONScanner.Flaw) in
                        states.append(try Self.state(&scanner, bytes))
                    }
                } else if name.elementsEqual("transitions".utf8) {
                    try scanner.walkList { (scanner) throws(JSONScanner.Flaw) in
                        transitions.append(try scanner.skipValue())
                    }
                } else {
                    let value = try scanner.skipValue()
                    if name.elementsEqual("epoch".utf8) { epoch = value }
                    if name.elementsEqual("t".utf8) { time = value }
                    if name.elementsEqual("badge".utf8) { badge = value }
                    if name.elementsEqual("variables".utf8) { variables = value }
                    if name.elementsEqual("touches".utf8) { touches = value }
                    if name.elementsEqual("rows".utf8) { hasRows = true }
                    if name.elementsEqual("seq".utf8) { seqText = value }
                    if name.elementsEqual("since".utf8) { sinceText = value }
                }
            }
        } catch {
            return nil
        }
        guard hasStates, !hasRows, !epoch.isEmpty, !time.isEmpty,
            let seq = Self.number(bytes[seqText])
        else { return nil }
        self.seq = seq
        since = Self.number(bytes[sinceText]) ?? seq
    }

    private static func state(
        _ scanner: inout JSONScanner, _ bytes: [UInt8]
    ) throws(JSONScanner.Flaw) -> State {
        let start = scanner.position
        var component: Range<Int>?
        try scanner.walkObject { (name, scanner) throws(JSONScanner.Flaw) in
            let value = try scanner.skipValue()
            if component == nil, bytes[name].elementsEqual("component".utf8) { component = value }
        }
        guard let component else { throw JSONScanner.Flaw(message: "no component", place: start) }
        return State(component: component, text: start..<scanner.position)
    }

    /// The largest number of a frame: all clients can tell so many apart.
    private static let numberMax = 1 << 53

    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
        Int(String(decoding: text, as: UTF8.self)).flatMap { 0...numberMax ~= $0 ? $0 : nil }
    }
}
