import Testing

@testable import Daemon

struct WaitingLineTests {
    @Test func elementsLeaveInTheirOrderHoweverTheyComeAndGo() {
        var line = WaitingLine<Int>()
        var expected: [Int] = []
        var next = 0
        for step in 0..<10_000 {
            switch step % 7 {
            case 0, 1, 2, 5:
                line.append(next)
                expected.append(next)
                next += 1
            case 3:
                let first = line.popFirst()
                #expect(first == expected.removeFirst())
            case 4:
                guard let first = line.popFirst() else { continue }
                line.putFirst(first)
            default:
                let last = line.popLast()
                #expect(last == expected.removeLast())
            }
            #expect(line.count == expected.count && line.isEmpty == expected.isEmpty)
            #expect(line.first == expected.first && line.last == expected.last)
        }
        while let first = line.popFirst() { #expect(first == expected.removeFirst()) }
        #expect(expected.isEmpty && line.first == nil && line.last == nil)
        line.putFirst(7)
        #expect(line.count == 1 && line.first == 7)
    }
}
