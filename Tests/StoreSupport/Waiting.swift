import Dispatch
import Glibc
package import Store
import Synchronization

/// Questions of tests, which wait for the answer, whenever an engine gives it.
extension StoreReader {
    package func session(_ id: String) throws(StoreError) -> StoredSession? {
        let answer = Pending<StoredSession?>()
        switch try lookUp(id, late: answer.take) {
        case .found(let session): return session
        case .none: return nil
        case .later: return try answer.wait()
        }
    }

    package func ids(after name: String, limit: Int) throws(StoreError) -> [String] {
        let answer = Pending<[String]>()
        names(.after(name, limit: limit), then: answer.take)
        return try answer.wait()
    }

    package func ids(
        lastUsedBefore time: Int, in shards: [Int] = [0], limit: Int
    ) throws(StoreError) -> [String] {
        let answer = Pending<[String]>()
        names(.unused(before: time, shards: shards, limit: limit), then: answer.take)
        return try answer.wait()
    }

    package func count() throws(StoreError) -> Int {
        let answer = Pending<Int>()
        count(then: answer.take)
        return try answer.wait()
    }
}

/// An answer that may come on another thread.
package final class Pending<Value: Sendable>: Sendable {
    private let value = Mutex<Result<Value, StoreError>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    package init() {}

    @Sendable package func take(_ answer: Result<Value, StoreError>) {
        value.withLock { value in
            precondition(value == nil, "answered twice")
            value = answer
        }
        isThere.signal()
    }

    package var isAnswered: Bool { value.withLock { $0 != nil } }

    package func wait() throws(StoreError) -> Value {
        guard isThere.wait(timeout: .now() + .seconds(10)) == .success,
            let answer = value.withLock({ $0 })
        else { throw StoreError(.unavailable, "no answer within 10 s") }
        return try answer.get()
    }
}

/// Whether something becomes true within ten seconds.
package func becomesTrue(_ condition: () throws -> Bool) rethrows -> Bool {
    let end = DispatchTime.now().uptimeNanoseconds + 10_000_000_000
    while DispatchTime.now().uptimeNanoseconds < end {
        if try condition() { return true }
        usleep(5_000)
    }
    return false
}
