import Testing

@testable import Bridges

/// Contacts of a frame whose end has overtaken them.
@Suite struct TUIOSourceTests {
    private func part(_ word: String, _ arguments: [OSCMessage.Argument]) throws -> TUIOPart {
        try #require(TUIOPart(OSCMessage(address: "/tuio2/\(word)", arguments: arguments)))
    }

    private func head(_ number: Int) throws -> TUIOPart { try part("frm", [.integer(number)]) }

    private func pointer(_ id: Int, pressure: Double = 0) throws -> TUIOPart {
        let numbers = [OSCMessage.Argument](repeating: .number(0.5), count: 7)
        return try part("ptr", [.integer(id)] + numbers + [.number(pressure)])
    }

    /// A source whose frame of this number has closed with one living contact.
    private func closedSource(of number: Int, alive id: Int) throws -> TUIOSource {
        var source = TUIOSource(number: 1)
        try close(number, alive: id, of: &source)
        return source
    }

    private func close(_ number: Int, alive id: Int, of source: inout TUIOSource) throws {
        let parts = [try head(number), try pointer(id), try part("alv", [.integer(id)])]
        for part in parts {
            let isTaken = source.gather(part)
            #expect(isTaken)
        }
        let judgement = source.judge()
        #expect(judgement == .next)
        _ = source.takeFrame()
    }

    @Test func eachMessageAddsItsOwnContactAlone() throws {
        var source = try closedSource(of: 5, alive: 1)
        var changes: [TUIOSource.Change?] = []
        let parts = [
            try head(5), try pointer(2), try pointer(1), try pointer(2),
            try pointer(1, pressure: -1), try pointer(1),
        ]
        for part in parts {
            _ = source.gather(part)
            changes.append(source.takeRest())
        }
        #expect(changes.map { $0?.lifted } == [nil, nil, [], nil, [1], []])
        #expect(changes.map { $0?.placed.map(\.id) } == [nil, nil, [1], nil, [], [1]])
        #expect(changes.compactMap { $0?.placed.first?.isNew } == [false, true])
    }

    /// A frame without a number closes none, and others live since.
    @Test func contactsThatDidNotLiveThenAreLifted() throws {
        var source = try closedSource(of: 5, alive: 1)
        try close(0, alive: 2, of: &source)
        _ = source.gather(try head(5))
        _ = source.gather(try pointer(1))
        let taken = source.takeRest()
        let change = try #require(taken)
        #expect(change.lifted == [2] && change.placed.map(\.id) == [1])
        #expect(source.placed == [1])
    }

    /// A datagram may have a thousand contacts of a closed frame, half of them unknown: none is
    /// looked at again for each message.
    @Test func contactsThatWaitCostNothing() throws {
        let least = try #require(try (0..<5).map { _ in try time(waiting: 1) }.min())
        let most = try #require(
            try (0..<5).map { _ in try time(waiting: TUIO.aliveMax) }.min())
        #expect(most < least * 8)
    }

    /// The time of messages for contacts that wait, while so many do.
    private func time(waiting count: Int) throws -> Duration {
        var source = try closedSource(of: 5, alive: 0)
        _ = source.gather(try head(5))
        for id in 1...count { _ = source.gather(try pointer(id)) }
        let repeated = try pointer(1)
        return ContinuousClock().measure {
            for _ in 0..<500 {
                _ = source.gather(repeated)
                _ = source.takeRest()
            }
        }
    }
}
