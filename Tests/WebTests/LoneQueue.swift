@testable import Web

/// A client's queue that hears updates alone, with the logs that feed it.
@dynamicMemberLookup
struct LoneQueue {
    var queue = ClientQueue()
    var logs = FrameLogs()

    subscript<Value>(dynamicMember path: KeyPath<ClientQueue, Value>) -> Value {
        queue[keyPath: path]
    }

    mutating func append(_ bytes: [UInt8]) { queue.append(bytes) }

    mutating func append(_ update: Update) {
        var update = update
        logs.take(&update)
        queue.append(update, with: &logs)
    }

    mutating func popFirst() -> [UInt8]? { queue.popFirst() }

    mutating func end() { queue.end() }
}
