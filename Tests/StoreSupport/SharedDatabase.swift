import Foundation
import Membership
package import Store

/// A database of its own on the tests' server, and daemons that join it.
package final class SharedDatabase: Sendable {
    package let target: PostgresTarget
    private let server: PostgresServer

    package convenience init() throws { try self.init(on: PostgresServer.shared.get()) }

    package init(on server: PostgresServer) throws {
        self.server = server
        target = try server.makeDatabase()
    }

    package func run(_ sql: String) throws { try server.run(sql, in: target) }

    package func number(_ sql: String) throws -> Int { try server.number(sql, in: target) }

    /// As a daemon would bring them, but its versions begin at 0, not by the clock. The same
    /// `instance` is the same state directory.
    package func settings(
        name: String = "one", instance: Int = 1, key: UInt128 = 7, secret: Secret? = nil,
        shards: Int = 1
    ) -> ClusterSettings {
        ClusterSettings(
            target: target,
            member: NewMember(
                instance: "00000000-0000-4000-8000-\(String(format: "%012d", instance))",
                name: name, daemon: "daemon-\(name)",
                endpoints: MemberEndpoints(
                    events: ["tcp://10.0.0.\(instance):7411"], updates: [], control: []),
                weight: 1),
            shards: shards, key: key, secret: secret, floorMax: 0)
    }

    package func join(
        name: String = "one", instance: Int = 1, key: UInt128 = 7, secret: Secret? = nil,
        shards: Int = 1
    ) throws(StoreError) -> PostgresEngine {
        try PostgresEngine.join(
            settings(name: name, instance: instance, key: key, secret: secret, shards: shards))
    }

    /// Joins as the only member, which has all shards.
    package func joinAlone(key: UInt128 = 7) throws(StoreError) -> PostgresEngine {
        let engine = try joinPatiently(key: key)
        _ = try patiently { () throws(StoreError) in try engine.claim(try engine.shardRows()) }
        return engine
    }

    /// Joins again where the server of a busy machine answers too late, or a lock is not free in
    /// time. `isTransient`: whether an error of that kind is worth one more try.
    package func joinPatiently(
        name: String = "one", instance: Int = 1, key: UInt128 = 7,
        isTransient: (StoreError) -> Bool = { _ in true }
    ) throws(StoreError) -> PostgresEngine {
        try patiently(isTransient) { () throws(StoreError) in
            try join(name: name, instance: instance, key: key)
        }
    }

    /// Does it again, up to ten times, where the server is unavailable for a moment.
    private func patiently<Result>(
        _ isTransient: (StoreError) -> Bool = { _ in true },
        _ work: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        for _ in 1..<10 {
            do throws(StoreError) {
                return try work()
            } catch  where error.kind == .unavailable && isTransient(error) {}
        }
        return try work()
    }

    /// Has large rows refused as on a full disk, in the middle of a statement.
    package func fill() throws {
        try run(
            """
            CREATE FUNCTION gestured.full() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              IF length(NEW.state) > 1000 THEN
                RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full';
              END IF;
              RETURN NEW;
            END $$;
            CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON gestured.session
              FOR EACH ROW EXECUTE FUNCTION gestured.full()
            """)
    }

    package func makeRoom() throws { try run("DROP FUNCTION gestured.full CASCADE") }
}
