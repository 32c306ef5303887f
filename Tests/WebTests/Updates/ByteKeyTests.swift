import Testing

@testable import Web

struct ByteKeyTests {
    /// Names that differ in one byte or in their length are keys of their own.
    @Test func bytesThatDifferAreKeysOfTheirOwn() {
        var all: [[UInt8]] = (0...40).map { Array(repeating: 0, count: $0) }
        for place in 0..<40 {
            var bytes = [UInt8](repeating: 0, count: 40)
            bytes[place] = 1
            all.append(bytes)
        }
        let keys = Set(all.map(ByteKey.init))
        #expect(keys.count == all.count)
        #expect(all.allSatisfy { keys.contains(ByteKey($0)) })
        #expect(Set(all.map { ByteKey($0).hashValue }).count > all.count - 2)
    }
}
