import Foundation

@testable package import Store

/// Debian's PostgreSQL in a temporary folder, on a socket there; one for all tests of a process.
///
/// It ends with the process, however that ends: the shell that runs it waits for the end of its
/// standard input. It does not sync: no test turns the machine off.
package final class PostgresServer: Sendable {
    /// Throws where it is not installed, or does not start.
    package static let shared = Result { try PostgresServer() }

    /// Why tests of it are skipped.
    package static let isMissing: String? =
        programs == nil ? "PostgreSQL is not installed; .ci/deps test installs it" : nil

    private static let programs: String? =
        (15...20).reversed().map { "/usr/lib/postgresql/\($0)/bin" }
        .first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }

    /// The folder of its socket.
    package let folder: String
    private let input: Pipe

    private struct Failure: Error, CustomStringConvertible { var description: String }

    /// Starts another one, for a test that changes the server's own settings.
    package init() throws {
        guard let programs = Self.programs else { throw Failure(description: "no PostgreSQL") }
        let isRoot = geteuid() == 0
        // It refuses to run as root; a user of its own must reach the folder, and the name of a
        // socket has 107 bytes at most.
        folder = "/tmp/gestured-postgres-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        if isRoot {
            guard let user = unsafe getpwnam("postgres") else {
                throw Failure(description: "no user postgres")
            }
            unsafe chown(folder, user.pointee.pw_uid, user.pointee.pw_gid)
        }
        let script = """
            cd "$1" || exit 1
            exec >"$1/log" 2>&1
            "$2/initdb" -D "$1/data" -U gestured -A trust -E UTF8 --locale=C --no-sync
            "$2/postgres" -D "$1/data" -k "$1" -c listen_addresses= -c fsync=off \
                -c max_connections=400 -c shared_buffers=32MB -c autovacuum=off </dev/null &
            read -r word
            kill -QUIT $!
            wait
            rm -rf "$1"
            """
        let process = Process()
        process.executableURL = URL(filePath: isRoot ? "/usr/bin/setpriv" : "/bin/sh")
        process.arguments =
            (isRoot
                ? ["--reuid", "postgres", "--regid", "postgres", "--clear-groups", "/bin/sh"] : [])
            + ["-c", script, "sh", folder, programs]
        input = Pipe()
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try waitUntilReady()
    }

    private func waitUntilReady() throws {
        let end = Date(timeIntervalSinceNow: 30)
        while true {
            do {
                _ = try connect(PostgresTarget(url: url("postgres")))
                return
            } catch {
                guard Date() < end else { throw error }
                Thread.sleep(forTimeInterval: 0.02)
            }
        }
    }

    private func url(_ database: String) -> String {
        "postgresql://gestured@/\(database)?host=\(folder)"
    }

    /// A new database of its own for a test.
    package func makeDatabase() throws -> PostgresTarget {
        let name = "t\(UUID().uuidString.lowercased().filter { $0 != "-" })"
        try connect(PostgresTarget(url: url("postgres"))).run("CREATE DATABASE \(name)")
        return PostgresTarget(url: url(name))
    }

    private func connect(_ target: PostgresTarget) throws(StoreError) -> PostgresConnection {
        try PostgresConnection(target, name: "test", milliseconds: 10_000, settings: "")
    }

    /// Runs statements without parameters, as somebody else would.
    package func run(_ sql: String, in target: PostgresTarget) throws {
        try connect(target).run(sql)
    }

    /// The whole number that a statement gives in its first row.
    package func number(_ sql: String, in target: PostgresTarget) throws -> Int {
        let rows = try connect(target).execute(PostgresStatement("test", sql))
        guard rows.count > 0 else { throw Failure(description: "no row: \(sql)") }
        return rows.int(0, 0)
    }
}
