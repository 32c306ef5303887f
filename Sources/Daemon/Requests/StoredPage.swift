import Codec
import Dispatch
import Notation
import Security
import Sessions
import Store
import Synchronization

/// The store's part of a page of sessions: their names, and their scenes if they are asked for.
///
/// Each question adds what it finds, at once or later; the last one hands all of it over. No name
/// that the asker may not see is read, not even to go on from.
final class StoredPage: Sendable {
    struct Content {
        /// Names that the store has, and their scenes. Some may be gone, so a page may end short.
        var scenes: [String: String?] = [:]
        /// The last name that the store gave, if it may have more: names beyond it are unknown.
        var end: String?
        /// Why not all of them are known.
        var failure: StoreError?
        fileprivate var questionsLeft = 1
        fileprivate var knowsScenes = false

        /// Forgets names that stand behind a page of so many, once there are many of them.
        fileprivate mutating func trim(to countMax: Int) {
            guard scenes.count > 4 * countMax else { return }
            let kept = scenes.keys.sorted().prefix(countMax)
            scenes = scenes.filter { $0.key <= kept[countMax - 1] }
            end = min(end ?? kept[countMax - 1], kept[countMax - 1])
        }
    }

    private let request: SessionsRequest
    private let envelope: Envelope
    /// Reads the store, on its queue.
    private let table: LaneTable
    private let content = Mutex(Content())
    private let then: @Sendable (Content) -> Void

    /// Reads a page on a lane's queue. Calls `then` once, on the thread of the last answer.
    static func read(
        _ request: SessionsRequest, for envelope: Envelope, on table: LaneTable,
        then: @escaping @Sendable (Content) -> Void
    ) {
        let page = StoredPage(request, envelope, table, then)
        guard let reader = table.storage?.reader else { return then(Content()) }
        if request.visible.areAll {
            page.list(after: request.after, beginning: "", in: reader)
            page.end()
        } else {
            // In order, the first ones may fill the page, and the others need not be asked for.
            page.list(request.visible.texts.sorted()[...])
        }
    }

    private init(
        _ request: SessionsRequest, _ envelope: Envelope, _ table: LaneTable,
        _ then: @escaping @Sendable (Content) -> Void
    ) {
        self.request = request
        self.envelope = envelope
        self.table = table
        self.then = then
    }

    // MARK: Names

    /// Lists what patterns match.
    private func list(_ texts: ArraySlice<String>) {
        inPieces(of: texts) { $0.list($1, in: $2) }
    }

    /// Does something for one text after the other: as many as fit a piece of time, and the others
    /// later.
    private func inPieces(
        of texts: ArraySlice<String>,
        _ take: @escaping (StoredPage, String, any StoreReader) -> Void
    ) {
        var rest = texts
        table.pieces.add(for: envelope) { [self] in
            readPiece(of: &rest, take)
            if rest.isEmpty { end() }
            return !rest.isEmpty
        } abandon: { [self] in
            content.withLock {
                $0.failure = $0.failure ?? StoreError(.unavailable, "nothing waits for the page")
            }
            end()
        }
    }

    /// Leaves what it has not come to.
    private func readPiece(
        of rest: inout ArraySlice<String>,
        _ take: (StoredPage, String, any StoreReader) -> Void
    ) {
        guard let reader = table.storage?.reader else { return rest = [] }
        let began = Clock.monotonic()
        try? reader.begin()
        defer { reader.end() }
        while let text = rest.popFirst() {
            take(self, text, reader)
            if Clock.isPieceOver(since: began) { break }
        }
    }

    /// Lists what one pattern matches: a name, or with `*` at its end the names that begin so.
    private func list(_ text: String, in reader: any StoreReader) {
        let isBeginning = text.hasSuffix("*")
        let name = String(isBeginning ? text.dropLast() : text[...])
        let after = request.after
        // All that it matches stands behind the page.
        if let end = content.withLock({ $0.end }), name >= end { return }
        if name > after { look(up: name, in: reader) }
        // Names with one beginning stand together, behind the beginning itself.
        guard isBeginning, name > after || after.hasPrefix(name) else { return }
        list(after: max(name, after), beginning: name, in: reader)
    }

    private func list(after: String, beginning: String, in reader: any StoreReader) {
        let countMax = request.limit + 1
        begin()
        reader.names(.after(after, limit: countMax)) { [self] answer in
            note(answer) { names, content in
                let found = names.prefix { $0.hasPrefix(beginning) }
                for name in found { content.scenes.updateValue(nil, forKey: name) }
                if found.count == countMax, let last = found.last {
                    content.end = min(content.end ?? last, last)
                }
                content.trim(to: countMax)
            }
        }
    }

    /// Looks for one name that the asker may see.
    private func look(up name: String, in reader: any StoreReader) {
        begin()
        let take: StoreAnswer<StoredSession?> = { [self] answer in
            note(answer) { stored, content in
                guard let stored else { return }
                let scene = SavedSession.sceneName(inDocument: stored.state)
                content.scenes.updateValue(scene, forKey: name)
            }
        }
        do throws(StoreError) {
            switch try reader.lookUp(name, late: take) {
            case .found(let stored): take(.success(stored))
            case .none: take(.success(nil))
            case .later: break
            }
        } catch {
            // It is there, though it cannot be read.
            let isThere = reader.has(name)
            note(.success(isThere)) { if $0 { $1.scenes.updateValue(nil, forKey: name) } }
        }
    }

    // MARK: Scenes

    /// Reads the scenes of the names, once these are known.
    private func readScenes(of names: ArraySlice<String>) {
        table.queue.later { [self] in inPieces(of: names) { $0.look(up: $1, in: $2) } }
    }

    // MARK: Questions

    private func begin() { content.withLock { $0.questionsLeft += 1 } }

    private func note<Value>(
        _ answer: Result<Value, StoreError>, _ take: (Value, inout Content) -> Void
    ) {
        content.withLock { content in
            switch answer {
            case .success(let value): take(value, &content)
            case .failure(let error): content.failure = error
            }
        }
        end()
    }

    /// One question is done with; after the last one the scenes are next, or nothing.
    private func end() {
        enum Next { case wait, scenes([String]), hand(Content) }
        let next: Next = content.withLock { content in
            content.questionsLeft -= 1
            guard content.questionsLeft == 0 else { return .wait }
            guard request.isDetailed, !content.knowsScenes, content.failure == nil else {
                return .hand(content)
            }
            content.knowsScenes = true
            content.questionsLeft = 1
            return .scenes(Array(content.scenes.keys))
        }
        switch next {
        case .wait: break
        case .scenes(let names): readScenes(of: names[...])
        case .hand(let content): then(content)
        }
    }
}
