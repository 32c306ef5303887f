import Notation

extension ByteBuffer {
    /// Appends a value by its own `Codable`: the text of `Node(encoding:)`, without building the
    /// tree.
    package mutating func json(encoding value: some Encodable) {
        let output = JSONOutput()
        swap(&output.buffer, &self)
        ValueEncoder.encode(value, into: output)
        swap(&output.buffer, &self)
    }

    /// The shortest text of a finite number that reads back as it, always with a fraction or an
    /// exponent.
    fileprivate mutating func json(number value: Double) {
        // Most numbers are whole, and their digits are found much faster.
        if let whole = Int(exactly: value), whole.magnitude < 1_000_000_000_000, whole != 0 {
            json(whole)
            append(".0")
        } else if value.bitPattern == 0 {
            append("0.0")
        } else {
            json(exactly: value)
        }
    }
}

/// Writes the parts of a value as JSON text.
private final class JSONOutput: EncodingOutput {
    var buffer = ByteBuffer(capacity: 64)

    func openTable() { buffer.append(UInt8(ascii: "{")) }
    func closeTable() { buffer.append(UInt8(ascii: "}")) }
    func openList() { buffer.append(UInt8(ascii: "[")) }
    func closeList() { buffer.append(UInt8(ascii: "]")) }

    func startMember(_ name: String, isFirst: Bool) { buffer.member(name, isFirst: isFirst) }

    func startElement(isFirst: Bool) {
        if !isFirst { buffer.append(UInt8(ascii: ",")) }
    }

    func writeNull() { buffer.append("null") }
    func write(_ truth: Bool) { buffer.json(truth) }
    func write(_ text: String) { buffer.json(text) }
    func write(_ number: Double) { buffer.json(number: number) }
    func write(_ whole: Int) { buffer.json(whole) }
    func write(_ tree: Node) { buffer.json(tree) }
}
