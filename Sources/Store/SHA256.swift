/// SHA-256, and its HMAC: FIPS 180-4 and RFC 2104; the test vectors are those of RFC 4231.
enum SHA256 {
    private static let blockBytes = 64

    /// 32 bytes by which nobody tells anything of the key who does not know it.
    static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        let short = key.count > blockBytes ? hash(key) : key
        let padded = short + [UInt8](repeating: 0, count: blockBytes - short.count)
        return hash(padded.map { $0 ^ 0x5c } + hash(padded.map { $0 ^ 0x36 } + message))
    }

    static func hash(_ message: [UInt8]) -> [UInt8] {
        var state = initial
        var bytes = message + [0x80]
        while bytes.count % blockBytes != blockBytes - 8 { bytes.append(0) }
        bytes += words(UInt64(message.count) * 8)
        for start in stride(from: 0, to: bytes.count, by: blockBytes) {
            absorb(bytes[start..<start + blockBytes], into: &state)
        }
        return state.flatMap(words)
    }

    /// The highest byte first.
    private static func words<Word: FixedWidthInteger>(_ word: Word) -> [UInt8] {
        stride(from: Word.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: word >> Word($0))
        }
    }

    private static func absorb(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var schedule = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
            block[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (late, early) = (schedule[index - 2], schedule[index - 15])
            let first = early.turned(7) ^ early.turned(18) ^ early >> 3
            let second = late.turned(17) ^ late.turned(19) ^ late >> 10
            schedule.append(schedule[index - 16] &+ first &+ schedule[index - 7] &+ second)
        }
        var mixed = state
        for index in 0..<64 {
            let (a, e) = (mixed[0], mixed[4])
            let choice = e & mixed[5] ^ ~e & mixed[6]
            let majority = a & mixed[1] ^ a & mixed[2] ^ mixed[1] & mixed[2]
            let sum = e.turned(6) ^ e.turned(11) ^ e.turned(25)
            let first = mixed[7] &+ sum &+ choice &+ constants[index] &+ schedule[index]
            let second = (a.turned(2) ^ a.turned(13) ^ a.turned(22)) &+ majority
            mixed = [
                first &+ second, a, mixed[1], mixed[2], mixed[3] &+ first, e, mixed[5], mixed[6],
            ]
        }
        for index in state.indices { state[index] &+= mixed[index] }
    }

    /// Of the square roots of the first primes, the first bits behind the point.
    private static let initial: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
        0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    /// Of their cube roots.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5,
        0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
        0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc,
        0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
        0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
        0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3,
        0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5,
        0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
        0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

extension UInt32 {
    fileprivate func turned(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
