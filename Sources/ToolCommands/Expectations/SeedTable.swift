import Commands
import Manual
import Notation
import Protocol
import Recordings

/// The rows of a sweep of seeds, and the spread of their fields.
struct SeedTable {
    /// The outcome of one seed.
    struct Row: Sendable {
        var seed: UInt64
        /// Milliseconds from the first event to the last update.
        var span: Double
        var updates: Int
        var transitions: Int
        var refused: Int
        var digest: UInt64
        /// The last value of each field; nil: absent.
        var values: [Node?]
        /// The fields that had a value at any time.
        var met: Set<String>

        init(_ recording: Recording, _ run: ObservedRun, _ fields: [String], _ session: String) {
            seed = recording.seed ?? 0
            span = run.end - (recording.events.first?.time ?? 0)
            updates = run.updates
            transitions = run.transitions.values.reduce(0) { $0 + $1.count }
            refused = run.rejections.count
            digest = run.digest
            let series = run.series[session] ?? [:]
            values = fields.map { field in
                series[field]?.values.last ?? (ObservedRun.isBadge(field) ? Node(.integer(0)) : nil)
            }
            met = Set(
                fields.filter { field in
                    ObservedRun.isBadge(field)
                        || series[field]?.values.contains { $0 != nil } ?? false
                })
        }
    }

    private static let columns = ["seed", "ends_ms", "updates", "transitions", "refused", "run"]
    private static let width = 12

    private let fields: [String]
    private let format: String
    private var count = 0
    private var digests: Set<UInt64> = []
    private var met: Set<String> = []
    /// The numbers of each field with their seeds, and its other values.
    private var numbers: [[(value: Double, seed: UInt64)]]
    private var words: [Set<String>]

    private let output: TableOutput

    init(fields: [String], format: String, to output: TableOutput) {
        self.output = output
        self.fields = fields
        self.format = format
        numbers = Array(repeating: [], count: fields.count)
        words = Array(repeating: [], count: fields.count)
    }

    func begin() throws(Failure) {
        switch format {
        case "csv", "parquet": try write(Self.columns + fields)
        case "text":
            try Console.printLine(Style.output(aligned(Self.columns + fields), .dim))
        default: break
        }
    }

    /// Columns to the right, at least two blanks between.
    private func aligned(_ cells: [String]) -> String {
        let names = Self.columns + fields
        return cells.enumerated().map { index, cell in
            let width = index == 0 ? 7 : max(Self.width, names[index].count + 2)
            return String(repeating: " ", count: max(index == 0 ? 0 : 2, width - cell.count)) + cell
        }.joined()
    }

    mutating func add(_ row: Row) throws(Failure) {
        count += 1
        digests.insert(row.digest)
        met.formUnion(row.met)
        for (index, value) in row.values.enumerated() {
            if let number = value?.double {
                numbers[index].append((number, row.seed))
            } else if words[index].count < Self.wordsMax {
                words[index].insert(Self.text(value))
            }
        }
        let digest = String(row.digest >> 32, radix: 16)
        let cells = [
            String(row.seed), short(row.span), String(row.updates), String(row.transitions),
            String(row.refused), String(repeating: "0", count: 8 - digest.count) + digest,
        ]
        switch format {
        case "json": try Console.printJSON(json(row, digest: cells[5]))
        case "csv", "parquet": try write(cells + row.values.map(Self.text))
        default:
            let values = row.values.map { $0 == nil ? "absent" : Self.text($0) }
            try Console.printLine(ShownText(aligned(cells + values)))
        }
    }

    private func write(_ cells: [String]) throws(Failure) {
        try output.write(ShownJSON(lines: TableSink.line(cells)))
    }

    /// Different words of one field that are counted.
    private static let wordsMax = 1_000

    private static func text(_ value: Node?) -> String {
        guard let value, !value.isNull else { return "" }
        if value.members != nil { return "present" }
        return value.string ?? String(decoding: value.json(), as: UTF8.self)
    }

    private func json(_ row: Row, digest: String) -> Node {
        let values = zip(fields, row.values).map { Node.Member($0, $1 ?? Node(.null)) }
        return Node(
            .object([
                .init("seed", Node(.integer(Int(clamping: row.seed)))),
                .init("ends_ms", Node(.number(row.span))),
                .init("updates", Node(.integer(row.updates))),
                .init("transitions", Node(.integer(row.transitions))),
                .init("refused", Node(.integer(row.refused))), .init("run", Node(.string(digest))),
                .init("fields", Node(.object(values))),
            ]))
    }

    /// For a person: how many different runs, and the spread of each field.
    func finish() throws(Failure) {
        if let name = fields.first(where: { !met.contains($0) }) {
            throw .usage("no field '\(name)' with any of these seeds")
        }
        try output.finish()
        guard format == "text" else { return }
        try Console.printLine("")
        try Console.printLine(
            "\(counted(count, "seed")), \(counted(digests.count, "different run"))")
        for (index, field) in fields.enumerated() {
            try Console.printLine("\(Style.output(field, .cyan))  \(spread(index))")
        }
    }

    private func spread(_ index: Int) -> String {
        let sorted = numbers[index].sorted { ($0.value, $0.seed) < ($1.value, $1.seed) }
        var parts: [String] = []
        if let least = sorted.first, let most = sorted.last {
            parts = [
                "least \(short(least.value)) (seed \(least.seed))",
                "median \(short(sorted[(sorted.count - 1) / 2].value))",
                "most \(short(most.value)) (seed \(most.seed))",
            ]
        }
        if !words[index].isEmpty {
            let names = words[index].sorted().prefix(5).map { $0.isEmpty ? "absent" : $0 }
            let more = words[index].count > 5 ? " …" : ""
            parts.append(names.joined(separator: ", ") + more)
        }
        return parts.joined(separator: ", ")
    }
}
