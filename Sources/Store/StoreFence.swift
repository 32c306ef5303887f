/// The fence of the store: a writer that holds an earlier one writes nothing any more.
///
/// SQLite's is the generation of its file. An engine that several daemons share takes the member's
/// id, and checks in the same transaction as the changes that the member is there. `SQLiteStore`
/// and `CommitStatement` (PostgreSQL) check it.
package struct StoreFence: Hashable, Sendable {
    package var writer: Int

    package init(writer: Int) { self.writer = writer }
}
