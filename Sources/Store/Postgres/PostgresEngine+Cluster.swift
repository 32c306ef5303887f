import Glibc
package import Membership

extension PostgresEngine: Cluster {
    package var member: Int { seat.member }

    package func renew(seconds: Double) throws(StoreError) -> Renewal {
        try lease.use { connection, holder throws(StoreError) in
            let rows = try connection.execute(
                .renew,
                PostgresParameters().bigint(holder.member).double(seconds).bigint(holder.generation)
            )
            guard rows.count > 0 else { throw try lease.judge(connection, holder) }
            return Renewal(clock: rows.int(0, 0), version: rows.int(0, 1))
        }
    }

    package func members() throws(StoreError) -> [MemberRow] {
        try lease.use { connection, _ throws(StoreError) in
            let rows = try connection.execute(.members)
            return (0..<rows.count).compactMap { row in
                guard let state = MemberRow.State(rawValue: rows.text(row, 8)) else { return nil }
                return MemberRow(
                    id: rows.int(row, 0), instance: rows.text(row, 1), name: rows.text(row, 2),
                    daemon: rows.text(row, 3),
                    endpoints: MemberEndpoints(
                        events: rows.texts(row, 4), push: rows.texts(row, 10),
                        updates: rows.texts(row, 5), control: rows.texts(row, 6)),
                    weight: rows.int(row, 7), state: state, isLate: rows.bool(row, 9))
            }
        }
    }

    package func shardRows() throws(StoreError) -> [ShardRow] {
        try lease.use { connection, holder throws(StoreError) in
            let rows = try connection.execute(.shards)
            let found = (0..<rows.count).map { row in
                ShardRow(
                    number: rows.int(row, 0), owner: rows.isNull(row, 1) ? nil : rows.int(row, 1),
                    epoch: rows.int(row, 2), floor: rows.int(row, 3))
            }
            // Sums of larger numbers would be beyond an integer.
            guard found.allSatisfy({ (0...StoreIdentity.generationMax).contains($0.epoch) }) else {
                throw StoreError(
                    .damaged, "PostgreSQL: gestured.shard has an epoch that no daemon wrote")
            }
            let mine = found.lazy.filter { $0.owner == holder.member }.map { ($0.number, $0.epoch) }
            if !seat.haveConfirmed(mine) {
                // Their giver may have been cut off while it waited for the standby.
                _ = try connection.execute(.settle, PostgresParameters().bigint(holder.member))
                try connection.confirm()
                seat.confirm(mine)
            }
            return found
        }
    }

    package func fence(_ member: Int) throws(StoreError) -> Bool {
        try lease.use { connection, _ throws(StoreError) in
            guard try connection.end(member, by: .fence) else { return false }
            try connection.tellOthers()
            return true
        }
    }

    package func claim(_ shards: [ShardRow]) throws(StoreError) -> [ShardRight] {
        try lease.use { connection, holder throws(StoreError) in
            let rows = try connection.execute(
                .claim,
                PostgresParameters().bigint(holder.member).integers(shards.map(\.number))
                    .bigints(shards.map(\.epoch)).bigint(settings.floorMax)
                    .bigint(settings.versionsALife))
            try connection.confirm()
            let rights = (0..<rows.count).map { row in
                ShardRight(
                    number: rows.int(row, 0), epoch: rows.int(row, 1), floor: rows.int(row, 2))
            }
            seat.confirm(rights.map { ($0.number, $0.epoch) })
            if !rights.isEmpty { try connection.tellOthers() }
            return rights.sorted { $0.number < $1.number }
        }
    }

    package func handOver(
        _ shards: [Int], to heir: Int
    ) throws(StoreError) -> [ShardRow] {
        try lease.use { connection, holder throws(StoreError) in
            let rows = try connection.execute(
                .handOver,
                PostgresParameters().bigint(holder.member).bigint(heir).integers(shards)
                    .bigint(holder.generation).bigint(settings.floorMax)
                    .bigint(settings.versionsALife))
            try connection.confirm()
            let moved = (0..<rows.count).map { row in
                ShardRow(number: rows.int(row, 0), owner: heir, epoch: rows.int(row, 1))
            }
            if !moved.isEmpty { try connection.tellOthers() }
            return moved.sorted { $0.number < $1.number }
        }
    }

    package func setLeaving() throws(StoreError) {
        try lease.use { connection, holder throws(StoreError) in
            let rows = try connection.execute(.leave, PostgresParameters().bigint(holder.member))
            guard rows.changed == 0 else { return }
            guard try connection.generation(of: holder.member) == nil else { return }
            throw try lease.judge(connection, holder)
        }
    }

    package func setGone() throws(StoreError) {
        try lease.use { connection, holder throws(StoreError) in
            if try connection.end(holder.member, by: .end) { try connection.tellOthers() }
            seat.leave(holder.member)
        }
    }

    package func listen(_ listener: @escaping @Sendable (ClusterEvent) -> Void) {
        seat.listen(listener)
    }

    package func waitForNews(milliseconds: Int, unless wakeup: CInt) -> Bool {
        let end = PostgresConnection.now() + milliseconds
        do throws(StoreError) {
            return try lease.use { connection, _ throws(StoreError) in
                try connection.waitForNews(
                    milliseconds: end - PostgresConnection.now(), unless: wakeup)
            }
        } catch {
            // The next call hears of the failure.
            let rest = end - PostgresConnection.now()
            var waiting = pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)
            if rest > 0 { _ = unsafe poll(&waiting, 1, CInt(rest)) }
            return false
        }
    }
}

extension PostgresConnection {
    /// Ends a member; cuts its connections off if a statement of theirs holds its row. Whether this
    /// call has ended it.
    func end(_ member: Int, by statement: PostgresStatement) throws(StoreError) -> Bool {
        let names = ReconnectingConnection.Purpose.allCases.map { $0.name(of: member) }
        let rows = try cutting(names) { () throws(StoreError) in
            try execute(statement, PostgresParameters().bigint(member))
        }
        try confirm()
        return rows.changed > 0
    }

    /// Wakes the other members. Nothing else does, for it makes commits wait for each other.
    func tellOthers() throws(StoreError) {
        do throws(StoreError) {
            try run("NOTIFY gestured")
        } catch {
            // They look by themselves, a little later.
        }
    }
}
