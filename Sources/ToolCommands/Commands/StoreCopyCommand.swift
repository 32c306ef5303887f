import Commands
import Geometry
import Glibc
import Manual
import Store

extension Command {
    static let storeCopy = Command(
        name: "store copy", arguments: "FILE URL",
        summary: "Bring the sessions of one daemon into a database for several",
        details: """
            FILE is the gestured.db of a daemon that does not run; it stays as it is. URL is that of
            an empty PostgreSQL database, postgresql://HOST/NAME, as in [store] url. What is in the
            file is there afterwards, with the ids that were applied; daemons that were begun with a
            key need the same one again. A copy that fails or is ended leaves nothing.

            A password comes from libpq's own places, as PGPASSFILE or ~/.pgpass.
            """,
        usesDaemon: false,
        options: [
            Option("--shards", "N", "into how many parts daemons divide them (default 256)")
        ],
        examples: [
            (
                "gesturectl store copy /var/lib/gestured/gestured.db postgresql://db1/gestured",
                "bring them in, once gestured is stopped"
            )
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals(["FILE", "URL"])
        try copyStore(context.arguments)
    }

    /// As many as a database may be begun with.
    fileprivate static let shardsRange = 1...4_096
    fileprivate static let shardsDefault = 256
}

private func copyStore(_ arguments: Arguments) throws(Failure) {
    let (file, url) = (arguments.positionals[0], arguments.positionals[1])
    let shards =
        try arguments.whole("--shards", in: Command.shardsRange) ?? Command.shardsDefault
    guard ["postgresql://", "postgres://"].contains(where: url.hasPrefix) else {
        throw .usage("URL must begin with postgresql://")
    }
    let copy: StoreCopy
    do throws(StoreError) {
        copy = try StoreCopy(file, shards: shards)
    } catch {
        throw .file("\(error.description)")
    }
    var said = time(nil)
    do throws(StoreError) {
        try copy.run(
            to: PostgresTarget(url: url), shard: { StableHash($0).shard(of: shards) }
        ) { sessions in
            let now = time(nil)
            guard now != said else { return }
            said = now
            Console.printError("\(sessions) of \(copy.count) sessions")
        }
    } catch {
        throw .unavailable("\(error.description)")
    }
    try Console.printLine("copied \(copy.count) sessions into \(shards) shards")
}
