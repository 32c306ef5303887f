/// Names of sessions: each a name, or the beginning of names with `*` behind it.
package struct SessionPatterns: Hashable, Sendable {
    private struct Pattern: Hashable {
        let bytes: [UInt8]
        let isPrefix: Bool
    }

    /// As they were written.
    package let texts: [String]
    private let patterns: [Pattern]
    /// Whether one of them is `*`.
    package let areAll: Bool

    /// No name.
    package static let none = SessionPatterns([])
    /// Every name.
    package static let all = SessionPatterns(["*"])

    /// The texts are checked already.
    package init(_ texts: [String]) {
        self.texts = texts
        patterns = texts.map { text in
            let isPrefix = text.hasSuffix("*")
            return Pattern(
                bytes: Array((isPrefix ? text.dropLast() : text[...]).utf8), isPrefix: isPrefix)
        }
        areAll = patterns.contains { $0.isPrefix && $0.bytes.isEmpty }
    }

    /// Whether there is none.
    package var isEmpty: Bool { patterns.isEmpty }

    /// Whether a session's name is one of them.
    package func match(_ name: String) -> Bool { match(name.utf8) }

    /// The same of a name's bytes, where they are. It allocates nothing.
    package func match(_ name: some Collection<UInt8>) -> Bool {
        if areAll { return true }
        let count = name.count
        return patterns.contains { pattern in
            guard pattern.isPrefix ? count >= pattern.bytes.count : count == pattern.bytes.count
            else { return false }
            return name.starts(with: pattern.bytes)
        }
    }

    /// Whether a name that begins so may be one of them.
    package func matchBeginning(_ beginning: String) -> Bool {
        let beginning = Array(beginning.utf8)
        return patterns.contains { pattern in
            pattern.bytes.starts(with: beginning)
                || (pattern.isPrefix && beginning.starts(with: pattern.bytes))
        }
    }
}

/// The rights of a client.
package struct Grant: Hashable, Sendable {
    /// Requests that it may make.
    package enum Control: String, Hashable, Sendable, CaseIterable {
        /// `hello` alone.
        case none
        /// Those about sessions that it may publish to, or read.
        case own
        case all
    }

    /// Sessions to which it may publish events.
    package var publish: SessionPatterns
    package var control: Control
    /// Sessions whose updates it may read.
    package var read: SessionPatterns
    /// Whether it may know the contacts that are down in them, and their users.
    package var touches: Bool
    /// Sessions whose events it may tap, with what became of them and who sent them.
    package var tap: SessionPatterns
    /// The endpoints of its group of readers; none: the system chooses a port.
    package var updates: [String]

    /// Everything: the rights of a key where the configuration has no table of a client.
    package static let everything = Grant(publish: .all, control: .all, read: .all, tap: .all)

    package init(
        publish: SessionPatterns = .none, control: Control = .none, read: SessionPatterns = .none,
        touches: Bool = true, tap: SessionPatterns = .none, updates: [String] = []
    ) {
        self.publish = publish
        self.control = control
        self.read = read
        self.touches = touches
        self.tap = tap
        self.updates = updates
    }

    /// Whether nothing is refused to it.
    package var isEverything: Bool {
        publish.areAll && control == .all && readsEverything && tap.areAll
    }

    /// Whether it may read all updates.
    package var readsEverything: Bool { read.areAll && touches }
}
