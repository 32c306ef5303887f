import Notation

/// The requests of clients on their way to the daemon, which sees one peer in all of them.
///
/// So many are with the daemon at once; the others wait, each client's in their order, and clients
/// take turns. So whatever others ask, a client's next request is passed on after at most one of
/// each of them. A client whose requests the daemon answers much sooner than most does not wait for
/// those whose requests are costly: it comes first, in places that such clients alone have, unless
/// it asks about a session whose requests take long. However many they are, the other places are
/// left to all by turns, and there a newcomer comes first.
/// Answers come one behind the other. So large ones under way are bounded in bytes, too: by what
/// their clients were answered before, and those of a newcomer by what other newcomers were.
package struct RequestTurns<Client: Hashable & Sendable>: Sendable {
    package struct Waiting: Sendable {
        package var client: Client
        package var request: ClientRequest
        /// When it must have been answered, in nanoseconds.
        package var deadline: Int
        fileprivate var answer: AwaitedAnswer
    }

    /// A request that is with the daemon, as far as it counts.
    package struct Outstanding: Sendable {
        package let client: Client
        /// The session that it is about; nil: none.
        fileprivate let session: [UInt8]?
        /// Bytes that its answer may have, if it is large; whether it may be.
        fileprivate let bytes: Int
        fileprivate let mayBeLarge: Bool
        /// It has one of the places for requests that are answered soon.
        fileprivate let isSoon: Bool
    }

    private struct Line {
        var waiting: [Waiting] = []
        var byteCount = 0
        /// With the daemon.
        var underWay = 0
    }

    private enum Rank: Int {
        /// The daemon answers its requests soon.
        case soon
        /// It is its first one.
        case new
        case late
    }

    private var lines: [Client: Line] = [:]
    /// How long the daemon takes for a client's requests, in nanoseconds.
    private var waits: [Client: Int] = [:]
    /// The same of the requests about each session.
    private var sessionWaits = SessionWaits()
    /// The same of all requests.
    private var usualWait = 0
    /// Bytes of a client's largest answers of late, among those that may be large.
    private var answerSizes: [Client: Int] = [:]
    /// The same of all clients together that had none before, or are gone.
    private var newcomersSize = 0
    /// Bytes that large answers under way may have, also of clients that are gone.
    package private(set) var awaitedBytes = 0
    /// Those who have requests that wait; the first one is next.
    private var order: [Client] = []
    /// With the daemon, also of clients that are gone.
    package private(set) var underWay = 0
    /// Those of them in the places for requests that are answered soon.
    private var soonUnderWay = 0
    /// The last one of the other places went to a newcomer.
    private var wasNew = false
    /// In the bridge.
    package private(set) var waitingCount = 0
    package private(set) var byteCount = 0

    package init() {}

    /// Takes a request in. Returns the bound that forbids it, or nil.
    package mutating func add(
        _ request: ClientRequest, of client: Client, until deadline: Int
    ) -> String? {
        var line = lines[client] ?? Line()
        guard line.waiting.count + line.underWay < Limits.webRequestsMax else {
            return "limit_requests \(Limits.webRequestsMax) of a client"
        }
        let size = request.members.count
        let waiting = Waiting(
            client: client, request: request, deadline: deadline,
            answer: AwaitedAnswer(of: request.operation))
        let answer = answerSize(of: waiting)
        let isNext =
            waitingCount == 0 && hasPlace(line, rank(of: waiting, line, answer: answer))
            && hasRoom(for: answer)
        let free = Limits.webWaitingBytesMax - byteCount
        let allowed = max(Limits.webWaitingBytesMin, free / Limits.webWaitingShare)
        guard isNext || line.byteCount + size <= allowed else {
            return "limit_waiting_bytes \(Limits.webWaitingBytesMax) of all clients"
        }
        if line.waiting.isEmpty { order.append(client) }
        line.waiting.append(waiting)
        line.byteCount += size
        lines[client] = line
        waitingCount += 1
        byteCount += size
        return nil
    }

    private func rank(of request: Waiting, _ line: Line, answer: Int) -> Rank {
        guard let ofClient = waits[request.client] else {
            return line.underWay == 0 ? .new : .late
        }
        let wait = max(ofClient, sessionWaits.wait(for: request.request.session))
        let isSoon =
            wait <= max(Limits.webSoonNanoseconds, usualWait / 2)
            && answer <= Limits.webSmallAnswerBytes
        let hasPlace =
            line.underWay < Limits.webSoonAtOnceMax && soonUnderWay < Limits.webSoonRequestsMax
        return isSoon && hasPlace ? .soon : .late
    }

    /// Whether one rank comes before another one.
    ///
    /// After a newcomer's request the next one in the order is passed on, newcomer or not: so a
    /// stream of newcomers keeps no one out.
    private func isFirst(_ one: Rank, before other: Rank) -> Bool {
        if one == .soon || other == .soon { return one == .soon && other != .soon }
        return one == .new && other == .late && !wasNew
    }

    private func hasPlace(_ line: Line, _ rank: Rank) -> Bool {
        guard line.underWay < Limits.webRequestsAtOnceMax else { return false }
        return rank == .soon || underWay - soonUnderWay < Limits.webRequestsInAllMax
    }

    /// Whether the answers under way leave room for one more. A small one always has room.
    private func hasRoom(for answer: Int) -> Bool {
        answer <= Limits.webSmallAnswerBytes || awaitedBytes == 0
            || awaitedBytes + answer <= Limits.webAwaitedBytesMax
    }

    /// Bytes that an answer may have.
    private func answerSize(of request: Waiting) -> Int {
        if request.answer == .small { return Limits.webSmallAnswerGuessBytes }
        if let size = answerSizes[request.client] { return size }
        let guess =
            request.answer == .export ? Limits.webExportGuessBytes : Limits.webAnswerGuessBytes
        return max(guess, newcomersSize)
    }

    /// Takes the next request out that may go to the daemon; `answered` must follow.
    package mutating func next() -> (request: Waiting, outstanding: Outstanding)? {
        guard let best = best() else { return nil }
        let client = order.remove(at: best.place)
        guard var line = lines[client] else { return nil }
        let taken = remove(0, from: &line)
        let size = answerSize(of: taken)
        let outstanding = Outstanding(
            client: client, session: taken.request.session,
            bytes: size > Limits.webSmallAnswerBytes ? size : 0,
            mayBeLarge: taken.answer != .small, isSoon: best.rank == .soon)
        awaitedBytes += outstanding.bytes
        line.underWay += 1
        underWay += 1
        if outstanding.isSoon { soonUnderWay += 1 } else { wasNew = best.rank == .new }
        lines[client] = line
        if !line.waiting.isEmpty { order.append(client) }
        return (taken, outstanding)
    }

    /// The place of the next client whose request may go to the daemon.
    private func best() -> (place: Int, rank: Rank)? {
        guard underWay < Limits.webRequestsInAllMax + Limits.webSoonRequestsMax else { return nil }
        var best: (place: Int, rank: Rank)?
        // The one that waits for room for its answer: no other large one may take that.
        var held: Rank?
        for (place, client) in order.enumerated() {
            guard let line = lines[client], let request = line.waiting.first else { continue }
            let answer = answerSize(of: request)
            let rank = rank(of: request, line, answer: answer)
            if let best, !isFirst(rank, before: best.rank) { continue }
            guard hasPlace(line, rank) else { continue }
            if answer > Limits.webSmallAnswerBytes {
                if let held, !isFirst(rank, before: held) { continue }
                guard hasRoom(for: answer) else {
                    held = rank
                    continue
                }
            }
            best = (place, rank)
            if rank == .soon { break }
        }
        return best
    }

    private mutating func remove(_ place: Int, from line: inout Line) -> Waiting {
        let taken = line.waiting.remove(at: place)
        let size = taken.request.members.count
        line.byteCount -= size
        waitingCount -= 1
        byteCount -= size
        return taken
    }

    /// The daemon has done with a request after so many nanoseconds, and its answer has so many
    /// bytes; nil: it did not get it, or has not answered. Each outstanding must end once.
    package mutating func answered(_ outstanding: Outstanding, after wait: Int?, bytes: Int? = nil)
    {
        let client = outstanding.client
        underWay -= 1
        if outstanding.isSoon { soonUnderWay -= 1 }
        awaitedBytes -= outstanding.bytes
        if let wait {
            note(wait, of: client)
            sessionWaits.note(wait, for: outstanding.session, share: Self.rememberedCount)
        }
        if let bytes, outstanding.mayBeLarge {
            let former = answerSizes[client]
            if former == nil {
                newcomersSize = max(bytes, newcomersSize - newcomersSize / Self.usualCount)
            }
            if lines[client] != nil {
                let former = former ?? 0
                answerSizes[client] = max(bytes, former - former / Self.rememberedCount)
            }
        }
        guard var line = lines[client] else { return }
        line.underWay -= 1
        lines[client] = line.underWay == 0 && line.waiting.isEmpty ? nil : line
    }

    private mutating func note(_ wait: Int, of client: Client) {
        usualWait += (wait - usualWait) / Self.usualCount
        guard lines[client] != nil else { return }
        // One costly request among many light ones counts for a while.
        let former = waits[client] ?? wait
        waits[client] = max(wait, former - (former - wait) / Self.rememberedCount)
    }

    /// Answers whose average is the usual wait, and of a client that its longest one counts for.
    private static var usualCount: Int { 64 }
    private static var rememberedCount: Int { 8 }

    /// Takes out those whose time is over.
    package mutating func expire(at time: Int) -> [Waiting] {
        var late: [Waiting] = []
        for client in order {
            guard var line = lines[client] else { continue }
            while let first = line.waiting.first, first.deadline < time {
                late.append(remove(0, from: &line))
            }
            lines[client] = line.underWay == 0 && line.waiting.isEmpty ? nil : line
        }
        order.removeAll { lines[$0]?.waiting.isEmpty != false }
        return late
    }

    /// Takes out all that wait, as where the daemon is away; what is with it still counts.
    package mutating func takeAll() -> [Waiting] {
        var taken: [Waiting] = []
        taken.reserveCapacity(waitingCount)
        for client in order {
            guard var line = lines[client] else { continue }
            taken += line.waiting
            (line.waiting, line.byteCount) = ([], 0)
            lines[client] = line.underWay == 0 ? nil : line
        }
        order = []
        (waitingCount, byteCount) = (0, 0)
        return taken
    }

    /// Forgets a client that is gone; what is with the daemon still counts.
    package mutating func remove(_ client: Client) {
        waits[client] = nil
        answerSizes[client] = nil
        guard var line = lines[client] else { return }
        while !line.waiting.isEmpty { _ = remove(0, from: &line) }
        lines[client] = nil
        order.removeAll { $0 == client }
    }
}

/// The size of an answer, as far as the request tells it.
private enum AwaitedAnswer: Sendable {
    case small, any, export

    init(of operation: [UInt8]) {
        switch String(decoding: operation.prefix(Limits.webOperationBytesMax), as: UTF8.self) {
        case "hello", "time", "hit", "publish", "close", "import", "locate": self = .small
        case "export": self = .export
        default: self = .any
        }
    }
}
