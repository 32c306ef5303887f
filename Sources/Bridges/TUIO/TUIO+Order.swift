/// The order of a frame's messages within one packet.
extension TUIO {
    /// The messages of a packet in the order in which a frame is gathered: `frm` begins one of 2.0,
    /// and what ends a frame, `alv` or `fseq`, comes last.
    ///
    /// A bundle holds at one instant, and some trackers write its messages in another order. Where
    /// a packet has several frames, each keeps its own messages.
    static func inOrder(_ messages: [OSCMessage]) -> [OSCMessage] {
        let isOneFrame = messages.count(where: \.isHead) == 1
        let cursorEndCount = messages.count { $0.isNumber && $0.isOfCursors }
        let objectEndCount = messages.count { $0.isNumber && !$0.isOfCursors }
        var ordered: [OSCMessage] = []
        var ends: [OSCMessage] = []
        for message in messages {
            if message.isHead, isOneFrame {
                let place = ordered.firstIndex(where: \.isOfSecond) ?? ordered.count
                ordered.insert(message, at: place)
            } else if message.isHead {
                ordered += ends
                ends = []
                ordered.append(message)
            } else if message.isEnd
                || message.isNumber
                    && (message.isOfCursors ? cursorEndCount : objectEndCount) == 1
            {
                ends.append(message)
            } else {
                ordered.append(message)
            }
        }
        return ordered + ends
    }
}

extension OSCMessage {
    /// Whether it is of TUIO 2.0.
    fileprivate var isOfSecond: Bool { address.hasPrefix("/tuio2/") }
    fileprivate var isHead: Bool { address == "/tuio2/frm" }
    fileprivate var isEnd: Bool { address == "/tuio2/alv" }
    fileprivate var isOfCursors: Bool { address == "/tuio/2Dcur" }
    /// Whether it ends a frame of TUIO 1.1.
    fileprivate var isNumber: Bool {
        (isOfCursors || address == "/tuio/2Dobj") && arguments.first?.text == "fseq"
    }
}
