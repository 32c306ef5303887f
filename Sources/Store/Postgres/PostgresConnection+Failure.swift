import Notation

extension PostgresConnection {
    /// The fields of a failure, by libpq's letters, which are macros.
    static var sqlState: CInt { CInt(UInt8(ascii: "C")) }
    static var primaryMessage: CInt { CInt(UInt8(ascii: "M")) }

    /// The answer that an owner can give to an SQLSTATE:
    /// https://www.postgresql.org/docs/15/errcodes-appendix.html
    static func kind(of code: String) -> StoreError.Kind {
        switch code {
        // A full disk, and a database that takes no writes.
        case "53100", "25006": .full
        case "58030": .disk
        case "XX001", "XX002": .damaged
        // Somebody has removed the tables, or put others in their place.
        case "3F000", "42P01", "42703", "42883": .displaced
        case "42501": .forbidden
        case _ where code.hasPrefix("28"): .forbidden
        default: .unavailable
        }
    }

    /// A connection that is refused has no SQLSTATE; only its words tell.
    static func kind(ofRefusal text: String) -> StoreError.Kind {
        let isForbidden =
            ["authentication failed", "no pg_hba.conf entry"]
            .contains { text.range(ofFirst: $0) != nil }
        return isForbidden ? .forbidden : .unavailable
    }
}
