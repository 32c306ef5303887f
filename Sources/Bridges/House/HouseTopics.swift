import Notation

/// The topics of bridges at the broker. All begin with their prefix, `gestured` by default.
///
/// A session's names have no `/`, `+`, `#` or `$`, so they are levels as they stand. Topics of
/// all bridges have two levels, and those of one have three of which the last one ends no topic of
/// a session; so they meet no session.
package struct HouseTopics: Hashable, Sendable {
    /// Bytes of a prefix.
    package static let prefixBytesMax = 64
    /// Bytes of a topic that may be one of a bridge. The longest, that of a button of a menu for
    /// Home Assistant, has 860; MQTT allows 65,535.
    package static let topicBytesMax = 1_024

    package let prefix: String

    /// Nil for a prefix that MQTT does not allow in a topic, or that is too long.
    package init?(prefix: String) {
        let bytes = prefix.utf8
        let levels = prefix.split(separator: "/", omittingEmptySubsequences: false)
        let isSound = bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"+#\"\\".utf8.contains($0) }
        guard isSound, bytes.count <= Self.prefixBytesMax, !levels.contains(""),
            bytes.first != UInt8(ascii: "$")
        else { return nil }
        self.prefix = prefix
    }

    /// The last levels of the topics on which a bridge says something of itself.
    enum BridgeLevel: String, CaseIterable, Sendable { case availability, sessions }

    /// Whether a bridge is there: `online`, or `offline` by its last will.
    package func availability(ofBridge name: String) -> String { topic(.availability, of: name) }
    /// The sessions that a bridge carries, as `HouseShare` writes them.
    func sessions(ofBridge name: String) -> String { topic(.sessions, of: name) }
    private func topic(_ level: BridgeLevel, of bridge: String) -> String {
        "\(prefix)/bridges/\(bridge)/\(level.rawValue)"
    }

    /// The topics on which bridges say something of themselves.
    package var bridges: [String] {
        BridgeLevel.allCases.map { topic($0, of: "+") } + [anyAvailability]
    }
    /// Whether any bridge is there, as the last one that came or ended has said: one that is killed
    /// says nothing here. Former versions had no other topic.
    package var anyAvailability: String { "\(prefix)/availability" }

    /// The bridge of a topic of `bridges`, and the topic's last level; nil where it is none.
    func bridge(of topic: String) -> (name: String, level: BridgeLevel)? {
        guard let levels = levels(of: topic), levels.count == 3, levels[0] == "bridges",
            Name.isValid(levels[1]), let level = BridgeLevel(rawValue: levels[2])
        else { return nil }
        return (levels[1], level)
    }

    /// Whether bridges say there whether they are there, also those of former versions.
    func isAvailabilityOfBridge(_ topic: String) -> Bool {
        topic == anyAvailability || bridge(of: topic)?.level == .availability
    }

    /// Messages that were refused, for a person who wonders.
    package var rejected: String { "\(prefix)/rejected" }

    package func availability(_ session: String) -> String { "\(prefix)/\(session)/availability" }
    package func total(_ session: String) -> String { "\(prefix)/\(session)/badges/total" }
    package func count(_ session: String, _ kind: String) -> String {
        "\(prefix)/\(session)/badges/counts/\(kind)"
    }
    package func phase(_ session: String, _ component: String) -> String {
        "\(prefix)/\(session)/\(component)/phase"
    }
    /// The item or the screen that a component shows.
    package func shown(_ session: String, _ component: String) -> String {
        "\(prefix)/\(session)/\(component)/shown"
    }
    /// The transitions of a component, as they happen; not retained.
    package func events(_ session: String, _ component: String) -> String {
        "\(prefix)/\(session)/\(component)/event"
    }
    /// The value of a variable, as JSON.
    package func value(_ session: String, _ variable: String) -> String {
        "\(prefix)/\(session)/variables/\(variable)/value"
    }
    /// Takes another value of a variable.
    package func command(_ session: String, variable: String) -> String {
        "\(prefix)/\(session)/variables/\(variable)/command"
    }
    package func notify(_ session: String) -> String { "\(prefix)/\(session)/notify" }
    package func command(_ session: String, _ component: String) -> String {
        "\(prefix)/\(session)/\(component)/command"
    }

    /// The topics to subscribe to; `sessions` empty: those of all.
    package func subscriptions(sessions: [String]) -> [String] {
        (sessions.isEmpty ? ["+"] : sessions).flatMap { session in
            ["notify", "command", "+/command", "variables/+/command"]
                .map { "\(prefix)/\(session)/\($0)" }
        }
    }

    /// The topics of all retained values of sessions, of whichever bridge.
    package var values: [String] {
        [
            "availability", "badges/total", "badges/counts/+", "+/phase", "+/shown",
            "variables/+/value",
        ].map { "\(prefix)/+/\($0)" }
    }

    /// The session of a topic of `values`; nil where it is none.
    package func session(ofValue topic: String) -> String? {
        guard let levels = levels(of: topic), let session = levels.first,
            levels.allSatisfy(Name.isValid)
        else { return nil }
        let isValue =
            switch levels.count {
            case 2: levels[1] == "availability"
            case 3: ["phase", "shown"].contains(levels[2]) || levels[1...] == ["badges", "total"]
            case 4:
                levels[1...2] == ["badges", "counts"]
                    || levels[1] == "variables" && levels[3] == "value"
            default: false
            }
        return isValue ? session : nil
    }

    /// The session of a topic of `subscriptions`; nil where it is none.
    package func session(ofInput topic: String) -> String? {
        guard event(for: topic) != nil else { return nil }
        return levels(of: topic)?.first
    }

    /// The levels below the prefix; nil where it is another one.
    private func levels(of topic: String) -> [String]? {
        guard topic.utf8.count <= Self.topicBytesMax, topic.hasPrefix(prefix + "/") else {
            return nil
        }
        return topic.dropFirst(prefix.count + 1)
            .split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    /// The event's topic for gestured; nil where a message's topic is none of `subscriptions`.
    package func event(for topic: String) -> String? {
        guard let levels = levels(of: topic), levels.dropLast().allSatisfy(Name.isValid) else {
            return nil
        }
        switch (levels.count, levels.last) {
        case (2, "notify"): return "notification/\(levels[0])"
        case (2, "command"): return "command/\(levels[0])"
        case (3, "command"): return "command/\(levels[0])/\(levels[1])"
        case (4, "command") where levels[1] == "variables": return "command/\(levels[0])"
        default: return nil
        }
    }

    /// The variable to which a message's topic gives a value; nil where it gives none.
    package func variable(ofInput topic: String) -> String? {
        guard let levels = levels(of: topic), levels.allSatisfy(Name.isValid), levels.count == 4,
            levels[1] == "variables", levels[3] == "command"
        else { return nil }
        return levels[2]
    }
}
