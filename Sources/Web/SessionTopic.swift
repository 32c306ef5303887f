/// Names in topics and prefixes, as bytes.
package enum SessionTopic {
    /// The session that a topic or a prefix names; nil: it names none.
    package static func name(in topic: [UInt8]) -> [UInt8]? {
        let slash = UInt8(ascii: "/")
        guard let first = topic.firstIndex(of: slash) else { return nil }
        let name = topic[(first + 1)...].prefix { $0 != slash }
        // `rejected/-` is the daemon's.
        if name.isEmpty || topic.starts(with: "sync/".utf8) || name.elementsEqual("-".utf8) {
            return nil
        }
        return Array(name)
    }

    /// The text of an update's `epoch`, which stands first in its body; nil: it is not there.
    package static func epoch(of body: [UInt8]) -> String? {
        let lead = Array("{\"epoch\":\"".utf8)
        guard body.starts(with: lead) else { return nil }
        let text = body[lead.count...].prefix { $0 != UInt8(ascii: "\"") }
        guard text.endIndex < body.endIndex, !text.contains(UInt8(ascii: "\\")) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}
