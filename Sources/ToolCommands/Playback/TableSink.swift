import Codec
import Commands
import Interactions
import Notation
import Protocol
import Sessions
import Simulation

/// Turns states into rows of comma-separated values, as RFC 4180 has them but for the line end.
///
/// Without fields each view of each state is a row. With fields each instant at which one of them
/// was published is a row, and those that are absent then are empty.
final class TableSink: MessageSink {
    /// Bytes of a table that wait for its end; an hour of a busy screen.
    static let bytesMax = 1_073_741_824
    private static let viewColumns = ["x", "y", "w", "h", "rotation", "scale", "alpha", "z", "cut"]

    let isFull = false
    private var fields: Fields?
    private var row: (time: String, session: String, values: [String])?
    private var text: [UInt8] = []
    private var failure: Failure?
    private let output: TableOutput

    init(_ names: [String]?, to output: TableOutput) {
        self.output = output
        fields = names.map { Fields($0) }
        let columns =
            names.map { ["t", "session"] + $0 }
            ?? ["t", "session", "component", "phase", "view"] + Self.viewColumns
        append(columns)
    }

    func message(_ topic: UpdateTopic, _ body: (inout ByteBuffer) -> Void) {
        guard failure == nil, case .state(let session, let component) = topic else { return }
        var buffer = ByteBuffer()
        body(&buffer)
        guard let state = try? Document.json(buffer.array()) else { return }
        let time = Self.cell(state["t"])
        if fields == nil {
            appendViews(of: state, [time, session, component, Self.cell(state["phase"])])
        } else {
            take(state, component, time, session)
        }
        // Rows of fields wait for their end: only then is it known whether all fields exist.
        if fields == nil && text.count > 65_536 { flush() }
        if text.count > Self.bytesMax {
            failure = .file("more than \(Self.bytesMax) bytes of rows; end earlier by --until")
        }
    }

    private func appendViews(of state: Node, _ head: [String]) {
        let views = state["views"]?.members ?? []
        for view in views {
            append(
                head + [view.name]
                    + Self.viewColumns.map { key in
                        let value = Self.cell(view.value[key])
                        return key == "cut" && value.isEmpty ? "0" : value
                    })
        }
        if views.isEmpty {
            append(head + Array(repeating: "", count: 1 + Self.viewColumns.count))
        }
    }

    private func take(_ state: Node, _ component: String, _ time: String, _ session: String) {
        let values = fields?.values(of: component, state) ?? []
        if values.isEmpty { return }
        if row?.time != time || row?.session != session { endRow() }
        var current =
            row ?? (time, session, Array(repeating: "", count: fields?.names.count ?? 0))
        for (index, value) in values { current.values[index] = Self.cell(value) }
        row = current
    }

    private func endRow() {
        if let row { append([row.time, row.session] + row.values) }
        row = nil
    }

    private static func cell(_ node: Node?) -> String {
        guard let node, !node.isNull else { return "" }
        return node.string ?? String(decoding: node.json(), as: UTF8.self)
    }

    private func append(_ cells: [String]) { text += Self.line(cells) }

    static func line(_ cells: [String]) -> [UInt8] {
        let quoted = cells.map { cell in
            cell.contains { ",\"\n\r".contains($0) }
                ? "\"\(cell.replacingEach("\"", with: "\"\""))\"" : cell
        }
        return Array((quoted.joined(separator: ",") + "\n").utf8)
    }

    private func flush() {
        guard failure == nil else { return }
        do throws(Failure) {
            try output.write(ShownJSON(lines: text))
        } catch {
            failure = error
        }
        text.removeAll(keepingCapacity: true)
    }

    func finish() throws(Failure) {
        endRow()
        if let complaint = fields?.complaint { throw .usage("\(complaint)") }
        flush()
        if let failure { throw failure }
        try output.finish()
    }
}
