package import Interactions
import Notation
package import Protocol
import Sessions

/// The content of rows: on a topic of its own, and in frames.
extension UpdateBody {
    package static func rows(
        _ head: UpdateHead, _ rows: ToldRows, into buffer: inout ByteBuffer
    ) {
        begin(head, into: &buffer)
        buffer.append(UInt8(ascii: ","))
        members(of: rows, into: &buffer)
    }

    /// The member of a frame: the rows of components, by their ids.
    static func rows(of picture: SessionPicture, into buffer: inout ByteBuffer) {
        buffer.key("rows")
        buffer.append(UInt8(ascii: "{"))
        unsafe withUnsafeMutablePointer(to: &buffer) { buffer in
            var isFirst = true
            picture.forEachRows { component, rows in
                unsafe buffer.pointee.member(component, isFirst: isFirst)
                unsafe buffer.pointee.append(UInt8(ascii: "{"))
                unsafe members(of: rows, into: &buffer.pointee)
                isFirst = false
            }
        }
        buffer.append(UInt8(ascii: "}"))
    }

    /// To the end of the object.
    private static func members(of told: ToldRows, into buffer: inout ByteBuffer) {
        buffer.append("\"version\":")
        buffer.json(told.version)
        buffer.key("count")
        buffer.json(told.count)
        buffer.key("from")
        buffer.json(told.from)
        buffer.key("rows")
        buffer.append(UInt8(ascii: "["))
        for (place, row) in told.rows.enumerated() {
            buffer.append(place == 0 ? "{" : ",{")
            if let id = row.id {
                buffer.append("\"id\":")
                buffer.json(id)
                buffer.append(UInt8(ascii: ","))
            }
            buffer.append("\"content\":")
            if let content = row.content { buffer.json(content) } else { buffer.append("{}") }
            if let menu = row.menu {
                buffer.key("menu")
                buffer.json(Node(.array(menu.map(\.node))))
            }
            buffer.append(UInt8(ascii: "}"))
        }
        buffer.append("]}")
    }
}
