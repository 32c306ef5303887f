import Testing

@testable import Bridges

@Suite struct DeliveryLedgerTests {
    private let payload = Array("likes".utf8)

    private func id(
        _ ledger: inout DeliveryLedger, _ number: Int, isRepeated: Bool? = false,
        _ payload: [UInt8]? = nil, chance: UInt64
    ) -> String {
        ledger.id(
            of: "t", payload ?? self.payload, number: number, isRepeated: isRepeated,
            chance: chance
        ).id
    }

    @Test func aRepeatedMessageHasItsFirstId() {
        var ledger = DeliveryLedger()
        #expect(id(&ledger, 7, chance: 1) == "mqtt-1")
        #expect(id(&ledger, 7, isRepeated: true, chance: 2) == "mqtt-1")
        // Also after the bridge was killed.
        var next = DeliveryLedger(reading: ledger.text)
        #expect(id(&next, 7, isRepeated: true, chance: 3) == "mqtt-1")
    }

    @Test func anEqualMessageThatIsNotRepeatedIsAnother() {
        var ledger = DeliveryLedger()
        #expect(id(&ledger, 7, chance: 1) == "mqtt-1")
        #expect(id(&ledger, 7, chance: 2) == "mqtt-2")
        #expect(id(&ledger, 7, isRepeated: nil, chance: 3) == "mqtt-3")
        #expect(id(&ledger, 8, isRepeated: true, chance: 4) == "mqtt-4")
        #expect(id(&ledger, 7, isRepeated: true, [1], chance: 5) == "mqtt-5")
    }

    @Test func aMessageOfQoS0LeavesNoTrace() {
        var ledger = DeliveryLedger()
        _ = id(&ledger, 0, chance: 1)
        #expect(ledger.count == 0)
    }

    @Test func onlyTheNewestAreRemembered() {
        var ledger = DeliveryLedger()
        for number in 1...DeliveryLedger.entriesMax + 1 {
            _ = id(&ledger, number, chance: UInt64(number))
        }
        #expect(ledger.count == DeliveryLedger.entriesMax)
        #expect(id(&ledger, 2, isRepeated: true, chance: 0xFFFF) == "mqtt-2")
        #expect(id(&ledger, 1, isRepeated: true, chance: 0xFFFF) == "mqtt-ffff")
    }

    @Test func aDamagedFileLosesOnlyItsBadLines() {
        var ledger = DeliveryLedger()
        _ = id(&ledger, 7, chance: 1)
        var read = DeliveryLedger(reading: "x\n0 0 i\n70000 0 i\n1 zz i\n" + ledger.text + "9 a")
        #expect(read.unread == 5 && read.count == 1)
        #expect(id(&read, 7, isRepeated: true, chance: 2) == "mqtt-1")
    }
}
