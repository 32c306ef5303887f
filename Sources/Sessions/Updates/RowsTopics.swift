package import Interactions
import Notation

/// The pending and published rows of one component: the window of them that is told.
struct RowsTopic: Hashable, Sendable, Codable {
    /// The component's place in the scene.
    var component: Int
    var publication = Publication()
    /// The rows that were told last, or are to be told.
    private(set) var first = 0
    private(set) var end = 0
    /// The version of the rows that was looked at last; 0: none was.
    private var version = 0
    /// How often the values changed that texts of its rows may name, from the version of the
    /// session's counts on with which it began, or from the floor of all topics: the version that
    /// is told counts these, too. So one version never has two contents, and does not fall where
    /// the component or the session comes back. Nil: never.
    private(set) var textChanges: Int?
    /// Whether the next frame has them.
    var isFrameDue = true
    /// Whether its component tells no rows now.
    var isSilent = false

    init(component: Int, publication: Publication = Publication(), textChanges: Int? = nil) {
        self.component = component
        self.publication = publication
        self.textChanges = textChanges
    }

    var window: Range<Int> { first..<max(first, end) }

    /// The rows changed, or those that show come near the end of what was told: they are told
    /// anew. `isAlways`: whatever shows counts, and not only a change.
    mutating func look(at rows: RowsOutline, isAlways: Bool) {
        guard rows.version != version || (isAlways && leavesWindow(rows)) else { return }
        version = rows.version
        let around = min(
            Limits.rowsAroundMax, max(0, rows.countMax - rows.shown.count) / 2)
        first = max(0, rows.shown.lowerBound - around)
        end = min(
            rows.count, rows.shown.upperBound + around,
            first + max(rows.countMax, 1))
        publication.change(urgently: true)
        isFrameDue = true
    }

    /// Values have changed that texts of its rows may name. `areShown`: those of its window do.
    mutating func changeTexts(areShown: Bool) {
        textChanges = min((textChanges ?? 0) + 1, Limits.versionImportedMax)
        guard areShown else { return }
        publication.change(urgently: true)
        isFrameDue = true
    }

    private func leavesWindow(_ rows: RowsOutline) -> Bool {
        let extra = rows.countMax - rows.shown.count
        guard extra > 0 else { return first != rows.shown.lowerBound }
        let margin = min(Limits.rowsMarginMin, extra / 4)
        if first > 0, rows.shown.lowerBound - first < margin { return true }
        return end < rows.count && end - rows.shown.upperBound < margin
    }

    var isSound: Bool {
        (0...Limits.versionImportedMax).contains(publication.seq) && first >= 0
            && first <= end && end <= List.rowsMax && version >= 0
            && (0...Limits.versionImportedMax).contains(textChanges ?? 0)
    }
}

/// The topics of all components that tell rows; mostly there are none.
struct RowsTopics: Hashable, Sendable, Codable {
    var list: [RowsTopic] = []
    /// The highest version that was told of rows whose component closed, or in a former life: all
    /// that is told on a topic that begins is above it. Nil: there was none.
    private(set) var floor: Int?

    /// Topics that begin from now on tell versions above this one.
    mutating func raiseFloor(to version: Int) {
        let version = min(version, Limits.versionImportedMax)
        if version > floor ?? 0 { floor = version }
    }

    /// Texts of all rows may name other values: the scene has other variables.
    mutating func changeTexts() {
        for place in list.indices { list[place].changeTexts(areShown: true) }
    }

    var isSound: Bool { (0...Limits.versionImportedMax).contains(floor ?? 0) }

    func place(of component: Int) -> Int? {
        for place in list.indices where list[place].component == component { return place }
        return nil
    }

    /// Whether the next frame has the rows of any.
    var isFrameDue: Bool { list.contains { $0.isFrameDue && !$0.isSilent } }
    /// Whether a topic waits for a flush.
    var areChanged: Bool { list.contains { $0.publication.isChanged && !$0.isSilent } }
}

// A session that was encoded before rows were told has none; one without any writes none.

extension KeyedDecodingContainer {
    func decode(_: RowsTopics.Type, forKey key: Key) throws -> RowsTopics {
        try decodeIfPresent(RowsTopics.self, forKey: key) ?? RowsTopics()
    }
}

extension KeyedEncodingContainer {
    mutating func encode(_ topics: RowsTopics, forKey key: Key) throws {
        if topics != RowsTopics() { try encodeIfPresent(topics, forKey: key) }
    }
}

extension Outgoing {
    /// The same as `Session.savedRowsFloor` where the components go on as they are.
    var exportedRowsFloor: Int {
        rows.list.reduce(rows.floor ?? 0) { max($0, ($1.textChanges ?? 0) + textChangesDue) }
    }

    /// Values that have changed are told with the next frame, as one change.
    fileprivate var textChangesDue: Int { texts.areAny ? 1 : 0 }
}

