import CPostgres

extension PostgresTarget {
    /// Why libpq cannot be used, in one line; nil: it can. Loads it, once.
    static var libraryFlaw: String? {
        unsafe gp_postgres_load().map { unsafe String(cString: $0) }
    }

    /// Why libpq cannot read this URL, or these words, in one line; nil: it can. It connects to
    /// nothing.
    package static func flaw(of url: String) -> String? {
        guard !url.utf8.contains(0) else { return "has a character of number 0" }
        if let flaw = libraryFlaw { return flaw }
        var message: UnsafeMutablePointer<CChar>?
        let options = unsafe PQconninfoParse(url, &message)
        defer {
            unsafe PQconninfoFree(options)
            unsafe PQfreemem(message)
        }
        guard unsafe options == nil else { return nil }
        guard let message = unsafe message else { return "cannot be read: out of memory" }
        let text = unsafe String(cString: message)
        return text.split(whereSeparator: \.isNewline).joined(separator: "; ")
    }
}
