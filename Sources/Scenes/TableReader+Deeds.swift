import Notation
import Sessions

extension TableReader {
    /// Refuses arguments of a reaction's command that are too long in all.
    mutating func checkArguments(
        _ keys: [String], of command: String
    ) throws(TableError) {
        var (bytes, largest, facts) = (0, (key: "", bytes: 0), 0)
        for key in keys {
            let own = node(key)?.jsonBytes ?? 0
            facts += node(key)?.factCount ?? 0
            guard facts <= Limits.factsMax else {
                throw error(
                    key,
                    "the arguments of \(command) have more than \(Limits.factsMax) places that "
                        + "stand for what happened")
            }
            bytes += own
            if own > largest.bytes { largest = (key, own) }
        }
        guard bytes > Limits.deedBytesMax else { return }
        throw error(
            largest.key,
            "the arguments of \(command) have \(bytes) bytes as JSON; in a reaction they have at "
                + "most \(Limits.deedBytesMax): let a client send what is longer")
    }
}

extension Limits {
    /// Bytes of the arguments of a reaction's command, as JSON: one event may have all of them
    /// filled in and read as many times as a chain has reactions.
    package static let deedBytesMax = 8 * 1024
}
