import Store
import Synchronization

extension StoreReader {
    /// Names of an engine that answers at once.
    func ids(_ query: StoreQuery) throws(StoreError) -> [String] {
        let answer = Mutex<Result<[String], StoreError>>(.success([]))
        names(query) { found in answer.withLock { $0 = found } }
        return try answer.withLock { $0 }.get()
    }
}
