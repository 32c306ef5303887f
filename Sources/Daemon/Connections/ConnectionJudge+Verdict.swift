extension ConnectionJudge {
    /// A connection that brings or leaves too much, and what it is.
    enum Verdict: Equatable {
        case handshakeTooLarge(CInt)
        case tooManyHandshakes(CInt)
        case tooManySubscriptions(CInt)
        case tooManyUpdatesUnread(CInt)
        case unfinishedMessage(CInt)
        case tooManyUnfinishedBytes(CInt)

        var descriptor: CInt {
            switch self {
            case .handshakeTooLarge(let descriptor), .tooManyHandshakes(let descriptor),
                .tooManySubscriptions(let descriptor), .tooManyUpdatesUnread(let descriptor),
                .unfinishedMessage(let descriptor), .tooManyUnfinishedBytes(let descriptor):
                descriptor
            }
        }

        var reason: ConnectionCutter.Reason {
            switch self {
            case .handshakeTooLarge: .handshakeTooLarge
            case .tooManyHandshakes: .tooManyHandshakes
            case .tooManySubscriptions: .tooManySubscriptionsSent
            case .tooManyUpdatesUnread: .tooManyUpdatesUnread
            case .unfinishedMessage: .unfinishedMessage
            case .tooManyUnfinishedBytes: .tooManyUnfinishedBytes
            }
        }
    }
}
