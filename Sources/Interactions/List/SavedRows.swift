package import Notation

/// The order of a list's rows where commands changed it: runs of the scene's own rows, and the
/// rows that commands brought. Its keys are the store's format.
package struct SavedRows: Hashable, Sendable {
    private enum Part: Hashable, Sendable {
        /// So many of the scene's rows, from one of them on.
        case run(from: Int, count: Int)
        /// One that a command brought.
        case row(ListRow)
    }

    /// The mark of the scene's rows: places count in a list of the same ids alone.
    private var mark: UInt64
    private(set) var version: Int
    private var parts: [Part] = []

    init(_ rows: ListedRows, version: Int, of scene: ListedRows) {
        mark = scene.mark
        self.version = version
        var run: (from: Int, count: Int)?
        for row in rows.rows {
            if let open = run, row.origin == open.from + open.count {
                run = (open.from, open.count + 1)
                continue
            }
            if let run { parts.append(.run(from: run.from, count: run.count)) }
            run = row.origin.map { ($0, 1) }
            if row.origin == nil { parts.append(.row(row)) }
        }
        if let run { parts.append(.run(from: run.from, count: run.count)) }
    }

    /// The rows in a list whose scene has these; nil: the scene has others now, or the document is
    /// damaged.
    func rows(of scene: ListedRows) -> ListedRows? {
        guard mark == scene.mark else { return nil }
        var (rows, ids) = ([ListRow](), Set<String>())
        for part in parts {
            switch part {
            case .row(let row): rows.append(row)
            case .run(let from, let count):
                guard from >= 0, count > 0, count <= scene.count, from <= scene.count - count
                else { return nil }
                rows += scene.rows[from..<from + count]
            }
            guard rows.count <= List.listedRowsMax else { return nil }
        }
        for row in rows where !ids.insert(row.id).inserted { return nil }
        let listed = ListedRows(rows)
        return listed.contentBytes <= Limits.contentBytesMax ? listed : nil
    }
}

extension SavedRows: Codable {
    package init(from decoder: any Decoder) throws {
        let node = try Node(from: decoder)
        do throws(TableError) {
            try self.init(node)
        } catch {
            throw decoder.error(error.description)
        }
    }

    private init(_ node: Node) throws(TableError) {
        var table = try TableReader(node, path: "")
        for key in ["of", "order"] { try table.require(key) }
        guard let mark = UInt64(try table.string("of", default: ""), radix: 16) else {
            throw table.error("of", "must be a number of 64 bits")
        }
        self.mark = mark
        version = try table.whole("version", default: 1, in: 1...Limits.rowsVersionMax)
        guard let entries = table.node("order")?.array, entries.count <= List.listedRowsMax else {
            throw table.error("order", "must be a list of at most \(List.listedRowsMax)")
        }
        for entry in entries {
            if let run = entry.array?.map(\.int) {
                guard run.count == 2, let from = run[0], let count = run[1] else {
                    throw table.error("order", "must have runs of two whole numbers")
                }
                parts.append(.run(from: from, count: count))
            } else {
                parts.append(.row(try ListRow(entry, path: "", origin: nil)))
            }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        let order = parts.map { part in
            switch part {
            case .run(let from, let count):
                Node(.array([Node(.integer(from)), Node(.integer(count))]))
            case .row(let row): row.node
            }
        }
        var container = encoder.singleValueContainer()
        try container.encode(
            Node(
                .object([
                    Node.Member("of", Node(.string(String(mark, radix: 16)))),
                    Node.Member("version", Node(.integer(version))),
                    Node.Member("order", Node(.array(order))),
                ])))
    }
}

extension Limits {
    /// A version of a list's rows that a saved or imported session may have reached: three
    /// quarters of what JSON holds exactly.
    package static let rowsVersionMax = 3 << 51
}
