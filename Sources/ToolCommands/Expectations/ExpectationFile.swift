import Commands
import Notation
import Protocol

extension Expectations {
    /// Bytes of a file of expectations.
    static let fileBytesMax = 4 * 1_024 * 1_024
    private static let reserved: Set = [
        "name", "session", "at", "after", "plus", "from", "tolerance", "transitions",
    ]

    /// Reads a file; throws `file:line: table, key: message`.
    init(path: String) throws(Failure) {
        try self.init(try readFile(path), file: path)
    }

    init(_ bytes: [UInt8], file: String) throws(Failure) {
        guard bytes.count <= Self.fileBytesMax else {
            throw .file("\(file): larger than \(Self.fileBytesMax / 1_048_576) MiB")
        }
        let root: Node
        do throws(DocumentError) {
            root = try Document.toml(bytes)
        } catch {
            let place = [error.line, error.column].compactMap { $0.map { ":\($0)" } }.joined()
            throw .file("\(file)\(place): \(error.message)")
        }
        do throws(TableError) {
            try read(root)
        } catch {
            let place = error.line.map { ":\($0)" } ?? ""
            throw .file("\(file)\(place): \(error.description)")
        }
    }

    private mutating func read(_ root: Node) throws(TableError) {
        var table = try TableReader(root, path: "")
        scene = try table.string("scene")
        let session = try table.name("session")
        let tolerance = try table.tolerance(default: Self.toleranceDefault)
        if let node = table.node("rejections") {
            rejections = try Self.rejections(node, table)
            rejectionsLine = node.line
        }
        try table.require("expect")
        let entries = try table.tables("expect", countMin: 1, countMax: Self.countMax) ?? []
        try table.finish()
        for (index, entry) in entries.enumerated() {
            try read(entry, index, session, tolerance)
        }
    }

    private static func rejections(
        _ node: Node, _ table: TableReader
    ) throws(TableError) -> Rejections {
        if node.string == "any" { return .any }
        if let list = node.array {
            let codes = list.compactMap(\.string)
            if codes.count == list.count { return .codes(codes) }
        }
        throw table.error("rejections", "must be \"any\" or a list of codes, as [\"busy\"]")
    }

    /// One table `[[expect]]`: when, and then fields and transitions.
    private mutating func read(
        _ node: Node, _ index: Int, _ session: String?, _ tolerance: Double
    ) throws(TableError) {
        let path = "expect \(index + 1)"
        // A component may have the name of a key: it is a table then.
        let members = (node.members ?? []).filter { member in
            Self.reserved.contains(member.name) && member.value.members == nil
        }
        var table = try TableReader(
            node.members == nil ? node : Node(.object(members), line: node.line), path: path)
        let title = try table.string("name") ?? ""
        let session = try table.name("session") ?? session
        let tolerance = try table.tolerance(default: tolerance)
        let moment = try Self.moment(&table)
        let begin = try Self.begin(&table)
        func add(_ subject: Expectation.Subject, line: Int?, keys: [String]) throws(TableError) {
            guard all.count < Self.countMax else {
                throw TableError(path: path, message: "more than \(Self.countMax) expectations")
            }
            all.append(
                Expectation(
                    title: title, session: session, moment: moment, subject: subject,
                    line: line ?? node.line ?? 0, keys: keys, table: index))
        }
        let before = all.count
        if let list = table.node("transitions") {
            let transitions = try Self.transitions(list, table, tolerance)
            if case .at(let end) = moment, case .at(let first) = begin, first > end {
                throw table.error("from", "must not be later than at")
            }
            try add(.transitions(transitions, from: begin), line: list.line, keys: ["transitions"])
        } else if table.node("from") != nil {
            throw table.error("from", "needs transitions")
        }
        for member in node.members ?? [] where !members.contains(where: { $0 == member }) {
            for leaf in try Self.leaves(member, path, tolerance) {
                guard leaf.keys.count > 1 || member.name.contains(".") else {
                    let known = Self.reserved.sorted()
                    let hint =
                        nearestName(to: member.name, among: known)
                        .map { ", did you mean \"\($0)\"? The" } ?? ","
                    throw TableError(
                        path: path, line: leaf.line,
                        message: "unknown key \"\(TableReader.shortened(member.name))\"\(hint) "
                            + knownNames(nearestTo: member.name, among: known))
                }
                try add(
                    .field(path: leaf.keys.joined(separator: "."), leaf.value), line: leaf.line,
                    keys: leaf.keys)
            }
        }
        if all.count == before {
            throw TableError(
                path: path, line: node.line,
                message: "expects nothing: name a field, as toss.phase = \"resting\"")
        }
        // TOML's tables come sorted by name; a person reads from the top.
        all[before...].sort { $0.line < $1.line }
    }

    private static func moment(_ table: inout TableReader) throws(TableError) -> Expectation.Moment
    {
        let at = table.node("at")
        let after = table.node("after")
        let plus = table.node("plus")
        if at != nil && after != nil { throw table.error("after", "does not go with at") }
        if plus != nil && after == nil { throw table.error("plus", "needs after") }
        var wait = 0.0
        if let plus {
            guard let number = plus.double, number >= 0, number <= 1e12 else {
                throw table.error("plus", "must be milliseconds, from 0 up")
            }
            wait = number
        }
        if let at {
            if at.string == "end" { return .end }
            guard let time = at.double, time >= 0, time <= 1e12 else {
                throw table.error("at", "must be milliseconds after the first event, or \"end\"")
            }
            return .at(time)
        }
        guard let after else { return .end }
        if let text = after.string, !text.isEmpty { return .caption(text, plus: wait) }
        guard let number = after.int, number >= 1 else {
            throw table.error("after", "must be an event's number, from 1, or a caption's text")
        }
        return .event(number, plus: wait)
    }

    private static func begin(_ table: inout TableReader) throws(TableError) -> Expectation.Moment {
        guard let from = table.node("from") else { return .at(0) }
        if let text = from.string, !text.isEmpty { return .caption(text, plus: 0) }
        guard let time = from.double, time >= 0, time <= 1e12 else {
            throw table.error("from", "must be milliseconds, or a caption's text")
        }
        return .at(time)
    }

    /// The values below a key, with their keys; a list or a text is one value.
    private static func leaves(
        _ member: Node.Member, _ path: String, _ tolerance: Double
    ) throws(TableError) -> [(keys: [String], value: ExpectedValue, line: Int?)] {
        if let members = member.value.members {
            var all: [(keys: [String], value: ExpectedValue, line: Int?)] = []
            for inner in members {
                all += try leaves(inner, path, tolerance).map {
                    ([member.name] + $0.keys, $0.value, $0.line)
                }
            }
            return all
        }
        let isPoints = ["x", "y", "w", "h"].contains(
            member.name.split(separator: ".").last.map(String.init) ?? "")
        do throws(ExpectedValue.Fault) {
            let value = try ExpectedValue(
                member.value, tolerance: isPoints ? tolerance : Self.toleranceDefault)
            return [([member.name], value, member.value.line)]
        } catch {
            throw TableError(
                path: path, key: member.name, line: member.value.line, message: error.message)
        }
    }
}

extension TableReader {
    fileprivate mutating func tolerance(default: Double) throws(TableError) -> Double {
        guard let node = node("tolerance") else { return `default` }
        guard let number = node.double, number >= 0, number.isFinite else {
            throw error("tolerance", "must be a number of points, from 0 up")
        }
        return number
    }
}
