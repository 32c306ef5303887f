extension ReactionState {
    /// The reactions to one event or step, with all that they cause, as they are performed.
    struct Chain: Hashable, Sendable {
        /// Those that happened together, in their order, and the first that is not performed.
        private var dues: [Due] = []
        private var place = 0
        /// The first for which there was no room; nil: there was for all.
        private(set) var excess: Due?
        /// The next action of that one; nil: its turn has not come.
        var action: Int?
        /// The actions so far, and those among them that change the scene.
        private(set) var count = 0
        private(set) var changeCount = 0
        /// The values in their arguments.
        private(set) var valueCount = 0
        /// Bytes of the texts that were filled in because of them, as they are written.
        private(set) var textBytes = 0

        init() {}

        /// The next reaction; nil: all of `dues` are performed.
        var next: Due? { place < dues.count ? dues[place] : nil }

        mutating func take(_ caused: [Due], excess: Due?) {
            (dues, place, action, self.excess) = (caused, 0, nil, excess)
        }

        /// Counts the next action and moves behind it.
        mutating func pass(_ deed: Reaction.Deed) {
            action = action.map { $0 + 1 }
            count += 1
            valueCount += deed.valueCount
            if deed.isChange { changeCount += 1 }
        }

        mutating func count(textBytes: Int) { self.textBytes += textBytes }

        /// Counts a reaction that begins to wait.
        mutating func countWait() { count += 1 }

        /// Moves behind the next reaction.
        mutating func moveOn() { (place, action) = (place + 1, nil) }

        /// The scene became another one: those that it has too go on, the others are dropped.
        mutating func move(from former: [Reaction], to reactions: [Reaction]) {
            guard let present = next else { return }
            let behind = Array(dues.dropFirst(place + 1)).moved(from: former, to: reactions)
            let moved = [present].moved(from: former, to: reactions)
            if moved.isEmpty { action = nil }
            (dues, place) = (moved + behind, 0)
        }
    }

    /// A chain that is left. Few sessions have one, and each is copied often: it keeps one word.
    enum Left: Hashable, Sendable {
        case nothing
        indirect case chain(Chain)

        @inline(__always)
        var isAny: Bool {
            if case .nothing = self { return false }
            return true
        }
    }
}

extension Array<ReactionState.Due> {
    /// Those of reactions that another scene has too, by their places there.
    func moved(from former: [Reaction], to reactions: [Reaction]) -> [Element] {
        let marks = reactions.map(\.mark)
        if isEmpty || marks == former.map(\.mark) { return self }
        return compactMap { due in
            marks.firstIndex(of: former[due.reaction].mark).map { place in
                var moved = due
                moved.reaction = place
                return moved
            }
        }
    }
}
