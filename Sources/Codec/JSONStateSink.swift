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
    /// The values that texts name; nil: they are written as they stand. The caller keeps the
    /// object: a reference of its own would be counted with each field.
    private let texts: Unmanaged<TextContext>?

    init(
        _ buffer: UnsafeMutablePointer<ByteBuffer>, cutFloor: Int = 0, texts: TextContext? = nil
    ) {
        unsafe self.buffer = buffer
        self.cutFloor = cutFloor
        unsafe self.texts = texts.map { unsafe Unmanaged.passUnretained($0) }
    }

    @inline(__always)
    private mutating func name(_ name: StaticString) {
        unsafe buffer.pointee.member(name, isFirst: isFirst)
        isFirst = false
    }

    mutating func field(_ name: StaticString, _ value: Int) {
        self.name(name)
        unsafe buffer.pointee.json(value)
    }

    mutating func field(named name: String, _ value: Int) {
        unsafe buffer.pointee.member(name, isFirst: isFirst)
        isFirst = false
        unsafe buffer.pointee.json(value)
    }

    mutating func field(_ name: StaticString, _ value: Bool) {
        self.name(name)
        unsafe buffer.pointee.json(value)
    }

    mutating func field(_ name: StaticString, _ value: String?) {
        self.name(name)
        unsafe buffer.pointee.json(value)
    }

    mutating func field(_ name: StaticString, _ values: StrideThrough<Int>) {
        unsafe list(name, values) { unsafe $0.pointee.json($1) }
    }

    mutating func field(_ name: StaticString, _ values: [String]) {
        unsafe list(name, values) { unsafe $0.pointee.json($1) }
    }

    private mutating func list<Value>(
        _ name: StaticString, _ values: some Sequence<Value>,
        write: (UnsafeMutablePointer<ByteBuffer>, Value) -> Void
    ) {
        self.name(name)
        unsafe buffer.pointee.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { unsafe buffer.pointee.append(UInt8(ascii: ",")) }
            unsafe write(buffer, value)
        }
        unsafe buffer.pointee.append(UInt8(ascii: "]"))
    }

    mutating func field(_ name: StaticString, text: SceneText?) {
        field(name, text?.shown(unsafe texts?.takeUnretainedValue()))
    }

    mutating func field(_ name: StaticString, content: Node) {
        self.name(name)
        var bytesLeft = Limits.shownTextsBytesMax
        let texts = unsafe self.texts?.takeUnretainedValue()
        unsafe buffer.pointee.json(texts.map { content.withTexts($0, &bytesLeft) } ?? content)
    }

    mutating func field(_ name: StaticString, points: Double) {
        self.name(name)
        unsafe buffer.pointee.json(points: points)
    }

    mutating func field(_ name: StaticString, radians: Double) {
        self.name(name)
        unsafe buffer.pointee.json(radians: radians)
    }

    mutating func field(_ name: StaticString, frame: Rect) {
        self.name(name)
        unsafe buffer.pointee.append(UInt8(ascii: "["))
        unsafe buffer.pointee.json(points: frame.origin.x)
        unsafe buffer.pointee.append(UInt8(ascii: ","))
        unsafe buffer.pointee.json(points: frame.origin.y)
        unsafe buffer.pointee.append(UInt8(ascii: ","))
        unsafe buffer.pointee.json(points: frame.size.width)
        unsafe buffer.pointee.append(UInt8(ascii: ","))
        unsafe buffer.pointee.json(points: frame.size.height)
        unsafe buffer.pointee.append(UInt8(ascii: "]"))
    }

    mutating func open(_ name: StaticString) {
        self.name(name)
        unsafe buffer.pointee.append(UInt8(ascii: "{"))
        isFirst = true
    }

    mutating func close() {
        unsafe buffer.pointee.append(UInt8(ascii: "}"))
        isFirst = false
    }

    mutating func openList(_ name: StaticString) {
        self.name(name)
        unsafe buffer.pointee.append(UInt8(ascii: "["))
        isFirst = true
    }

    mutating func openElement() {
        if !isFirst { unsafe buffer.pointee.append(UInt8(ascii: ",")) }
        unsafe buffer.pointee.append(UInt8(ascii: "{"))
        isFirst = true
    }

    mutating func closeList() {
        unsafe buffer.pointee.append(UInt8(ascii: "]"))
        isFirst = false
    }

    mutating func null(_ name: StaticString) {
        self.name(name)
        unsafe buffer.pointee.append("null")
    }

    mutating func view(_ name: StaticString, _ state: ViewState) {
        unsafe buffer.pointee.member(name, state, cutFloor: cutFloor, isFirst: isFirst)
        isFirst = false
    }

    mutating func view(named name: String, _ state: ViewState) {
        unsafe buffer.pointee.member(name, isFirst: isFirst)
        isFirst = false
        unsafe buffer.pointee.json(state, cutFloor: cutFloor)
    }

    mutating func view(_ name: StaticString, number: Int, _ state: ViewState) {
        reopenedName(name)
        unsafe buffer.pointee.json(number)
        unsafe buffer.pointee.append("\":")
        unsafe buffer.pointee.json(state, cutFloor: cutFloor)
    }

    mutating func view(_ name: StaticString, id: String, _ state: ViewState) {
        reopenedName(name)
        unsafe buffer.pointee.append(id)
        unsafe buffer.pointee.append("\":")
        unsafe buffer.pointee.json(state, cutFloor: cutFloor)
    }

    /// A name whose end belongs inside the quotes: takes back the closing quote and the colon.
    private mutating func reopenedName(_ name: StaticString) {
        self.name(name)
        unsafe buffer.pointee.truncate(to: buffer.pointee.count - 2)
    }
}
