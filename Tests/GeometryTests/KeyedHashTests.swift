import Geometry
import Testing

@Suite struct KeyedHashTests {
    /// Key 00 01 … 0f, messages 00 01 02 … of some bytes. The first three are the authors'
    /// (vectors.h); all agree with `openssl mac -macopt size:16 SIPHASH`.
    @Test(arguments: [
        (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
        (2, "8177228da4a45dc7fca38bdef60affe4"), (7, "a1f1ebbed8dbc153c0b84aa61ff08239"),
        (8, "3b62a9ba6258f5610f83e264f31497b4"), (15, "5493e99933b0a8117e08ec0f97cfc3d9"),
        (16, "6ee2a4ca67b054bbfd3315bf85230577"), (63, "5150d1772f50834a503e069a973fbd7c"),
    ])
    func itIsSipHash(count: Int, expected: String) {
        let key = UInt128(0x0f0e_0d0c_0b0a_0908) << 64 | UInt128(0x0706_0504_0302_0100)
        let hash = KeyedHash(key: key)((0..<count).map { UInt8($0) })
        #expect(hash.byteSwapped == UInt128(expected, radix: 16))
    }

    @Test func aTextIsItsBytes() {
        let hash = KeyedHash(key: 42)
        for text in ["", "a", "n-17", "grüße", String(repeating: "x", count: 64)] {
            #expect(hash(text) == hash(Array(text.utf8)))
        }
        #expect(hash("n-17") != hash("n-18"))
        #expect(hash("n-17") != KeyedHash(key: 43)("n-17"))
    }
}
