import Geometry
import Interactions
import Notation
import Protocol

/// Writes the fields that a component presents as members of JSON objects.
///
/// It points at the buffer instead of holding it, because sinks are copyable and buffers are not;
/// only `UpdateBody.state` makes one, and it does not outlive that call.
@safe
struct JSONStateSink: StateSink {
    private let buffer: UnsafeMutablePointer<ByteBuffer>
    /// Whether the open object has no member yet.
    private var isFirst = true

    /// Added to the `cut` of each view.
    private let cutFloor: Int

    init(_ buffer: UnsafeMutablePointer<ByteBuffer>, cutFloor: Int = 0) {
        unsafe self.buffer = buffer
        self.cutFloor = cutFloor
    }

    private func raised(_ state: ViewState) -> ViewState {
        var state = state
        state.cut += cutFloor
        return state
    }

    @inline(__always)
    private mutating func name(_ name: String) {
        unsafe buffer.pointee.member(name, isFirst: isFirst)
        isFirst = false
    }

    mutating func field(_ name: String, _ value: Int) {
        self.name(name)
        unsafe buffer.pointee.json(value)
    }

    mutating func field(_ name: String, _ value: Bool) {
        self.name(name)
        unsafe buffer.pointee.json(value)
    }

    mutating func field(_ name: String, _ value: String?) {
        self.name(name)
        unsafe buffer.pointee.json(value)
    }

    mutating func field(_ name: String, _ values: some Sequence<Int>) {
        unsafe list(name, values) { unsafe $0.pointee.json($1) }
    }

    mutating func field(_ name: String, _ values: [String]) {
        unsafe list(name, values) { unsafe $0.pointee.json($1) }
    }

    private mutating func list<Value>(
        _ name: String, _ values: some Sequence<Value>,
        write: (UnsafeMutablePointer<ByteBuffer>, Value) -> Void
    ) {
        self.name(name)
        unsafe buffer.pointee.append("[")
        for (index, value) in values.enumerated() {
            if index > 0 { unsafe buffer.pointee.append(",") }
            unsafe write(buffer, value)
        }
        unsafe buffer.pointee.append("]")
    }

    mutating func field(_ name: String, content: Node) {
        self.name(name)
        unsafe buffer.pointee.json(content)
    }

    mutating func field(_ name: String, points: Double) {
        self.name(name)
        unsafe buffer.pointee.json(points: points)
    }

    mutating func field(_ name: String, frame: Rect) {
        self.name(name)
        unsafe buffer.pointee.append("[")
        unsafe buffer.pointee.json(points: frame.origin.x)
        unsafe buffer.pointee.append(",")
        unsafe buffer.pointee.json(points: frame.origin.y)
        unsafe buffer.pointee.append(",")
        unsafe buffer.pointee.json(points: frame.size.width)
        unsafe buffer.pointee.append(",")
        unsafe buffer.pointee.json(points: frame.size.height)
        unsafe buffer.pointee.append("]")
    }

    mutating func open(_ name: String) {
        self.name(name)
        unsafe buffer.pointee.append("{")
        isFirst = true
    }

    mutating func close() {
        unsafe buffer.pointee.append("}")
        isFirst = false
    }

    mutating func openList(_ name: String) {
        self.name(name)
        unsafe buffer.pointee.append("[")
        isFirst = true
    }

    mutating func openElement() {
        if !isFirst { unsafe buffer.pointee.append(",") }
        unsafe buffer.pointee.append("{")
        isFirst = true
    }

    mutating func closeList() {
        unsafe buffer.pointee.append("]")
        isFirst = false
    }

    mutating func null(_ name: String) {
        self.name(name)
        unsafe buffer.pointee.append("null")
    }

    mutating func view(_ name: String, _ state: ViewState) {
        unsafe buffer.pointee.member(name, raised(state), isFirst: isFirst)
        isFirst = false
    }

    mutating func view(_ name: String, number: Int, _ state: ViewState) {
        reopenedName(name)
        unsafe buffer.pointee.json(number)
        unsafe buffer.pointee.append("\":")
        unsafe buffer.pointee.json(raised(state))
    }

    mutating func view(_ name: String, id: String, _ state: ViewState) {
        reopenedName(name)
        unsafe buffer.pointee.append(id)
        unsafe buffer.pointee.append("\":")
        unsafe buffer.pointee.json(raised(state))
    }

    /// A name whose end belongs inside the quotes: takes back the closing quote and the colon.
    private mutating func reopenedName(_ name: String) {
        self.name(name)
        unsafe buffer.pointee.truncate(to: buffer.pointee.count - 2)
    }
}
