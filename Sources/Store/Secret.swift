import CSodium

/// A key that an administrator keeps apart from the database, so that nobody who has the database
/// alone can tell by its hashes which ids were applied.
package struct Secret: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMin = 16
    package static let bytesMax = 4_096

    private let bytes: [UInt8]

    /// Nil if it has too few bytes or too many.
    package init?(_ bytes: [UInt8]) {
        guard (Self.bytesMin...Self.bytesMax).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Never shows the secret.
    package var description: String { "(a key)" }

    /// The key of the ids' hashes: this secret mixed with the store's own key.
    func mixed(with key: UInt128) -> UInt128 { derive("gestured: ids", key) }

    /// A store keeps this to recognize the secret.
    func check(with key: UInt128) -> UInt128 { derive("gestured: check", key) }

    private func derive(_ purpose: String, _ key: UInt128) -> UInt128 {
        let message = Array(purpose.utf8) + [0] + key.bytes
        let digest = Self.authenticate(message, key: bytes)
        return UInt128(bytes: Array(digest.prefix(16))) ?? 0
    }

    /// HMAC-SHA-256, RFC 2104: 32 bytes that reveal nothing of the key.
    static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var state = crypto_auth_hmacsha256_state()
        var digest = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_bytes()))
        // None of them can fail.
        _ = unsafe crypto_auth_hmacsha256_init(&state, key, key.count)
        _ = unsafe crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
        _ = unsafe crypto_auth_hmacsha256_final(&state, &digest)
        return digest
    }
}

extension Secret {
    /// The secret with which a store was begun, and whether it remembers ids by it.
    private struct Begun {
        /// The store's own key.
        var key: UInt128
        var check: UInt128?
        var hasMarks: Bool
    }

    /// Throws `otherKey` unless the file was begun with this secret, or with none if it is nil. A
    /// file that was begun without a secret and remembers no ids yet takes one.
    static func refuseOther(
        _ secret: Secret?, _ connection: SQLiteConnection
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

    /// Nil: the file is new. Layout 1 knows no secrets.
    private static func begun(_ connection: SQLiteConnection) throws(StoreError) -> Begun? {
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
