import Notation

// The cards that are shown: the scene's, or those that `present` brought.

extension Tips {
    /// Bytes of the cards that `present` may bring, as JSON: they are stored with the session.
    package static let presentedBytesMax = 16 * 1_024

    typealias Card = TipsParameters.Tip

    var cards: [Card] {
        // The operator `??` would copy all parameters for its second side.
        if let broughtCards { return broughtCards }
        return parameters.tips
    }

    /// The highest index, 0 without cards.
    var lastIndex: Int { max(0, cards.count - 1) }

    package var bulk: Bulk { broughtCards?.bulk ?? Bulk() }

    /// The argument `tips` of a command; nil: it has none. `room` is what the session's other
    /// components leave.
    static func cards(in command: ComponentCommand, room: Bulk) throws(Rejection) -> [Card]? {
        try command.read { (table) throws(TableError) in
            guard let node = table.node("tips") else { return nil }
            var list: [Card] = []
            var reading = ParameterTable(reading: table)
            try reading.tables("tips", &list, called: "tip", count: 0...tipsMax)
            guard node.jsonBytes <= presentedBytesMax else {
                throw table.error("tips", "must have at most \(presentedBytesMax) bytes")
            }
            if let excess = list.bulk.excess(of: room) {
                throw table.error("tips", "a session has at most \(excess)")
            }
            return list
        }
    }

    /// Shows other cards; the index stays where it can.
    mutating func bring(_ cards: [Card]?, into effects: inout Effects) {
        guard cards != broughtCards else { return }
        let former = leavingPage(.cancelled)
        broughtCards = cards
        cardsChanged(after: former, into: &effects)
        effects.needsPublish = true
    }

    /// The page that the leaving tip turns; nil: none leaves, or none follows.
    func leavingPage(_ event: Transition.Event) -> Transition? {
        leavingSide.flatMap { page($0, event) }
    }

    /// The cards are others now: tells if the tip that leaves is followed by another one. `former`
    /// is the cancelled page of before.
    mutating func cardsChanged(after former: Transition?, into effects: inout Effects) {
        index = min(index, lastIndex)
        let next = leavingPage(.began)
        guard former?.from != next?.from || former?.to != next?.to else { return }
        effects.append(former)
        effects.append(next)
    }

    private var leavingSide: Side? {
        if case .leaving(let exit, _) = state { exit.side } else { nil }
    }
}

extension [TipsParameters.Tip] {
    /// Their share of a session's bounds, where `present` brought them.
    fileprivate var bulk: Bulk {
        var bulk = Bulk()
        bulk.cardBytes = reduce(0) { $0 + $1.bytes }
        return bulk
    }

    /// Whether decoded cards could have come with a command.
    var areSound: Bool {
        guard !isEmpty, count <= Tips.tipsMax else { return false }
        let bytes = reduce(0) { $0 + Node(encoding: $1).jsonBytes }
        // Members that a command leaves out are written; so are commas.
        return bytes <= Tips.presentedBytesMax + count * 64
            && allSatisfy(\.isSound)
    }
}

extension TipsParameters.Tip {
    fileprivate var isSound: Bool {
        let texts = [title.longestBytes, summary.longestBytes, image?.utf8.count ?? 0]
        return texts.allSatisfy { $0 <= TableReader.textBytesMax }
            && (content.map { $0.members != nil } ?? true)
    }

    /// The bytes that it takes in memory, about.
    fileprivate var bytes: Int {
        let texts = title.byteCount + summary.byteCount + (image?.utf8.count ?? 0)
        let values = 1 + (content?.valueCount ?? 0)
        return texts + (content?.jsonBytes ?? 0) + Limits.valueBytes * values
    }
}