extension Session {
    /// Notes which components tell rows, at an opening and after a change of the scene. Former
    /// topics go on, also where a component tells no rows for a while.
    mutating func takeRowsTopics() {
        let first = max(versionOfTexts, outgoing.rows.floor ?? 0)
        outgoing.rows.list.reserveCapacity(machines.count { $0.rowsOutline != nil })
        for index in machines.indices
        where machines[index].rowsOutline != nil && outgoing.rows.place(of: index) == nil {
            outgoing.rows.list.append(
                RowsTopic(component: index, textChanges: first > 0 ? first : nil))
        }
        for place in outgoing.rows.list.indices {
            let index = outgoing.rows.list[place].component
            outgoing.rows.list[place].isSilent = machines[index].rowsOutline == nil
        }
    }

    /// The version with which topics of rows begin whose texts may name values; 0: none may.
    private var versionOfTexts: Int {
        textContext == nil ? 0 : min(badges.version, Limits.versionImportedMax)
    }

    /// Goes on with the versions that were told of rows in a former life.
    mutating func takeRowsFloor(of record: SavedSession) {
        outgoing.rows.raiseFloor(to: record.rowsFloor)
        // Its scene had variables, and this one or a later one may have none.
        if !record.variables.isEmpty { outgoing.rows.raiseFloor(to: record.version) }
    }

    /// Keeps the version that was told of a component's rows, before the component closes.
    mutating func keepRowsVersion(of index: Int) {
        guard let place = outgoing.rows.place(of: index) else { return }
        outgoing.rows.raiseFloor(to: toldVersion(of: outgoing.rows.list[place]))
    }

    private func toldVersion(of topic: RowsTopic) -> Int {
        let version = machines[topic.component].toldRows(0..<0).version
        return min(version + (topic.textChanges ?? 0), Node.exactMax)
    }

    /// The floor of the topics in the next life, which begins with what the store keeps: no version
    /// that is told falls there. 0: it needs none.
    var savedRowsFloor: Int {
        let floor = outgoing.rows.floor ?? 0
        var told = 0
        for topic in outgoing.rows.list {
            let saved = machines[topic.component].rowsOutline?.savedVersion ?? 0
            told = max(told, toldVersion(of: topic) + outgoing.textChangesDue - saved)
        }
        // The next life begins above this by itself (`takeRowsFloor`).
        let known = variables.isEmpty ? 0 : min(badges.version, Limits.versionImportedMax)
        let needed = min(max(floor, told), Limits.versionImportedMax)
        return needed > known ? needed : 0
    }

    /// Looks whether rows are to be told anew.
    mutating func lookAtRows(inFrame: Bool) {
        for place in outgoing.rows.list.indices {
            let index = outgoing.rows.list[place].component
            guard let outline = machines[index].rowsOutline else { continue }
            outgoing.rows.list[place].look(
                at: outline, isAlways: inFrame || outgoing.states[index].isUrgent)
        }
    }

    mutating func flushRows(into sink: inout some UpdateSink) {
        for place in outgoing.rows.list.indices
        where !outgoing.rows.list[place].isSilent
            && outgoing.rows.list[place].publication.isDue(at: clock, inFrame: true)
        {
            let topic = outgoing.rows.list[place]
            let rows = toldRows(of: topic)
            let stamp = outgoing.rows.list[place].publication.send(at: clock, opened: opened)
            sink.rows(
                identity, component: scene.components[topic.component].id, rows, stamp)
        }
    }

    /// The rows that the next frame tells.
    func pictureRows() -> [SessionPicture.Rows] {
        outgoing.rows.list.compactMap { topic in
            guard topic.isFrameDue, !topic.isSilent else { return nil }
            let rows = toldRows(of: topic)
            return SessionPicture.Rows(component: topic.component, told: rows)
        }
    }

    /// The rows that are current now, by component; a look may be due.
    package func currentRows() -> [(component: Int, rows: ToldRows)] {
        outgoing.rows.list.compactMap { topic in
            guard let outline = machines[topic.component].rowsOutline else { return nil }
            var topic = topic
            topic.look(at: outline, isAlways: true)
            return (topic.component, toldRows(of: topic))
        }
    }

    /// The rows of a topic as they are told: with the values that their texts name.
    private func toldRows(of topic: RowsTopic) -> ToldRows {
        var told = machines[topic.component].toldRows(topic.window)
        told.version = toldVersion(of: topic)
        guard let texts = textContext else { return told }
        var bytesLeft = Limits.shownTextsBytesMax
        for place in told.rows.indices {
            guard let content = told.rows[place].content else { continue }
            told.rows[place].content = content.withTexts(texts, &bytesLeft)
        }
        return told
    }

    /// Tells rows anew whose texts name one of these values. Rows beyond the window may name them
    /// too: they are told with another version once they come into it.
    mutating func showRowTexts(naming isMeant: (String) -> Bool) {
        for place in outgoing.rows.list.indices where !outgoing.rows.list[place].isSilent {
            let topic = outgoing.rows.list[place]
            let rows = machines[topic.component].toldRows(topic.window).rows
            let areShown = rows.contains { $0.content?.hasText(naming: isMeant) == true }
            outgoing.rows.list[place].changeTexts(areShown: areShown)
        }
    }
}

extension Limits {
    /// Rows that are told on either side of those that show: a screen or more, so that a client
    /// has them before they show.
    package static let rowsAroundMax = 50
    /// Rows that are still told beside those that show when more of them are told: what the
    /// fastest fling passes in a frame or two.
    package static let rowsMarginMin = 16
}
