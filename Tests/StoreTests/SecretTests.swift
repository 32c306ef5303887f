import Foundation
import StoreSupport
import Testing

@testable import Store

struct SecretTests {
    let scratch: Scratch
    private let secret: Secret
    private let other: Secret

    init() throws {
        scratch = try Scratch()
        secret = try #require(Secret(Array("a secret of sixteen bytes".utf8)))
        other = try #require(Secret(Array("b secret of sixteen bytes".utf8)))
    }

    private func open(_ secret: Secret?) throws -> SQLiteStore {
        try SQLiteStore(scratch.path, .full, newKey: 7, secret: secret)
    }

    /// All of the file's content, with its log.
    private func content() throws -> [Data?] {
        ["", "-wal"].map { FileManager.default.contents(atPath: scratch.path + $0) }
    }

    private let marked = StoredSession(
        id: "alice", state: Array("1".utf8), lastUsed: 1, seen: [SeenMark(place: 0, hash: 5)])

    @Test func aSecretHasItsBounds() {
        for (count, isGood) in [(0, false), (15, false), (16, true), (4_096, true), (4_097, false)]
        {
            #expect((Secret([UInt8](repeating: 1, count: count)) != nil) == isGood, "\(count)")
        }
        #expect("\(secret)" == "(a key)")
    }

    @Test func aSecretIsMixedWithTheStoresKeyAndTheSameEachTime() throws {
        let first = try open(secret).identity.key
        #expect(first == secret.mixed(with: 7) && first != 7)
        #expect(try open(secret).identity.key == first)
        #expect(secret.mixed(with: 8) != first && other.mixed(with: 7) != first)
        #expect(secret.check(with: 7) != first)
    }

    @Test func theFileHasNeitherTheSecretNorTheMixedKey() throws {
        let store = try open(secret)
        try store.commit([.put(marked)])
        for data in try content().compactMap({ $0 }) {
            #expect(data.range(of: Data("a secret of".utf8)) == nil)
            #expect(data.range(of: Data(secret.mixed(with: 7).bytes)) == nil)
        }
    }

    /// The first key, the key that it meets, and words of the refusal; nil: it is accepted.
    private static let meetings: [(begun: Int, met: Int, hasMarks: Bool, refusal: String?)] = [
        (0, 0, true, nil), (1, 1, true, nil),
        (1, 2, true, "another key"), (1, 2, false, "another key"),
        (1, 0, true, "gestured.key"), (1, 0, false, "gestured.key"),
        (0, 1, true, "without a key"),
        // It remembers nothing yet that another key would not know.
        (0, 1, false, nil),
    ]

    @Test(arguments: 0..<meetings.count)
    func aStoreKeepsTheKeyThatItWasBegunWith(row: Int) throws {
        let (begun, met, hasMarks, refusal) = Self.meetings[row]
        let secrets = [nil, secret, other]
        var store: SQLiteStore? = try open(secrets[begun])
        var session = marked
        if !hasMarks { session.seen = [] }
        try store?.commit([.put(session)])
        try store?.close()
        store = nil
        let before = try content()
        guard let refusal else {
            let key = try open(secrets[met]).identity.key
            #expect(key == secrets[met]?.mixed(with: 7) ?? 7)
            #expect(try open(secrets[met]).makeReader().session("alice") == session)
            return
        }
        let error = #expect(throws: StoreError.self) { try open(secrets[met]) }
        #expect(error?.kind == .otherKey && error?.description.contains(refusal) == true)
        #expect(error?.description.contains("\n") == false)
        #expect(try content() == before, "something was changed")
        #expect(try open(secrets[begun]).makeReader().session("alice") == session)
    }

    @Test func aFileOfTheLayoutWithoutSecretsIsMigratedWithWhatItHolds() throws {
        try makeFileOfTheFirstLayout(with: [marked])
        #expect(throws: StoreError.self) { try open(secret) }
        #expect(
            try SQLiteConnection(scratch.path, .read).number("PRAGMA user_version") == 1,
            "migrated though it was refused")
        let store = try open(nil)
        #expect(store.identity.key == 7)
        #expect(try store.makeReader().session("alice") == marked)
        #expect(
            try SQLiteConnection(scratch.path, .read).number("PRAGMA user_version")
                == SQLiteSchema.migrations.count)
    }

    private func makeFileOfTheFirstLayout(with sessions: [StoredSession]) throws {
        let store = try open(nil)
        try store.commit(sessions.map { .put($0) })
        try store.close()
        try SQLiteConnection(scratch.path, .write).run(
            """
            ALTER TABLE store DROP COLUMN secret; DROP TABLE forgotten; PRAGMA user_version = 1
            """)
    }

    @Test func anEmptyFileOfTheLayoutWithoutSecretsTakesOne() throws {
        try makeFileOfTheFirstLayout(with: [])
        #expect(try open(secret).identity.key == secret.mixed(with: 7))
        #expect(throws: StoreError.self) { try open(nil) }
    }

    @Test func aKnownSecretIsNotWrittenAgainSoALockedStoreOpens() throws {
        try open(secret).close()
        let other = try SQLiteConnection(scratch.path, .write)
        try other.run("BEGIN IMMEDIATE")
        let store = try open(secret)
        #expect(store.identity.key == secret.mixed(with: 7) && !store.hasBegun)
        try other.run("ROLLBACK")
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// RFC 4231: key, message, and the authentication.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0b, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131),
            "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func authenticationsAreThoseOfTheStandard(key: [UInt8], message: String, digest: String) {
        #expect(hexadecimal(Secret.authenticate(Array(message.utf8), key: key)) == digest)
    }
}
