import Foundation
package import Store

/// A store whose readers answer when the test lets them: a double of an engine across a network.
///
/// A question is answered by what is committed when it is let go. A lock guards the
/// questions; the compiler cannot check that.
package final class LateStore: Store, @unchecked Sendable {
    private let base: any Store
    /// Asked on one thread at a time.
    private let reader: any StoreReader
    private var questions: [(LateStore) -> Void] = []
    private var failure: StoreError?
    private let lock = NSLock()

    package init(_ base: any Store) throws(StoreError) {
        self.base = base
        reader = try base.makeReader()
    }

    package var identity: StoreIdentity { base.identity }
    package var fence: StoreFence { base.fence }
    package var hasBegun: Bool { base.hasBegun }
    package func commit(_ commit: StoreCommit) throws(StoreError) { try base.commit(commit) }
    package func check() throws(StoreError) { try base.check() }
    package func close() throws(StoreError) { try base.close() }
    package func makeReader() -> any StoreReader { LateReader(self) }

    /// How many questions wait.
    package var waiting: Int { lock.withLock { questions.count } }

    /// From now on questions fail; nil: they do not.
    package func fail(_ failure: StoreError?) { lock.withLock { self.failure = failure } }

    /// Answers what waits: all of it, or the first ones.
    package func letGo(_ count: Int = .max) {
        let taken = lock.withLock {
            let taken = Array(questions.prefix(count))
            questions.removeFirst(taken.count)
            return taken
        }
        for question in taken { question(self) }
    }

    fileprivate func ask<Value>(
        _ then: @escaping StoreAnswer<Value>,
        _ answer: @escaping (any StoreReader) throws(StoreError) -> Value
    ) {
        lock.withLock {
            // It does not hold the store, which may end before it is asked.
            questions.append { store in
                if let failure = store.lock.withLock({ store.failure }) {
                    return then(.failure(failure))
                }
                do throws(StoreError) {
                    then(.success(try answer(store.reader)))
                } catch {
                    then(.failure(error))
                }
            }
        }
    }
}

private final class LateReader: StoreReader {
    private let store: LateStore

    init(_ store: LateStore) { self.store = store }

    var answersLate: Bool { true }
    func begin() {}
    func end() {}
    func has(_ id: String) -> Bool { true }
    func count(then: @escaping StoreAnswer<Int>) { then(.success(0)) }

    func lookUp(_ id: String, late: @escaping StoreAnswer<StoredSession?>) -> StoreLookUp {
        store.ask(late) { reader throws(StoreError) in try reader.session(id) }
        return .later
    }

    func names(_ query: StoreQuery, then: @escaping StoreAnswer<[String]>) {
        store.ask(then) { reader throws(StoreError) in
            let answer = Pending<[String]>()
            reader.names(query, then: answer.take)
            return try answer.wait()
        }
    }
}
