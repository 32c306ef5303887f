import Foundation
import Testing

@testable import Daemon
@testable import Supervision

struct ServiceManagerTests {
    @Test(arguments: [false, true])
    func everyChangeIsOneDatagramInItsOrder(isAbstract: Bool) throws {
        let receiver = try Receiver(isAbstract: isAbstract)
        let manager = ServiceManager(path: receiver.path, watchdog: 1)
        manager.notify(.ready)
        manager.notify(status: "good")
        manager.notify(.reloading(since: 1_234_567))
        manager.notify(.ready)
        manager.feedWatchdog()
        manager.notify(.stopping)
        manager.notify(.extended(by: 30_000_000_000))
        #expect(
            receiver.texts() == [
                "READY=1", "STATUS=good", "RELOADING=1\nMONOTONIC_USEC=1234", "READY=1",
                "WATCHDOG=1", "STOPPING=1", "EXTEND_TIMEOUT_USEC=30000000",
            ])
    }

    @Test func aStatusIsSentOnceAndOnOneLine() throws {
        let receiver = try Receiver()
        let manager = ServiceManager(path: receiver.path, watchdog: nil)
        for status in ["1", "1", "2\nREADY=1", "2\nREADY=1", "1"] { manager.notify(status: status) }
        #expect(receiver.texts() == ["STATUS=1", "STATUS=2\\u{a}READY=1", "STATUS=1"])
    }

    @Test func anUnrequestedWatchdogIsNotFedAndAMissingManagerIsIgnored() throws {
        let receiver = try Receiver()
        let manager = ServiceManager(path: receiver.path, watchdog: nil)
        manager.feedWatchdog()
        #expect(receiver.texts().isEmpty)
        // Nobody is there at all; neither waits nor traps.
        for path in ["", "/nowhere/at/all", String(repeating: "x", count: 200)] {
            let nobody = ServiceManager(path: path, watchdog: 1)
            nobody.notify(.ready)
            nobody.notify(status: "good")
            nobody.feedWatchdog()
        }
    }

    @Test func aPathThatNoSocketCanHaveOpensNothing() {
        let paths = ["", String(repeating: "x", count: 108), String(repeating: "x", count: 4_096)]
        for path in paths {
            let manager = ServiceManager(path: path, watchdog: 1)
            #expect(!manager.isOpen && manager.watchdog == nil)
        }
        #expect(ServiceManager(path: String(repeating: "x", count: 107), watchdog: 1).isOpen)
    }

    @Test func unsentChangesAreSentLaterWithoutWatchdogMessages() throws {
        let receiver = try Receiver()
        let manager = ServiceManager(path: receiver.path, watchdog: 1)
        // More than any kernel lets wait for a reader.
        for number in 0..<5_000 { manager.notify(status: "\(number)") }
        manager.notify(.reloading(since: 0))
        manager.notify(.ready)
        manager.feedWatchdog()
        let first = receiver.texts()
        #expect(!first.contains { $0.hasPrefix("R") || $0.hasPrefix("W") })
        manager.flush()
        #expect(
            receiver.texts() == [
                "RELOADING=1\nMONOTONIC_USEC=0", "READY=1", "STATUS=4999",
            ])
    }

    @Test func onlyTheLastUnsentChangesAreSent() throws {
        let receiver = try Receiver()
        let manager = ServiceManager(path: receiver.path, watchdog: nil)
        for number in 0..<5_000 { manager.notify(status: "\(number)") }
        for time in 0..<100 {
            manager.notify(.reloading(since: time * 1_000))
            manager.notify(.ready)
        }
        // The kernel may let ten of them wait, or hundreds.
        var told: [String] = []
        for _ in 0..<5 {
            told += receiver.texts()
            manager.flush()
        }
        told.removeAll { $0.hasPrefix("STATUS") }
        #expect(told.count == 16)
        #expect(told.suffix(2) == ["RELOADING=1\nMONOTONIC_USEC=99", "READY=1"])
        #expect(told.first?.hasPrefix("RELOADING") == true)
    }

    @Test(
        arguments: [
            ("10000000", nil, 10_000_000_000), ("10000000", "77", 10_000_000_000),
            ("10000000", "78", nil), ("10000000", "x", nil), ("0", nil, nil), ("-5", nil, nil),
            ("soon", nil, nil), (nil, "77", nil), ("9223372036854775807", nil, nil),
        ] as [(String?, String?, Int?)])
    func theWatchdogIsTheEnvironmentsAndThisProcesses(
        time: String?, process: String?, expected: Int?
    ) {
        #expect(
            ServiceManager.watchdog(microseconds: time, process: process, own: 77) == expected)
    }

    @Test(
        arguments: [
            (
                1, 0, StoreHealth.good, nil,
                "1 session, 0 moving; 3 events/s, 4 updates/s; store: good"
            ),
            (
                2, 1, .waiting(seconds: 7), nil,
                "2 sessions, 1 moving; 3 events/s, 4 updates/s; store: WAITS FOR THE DISK for 7 s"
            ),
            (
                0, 0, .off, "f",
                "0 sessions, 0 moving; 3 events/s, 4 updates/s; nothing is stored, as configured; f"
            ),
        ] as [(Int, Int, StoreHealth, String?, String)])
    func theStatusIsOneLine(
        sessions: Int, moving: Int, store: StoreHealth, flaw: String?, line: String
    ) {
        let text = StatusLine.text(
            sessions: sessions, moving: moving, eventsPerSecond: 3, updatesPerSecond: 4,
            store: store, flaw: flaw)
        #expect(text == line)
    }
}
