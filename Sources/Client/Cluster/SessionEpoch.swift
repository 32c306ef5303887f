/// One life of a session: `run` is the part before the dot, `number` counts within it.
package struct SessionEpoch: Hashable, Sendable {
    package var run: Substring
    package var number: UInt64

    /// Digits of a number: a longer one is no epoch.
    private static let digitsMax = 19

    /// Nil where the text is no epoch of a session: it has no dot, or no number behind it.
    package init?(_ text: String) {
        guard let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")), dot > text.startIndex
        else { return nil }
        let digits = text.utf8[text.utf8.index(after: dot)...]
        // UInt64 would take a sign.
        guard (1...Self.digitsMax).contains(digits.count), digits.allSatisfy(Self.isDigit),
            let number = UInt64(text[text.index(after: dot)...])
        else { return nil }
        run = text[..<dot]
        self.number = number
    }

    /// Whether updates of this epoch came late: of two epochs with the same run the greater number
    /// is later. Epochs of two runs have no order, and what is none is never late.
    package static func isLate(_ epoch: String, than other: String) -> Bool {
        guard let a = SessionEpoch(epoch), let b = SessionEpoch(other) else { return false }
        return a.isLate(than: b)
    }

    package func isLate(than other: SessionEpoch) -> Bool {
        run == other.run && number < other.number
    }

    /// Whether it is of a cluster, where the run is `<tag>-<shard>` on every member, and no run of
    /// a daemon.
    package static func isShared(_ epoch: String) -> Bool {
        guard let run = SessionEpoch(epoch)?.run.utf8,
            let dash = run.lastIndex(of: UInt8(ascii: "-"))
        else { return false }
        let shard = run[run.index(after: dash)...]
        return (1...4).contains(shard.count) && shard.allSatisfy(Self.isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
