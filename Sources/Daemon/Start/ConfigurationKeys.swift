import Notation

/// The keys of each table of a configuration, as its readers ask for them: a key below the wrong
/// `[table]` is told where it belongs.
struct ConfigurationKeys {
    /// By the table's path; the outermost has none.
    private(set) var known: [String: [String]] = [:]

    /// Refuses the keys of a table that no reader has asked for.
    mutating func finish(_ table: TableReader) throws(TableError) {
        known[Self.table(table.path)] = table.known
        try table.finish()
    }

    /// Completes `it stands …`, where a key that one table does not know is a key of others; nil:
    /// it is none.
    static func rightPlace(of error: TableError) -> String? {
        guard let key = error.unknownKey else { return nil }
        let own = table(error.path)
        let places = all.known.keys.sorted().filter {
            $0 != own && all.known[$0]?.contains(key) == true
        }
        guard !places.isEmpty else { return nil }
        let names = places.map { $0.isEmpty ? "at the top, above all [tables]" : "in [\($0)]" }
        return names.joined(separator: ", or ")
    }

    /// The table's name in messages: clients have any names.
    private static func table(_ path: String) -> String {
        path.hasPrefix(clients) ? clients + "NAME" : path
    }

    private static let clients = "security.clients."

    /// Those of a file that has each table.
    private static let all: ConfigurationKeys = {
        let empty = Node(.object([]))
        let client = Node(.object([.init("clients", Node(.object([.init("*", empty)])))]))
        let names = ["sessions", "store", "cluster", "sockets", "log"]
        let tables = names.map { Node.Member($0, empty) } + [.init("security", client)]
        var (configuration, keys) = (Configuration(), ConfigurationKeys())
        do throws(TableError) {
            try configuration.read(Node(.object(tables)), noting: &keys)
        } catch {
            preconditionFailure("empty tables are refused: \(error)")
        }
        return keys
    }()
}
