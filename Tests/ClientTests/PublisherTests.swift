import ClientSupport
import Notation
import Protocol
import Testing
import ZeroMQ

@testable import GesturedClient

@Suite struct PublisherTests {
    @Test func theFirstEventArrivesAndAllInOrder() async throws {
        let daemon = try FakeDaemon()
        defer { daemon.stop() }
        let publisher = try Connection(to: daemon.endpoints).publisher()
        let sent = (0..<5_000).map { Said("gesture/alice/toss", #"{"n":\#($0)}"#) }
        for event in sent { try publisher.publish(topic: event.topic, body: event.body) }
        #expect(await eventually { daemon.seen.events.count == sent.count })
        #expect(daemon.seen.events == sent)
    }

    @Test func publishingToATopicThatNobodyTakesThrows() throws {
        let daemon = try FakeDaemon()
        defer { daemon.stop() }
        let publisher = try Connection(to: daemon.endpoints, timeoutMilliseconds: 30).publisher()
        #expect(
            throws: ClientError.noAnswer(endpoint: daemon.endpoints.events, milliseconds: 30)
        ) {
            try publisher.publish(topic: "weather/alice", body: "{}")
        }
    }

    @Test func aDaemonThatLeftIsNoticed() async throws {
        let daemon = try FakeDaemon()
        let endpoint = daemon.endpoints.events
        let publisher = try Connection(to: daemon.endpoints, timeoutMilliseconds: 500).publisher()
        try publisher.publish(topic: "gesture/a/b", body: "{}")
        #expect(await eventually { daemon.seen.events.count == 1 })
        daemon.stop()
        let isNoticed = await eventually {
            do throws(ClientError) {
                try publisher.waitForSubscription(to: Array("gesture/a/b".utf8))
                return false
            } catch {
                return error == .noAnswer(endpoint: endpoint, milliseconds: 500)
            }
        }
        #expect(isNoticed)
    }

    @Test func whatIsPushedWaitsWhileNobodyReadsAndComesInOrder() throws {
        let pull = try Socket(.pull, in: ZeroMQ.Context(), .receiveHighWaterMark(5))
        let endpoint = try pull.bind("tcp://127.0.0.1:*")
        let publisher = try Connection(
            to: Endpoints(push: endpoint), timeoutMilliseconds: 300
        ).publisher()
        let body = Array(repeating: UInt8(ascii: "a"), count: 8_000)
        var count = 0
        do throws(ClientError) {
            while count < 100_000 {
                try publisher.publish(topic: Array("\(count)".utf8), body: body)
                count += 1
            }
        } catch {
            #expect(error == .noAnswer(endpoint: endpoint, milliseconds: 300))
        }
        #expect((6..<100_000).contains(count))
        var poller = Poller()
        poller.watch(pull)
        for number in 0..<count {
            while try poller.wait(milliseconds: 5_000) == 0 {
                Issue.record("\(number) of \(count) came")
                return
            }
            let frames = try pull.receiveMessage()
            #expect(frames?.first == Array("\(number)".utf8))
        }
        try publisher.publish(topic: Array("last".utf8), body: body)
    }

    /// By what is given: the address that takes events.
    @Test func eventsGoToTheirOwnDaemon() {
        #expect(Endpoints().eventsTaker == "tcp://127.0.0.1:7414")
        #expect(Endpoints(events: "tcp://a:1").eventsTaker == "tcp://a:1")
        #expect(Endpoints(events: "tcp://a:1", push: "tcp://a:2").eventsTaker == "tcp://a:2")
        var endpoints = Endpoints(push: "tcp://a:2")
        endpoints.events = "tcp://b:1"
        #expect(endpoints.eventsTaker == "tcp://b:1")
        let names = [
            ([:], "tcp://127.0.0.1:7414"), (["GESTURED_EVENTS": "tcp://a:1"], "tcp://a:1"),
            (["GESTURED_EVENTS": "tcp://a:1", "GESTURED_PUSH": "tcp://a:2"], "tcp://a:2"),
            (["GESTURED_CONTROL": "tcp://a:3,tcp://b:3"], "tcp://127.0.0.1:7414"),
        ]
        for (environment, place) in names {
            #expect(Endpoints(environment: environment).eventsTaker == place, "\(environment)")
        }
    }

    @Test func withoutADaemonNothingIsSent() throws {
        let endpoint = "ipc:///tmp/gestured-test-nobody-e"
        let publisher = try Connection(
            to: Endpoints(events: endpoint), timeoutMilliseconds: 20
        ).publisher()
        let error = #expect(throws: ClientError.self) {
            try publisher.publish(topic: "gesture/a/b", body: "{}")
        }
        #expect(error?.description == "no answer from \(endpoint) within 0.02 s")
    }
}

@Suite struct ControlTests {
    @Test func aReplyComesBackWithItsFields() throws {
        let daemon = try FakeDaemon { request in
            .ok(#","name":"gestured","asked":"\#(request["x"]?.string ?? "")""#)
        }
        defer { daemon.stop() }
        let control = try Connection(to: daemon.endpoints).control()
        let reply = try control.request("hello", [Node.Member("x", Node(.string("y")))])
        #expect(reply["asked"]?.string == "y")
        #expect(daemon.seen.requests.first?["op"]?.string == "hello")
    }

    @Test func aRefusalKeepsItsCode() throws {
        let daemon = try FakeDaemon { _ in .refuse("unknown-session") }
        defer { daemon.stop() }
        let control = try Connection(to: daemon.endpoints).control()
        #expect(throws: ClientError.refused(code: "unknown-session", message: "no")) {
            try control.request("snapshot")
        }
    }

    @Test func answersMayComeInAnotherOrder() throws {
        // The first request is answered only when the same is asked for again.
        let daemon = try FakeDaemon { request in
            request["n"]?.int == 0 ? .nothing : .ok(#","n":\#(request["n"]?.int ?? -1)"#)
        }
        defer { daemon.stop() }
        let control = try Connection(to: daemon.endpoints, timeoutMilliseconds: 200).control()
        let requests = (0..<200).map { [Node.Member("n", Node(.integer($0)))] }
        var answered: [Int] = []
        try control.pipeline("publish", Array(requests.dropFirst())) { place, result in
            if let number = try? result.get()["n"]?.int, number == place + 1 {
                answered.append(number)
            }
        }
        #expect(answered.sorted() == Array(1..<200))
        #expect(
            throws: ClientError.noAnswer(endpoint: daemon.endpoints.control, milliseconds: 200)
        ) {
            try control.pipeline("publish", [requests[0]]) { _, _ in }
        }
    }
}
