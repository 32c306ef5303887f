// The values that the broker has of earlier runs, and of other bridges.

import Notation

extension HouseMirror {
    /// The topics under which the broker may have something of earlier runs.
    package var formerTopics: [String] {
        topics.values + (former?.configurations ?? [])
    }

    /// Whether this bridge carries a session.
    package func carries(_ session: String) -> Bool { named.isEmpty || named.contains(session) }

    /// Whether another bridge with the same prefix shows a session.
    package func isElsewhere(_ session: String) -> Bool { remnants.others.contains(session) }

    /// The daemon has told all that there is. Everything beyond it that the broker has is gone,
    /// unless sessions come back within a moment.
    package mutating func join(at moment: Moment) {
        if judgesFrom == nil { judgesFrom = moment.steady + Self.startMilliseconds }
    }

    /// Clears what is gone, once it is known.
    mutating func judgeAll(at moment: Moment) {
        guard !isJudging, let judgesFrom, judgesFrom <= moment.steady else { return }
        isJudging = true
        for remnant in remnants.takeAll() { judge(remnant) }
    }

    /// Takes a value that the broker has, by a bridge of this name. Returns false where it is none
    /// of a session's, nor of a bridge's, nor of Home Assistant's.
    package mutating func take(
        value topic: String, _ payload: [UInt8], of owner: String?, isRetained: Bool
    ) -> Bool {
        guard topic.utf8.count <= HouseTopics.topicBytesMax else {
            if isRetained { counters.count(.valuesUnread) }
            return isRetained
        }
        if let (bridge, level) = topics.bridge(of: topic) {
            take(level, payload, of: bridge, isRetained: isRetained)
            return true
        }
        if topic == topics.anyAvailability {
            // Another bridge has ended, and this one is still there.
            if !isRetained, !payload.elementsEqual("online".utf8) { outbox.tellAgain(topic) }
            return true
        }
        // By bytes: a name of the broker may be long, and be slow to compare as a text.
        let isMine = owner?.utf8.elementsEqual(identity.utf8) == true
        let isConfiguration = former?.isConfiguration(topic) == true
        guard
            let session = isConfiguration
                ? former?.session(ofConfiguration: topic, payload) : topics.session(ofValue: topic)
        else { return isConfiguration }
        if topic == topics.availability(session) {
            remnants.note(session, isElsewhere: !isMine && !payload.isEmpty)
        }
        // A session that this bridge carries belongs to it, whichever showed the session before. A
        // bridge that is there clears its own.
        let other = isMine ? nil : owner.flatMap { $0.utf8.count <= Name.bytesMax ? $0 : nil }
        let isFree = other.map { !neighbours.isOnline($0) } ?? true
        let isOwn = isMine || carries(session) && isFree
        if !isOwn, !payload.isEmpty, let other { neighbours.noteOthers(of: other) }
        guard isRetained, !payload.isEmpty, isOwn else { return true }
        let remnant = HouseRemnants.Remnant(topic: topic, session: session)
        // A bridge that tells Home Assistant nothing waits for no session to keep its entities.
        if isJudging || isConfiguration && homeAssistant == nil {
            judge(remnant)
        } else {
            counters.count(.valuesUnread, remnants.wait(remnant))
        }
        return true
    }

    /// Clears a value that this bridge does not show.
    private mutating func judge(_ remnant: HouseRemnants.Remnant) {
        guard outbox.value(remnant.topic) == nil else { return }
        outbox.forget(remnant.topic)
        if remnant.topic == topics.availability(remnant.session) {
            remnants.note(remnant.session, isElsewhere: false)
        }
    }
}

// MARK: - Other bridges

extension HouseMirror {
    /// The topics on which all bridges say something of themselves.
    package var bridgeTopics: [String] { topics.bridges }

    /// The bridge has a new connection, and asks which others are there: it says on its own topic
    /// that it is not.
    package mutating func ask() {
        clearsFrom = nil
        neighbours.ask()
    }

    /// The connection is gone.
    package mutating func leave() { neighbours.leave() }

    /// The broker has the question.
    package mutating func hasAsked(at moment: Moment) { neighbours.hasAsked(at: moment) }

    /// Whether the bridge may carry its sessions.
    package func standing(at moment: Moment) -> HouseStanding { neighbours.standing(at: moment) }

    /// The bridge carries its sessions from now on: the broker is to be told all values.
    package mutating func carry(at moment: Moment) {
        neighbours.carry()
        clearsFrom = moment.steady + Self.startMilliseconds
        outbox.reconnect()
    }

    /// Takes what a bridge says of itself.
    private mutating func take(
        _ level: HouseTopics.BridgeLevel, _ payload: [UInt8], of bridge: String, isRetained: Bool
    ) {
        guard bridge != identity else {
            // Another program has changed it.
            if !isRetained, payload != outbox.value(topic(of: level)) { tellOfItself(level) }
            return
        }
        let answer =
            switch level {
            case .availability:
                neighbours.take(
                    isOnline: payload.elementsEqual("online".utf8), of: bridge,
                    isRetained: isRetained)
            case .sessions:
                neighbours.take(
                    share: HouseShare(reading: payload), of: bridge, isRetained: isRetained)
            }
        switch answer {
        case .nothing: break
        case .isOnline: tellOfItself(.availability)
        case .everything: outbox.tellAllAgain()
        }
    }

    private mutating func tellOfItself(_ level: HouseTopics.BridgeLevel) {
        outbox.tellAgain(topic(of: level))
    }

    /// This bridge's own topic.
    private func topic(of level: HouseTopics.BridgeLevel) -> String {
        switch level {
        case .availability: topics.availability(ofBridge: identity)
        case .sessions: topics.sessions(ofBridge: identity)
        }
    }

    /// Clears the topics of bridges that are gone, and of which the broker has nothing else.
    mutating func clearNeighbours(at moment: Moment) {
        guard isJudging, let clearsFrom, clearsFrom <= moment.steady else { return }
        self.clearsFrom = nil
        for bridge in neighbours.gone {
            outbox.forget(topics.availability(ofBridge: bridge))
            outbox.forget(topics.sessions(ofBridge: bridge))
        }
    }
}
