import CSodium

/// What an administrator keeps apart from the database, so that whoever has that one alone cannot
/// tell by its hashes which ids were applied.
package struct Secret: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMin = 16
    package static let bytesMax = 4_096

    private let bytes: [UInt8]

    /// Nil where it has too few bytes, or too many.
    package init?(_ bytes: [UInt8]) {
        guard (Self.bytesMin...Self.bytesMax).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Never what it is.
    package var description: String { "(a key)" }

    /// The key of the ids' hashes, of this and of the store's own key.
    func mixed(with key: UInt128) -> UInt128 { derive("gestured: ids", key) }

    /// What a store keeps of it to know it again.
    func check(with key: UInt128) -> UInt128 { derive("gestured: check", key) }

    private func derive(_ purpose: String, _ key: UInt128) -> UInt128 {
        let message = Array(purpose.utf8) + [0] + key.bytes
        let digest = Self.authenticate(message, key: bytes)
        return UInt128(bytes: Array(digest.prefix(16))) ?? 0
    }

    /// HMAC-SHA-256, RFC 2104: 32 bytes by which nobody tells anything of the key.
    static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var state = crypto_auth_hmacsha256_state()
        var digest = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_bytes()))
        // None of them fails: they return 0 whatever they are given.
        _ = unsafe crypto_auth_hmacsha256_init(&state, key, key.count)
        _ = unsafe crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
        _ = unsafe crypto_auth_hmacsha256_final(&state, &digest)
        return digest
    }
}

extension Secret {
    /// What a store was begun with, and whether it remembers ids by it.
    private struct Begun {
        /// The store's own key.
        var key: UInt128
        var check: UInt128?
        var hasMarks: Bool
    }

    /// Refuses the secret that a file was not begun with, or none where it was with one; nil or one
    /// for a file that remembers no ids yet and was begun without is as good as from the beginning.
    static func refuseOther(
        _ secret: Secret?, _ connection: Connection
    ) throws(StoreError) {
        guard let begun = try begun(connection) else { return }
        let path = connection.path
        switch (begun.check, secret) {
        case (nil, nil): return
        case (nil, .some):
            guard begun.hasMarks else { return }
            throw StoreError(
                .otherKey,
                "\(path): was begun without a key, and by one the ids it remembers would not be "
                    + "known again; start without the key, or move the file away to begin anew")
        case (.some, nil):
            throw StoreError(
                .otherKey,
                "\(path): was begun with a key, and there is none; give it the credential "
                    + "gestured.key or the configuration's [store] key_file")
        case (let check?, let secret?):
            guard secret.check(with: begun.key) != check else { return }
            throw StoreError(
                .otherKey,
                "\(path): was begun with another key; give it that one, or move the file away to "
                    + "begin anew")
        }
    }

    /// Nil: it is new. Layout 1 knows no secrets.
    private static func begun(_ connection: Connection) throws(StoreError) -> Begun? {
        let version = try connection.number("PRAGMA user_version")
        guard version > 0 else { return nil }
        let column = version > 1 ? "secret" : "NULL"
        let select = try connection.prepare("SELECT key, \(column) FROM store")
        guard try select.step(), let key = UInt128(bytes: select.bytes(0)) else { return nil }
        let marks = try connection.number("SELECT EXISTS (SELECT 1 FROM seen)")
        return Begun(
            key: key, check: UInt128(bytes: select.bytes(1)), hasMarks: marks > 0)
    }
}

extension UInt128 {
    /// Sixteen of them, the highest first.
    var bytes: [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: self >> UInt128(120 - 8 * $0)) }
    }

    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self = bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }
}
