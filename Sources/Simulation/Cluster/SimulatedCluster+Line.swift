import Membership

/// The way to the database and back.
extension SimulatedCluster {
    typealias Purpose = SimulatedDaemon.Purpose

    mutating func join(_ place: Int) {
        let statement = ClusterDatabase.Statement.join(instance: "i\(place)", lease: tuning.lease)
        daemons[place].line.connectionsMade += 1
        daemons[place].line.connections = .open
        send(statement, for: .join, place)
    }

    mutating func ask(_ call: MemberLife.Call, _ place: Int) {
        daemons[place].line.call += 1
        if case .join = call { return join(place) }
        guard daemons[place].line.connections == .open else {
            daemons[place].line.unsent = call
            let number = daemons[place].line.call
            let event = Event.unsent(daemon: place, run: daemons[place].run, call: number)
            return queue.add(event, at: now + Times.call)
        }
        sendCall(call, place)
    }

    private mutating func sendCall(_ call: MemberLife.Call, _ place: Int) {
        guard let member = daemons[place].life?.member else { return }
        let statement = ClusterDatabase.Statement.call(
            call, member: member, generation: daemons[place].line.generation, lease: tuning.lease)
        send(statement, for: .call, place)
    }

    mutating func send(
        _ statement: ClusterDatabase.Statement, for purpose: Purpose, _ place: Int
    ) {
        requestsMade += 1
        let line = daemons[place].line
        let request = Request(
            number: requestsMade, daemon: place, run: daemons[place].run,
            connection: line.connectionsMade, purpose: purpose, statement: statement)
        daemons[place].line.waiting[request.number] = purpose
        let patience =
            switch purpose {
            case .call, .join, .reconnect: Times.call
            case .commit, .read: Times.statement
            }
        queue.add(.timeout(request), at: now + patience)
        // Bytes that a line holds go on when it lets them; those that it loses are lost.
        guard let time = weather.passage(of: place, at: now + latency()) else { return }
        let delay = weather.delay(of: statement, from: place, at: now)
        queue.add(.arrive(request), at: time + delay)
    }

    /// A statement comes to the database.
    mutating func arrive(_ request: Request) {
        switch weather.database(at: now) {
        case .up: break
        case .down:
            // A server that is not there refuses at once.
            let time = now + latency()
            return queue.add(.timeout(request), at: time)
        case .still(let until): return queue.add(.arrive(request), at: until + latency())
        }
        let news = database.news
        let reply = database.run(request.statement, at: now)
        record.note(database, &violations)
        if database.news > news { spread(from: request.daemon) }
        guard !weather.isDeaf(request.daemon, at: now, &random),
            let time = weather.passage(of: request.daemon, at: now + latency())
        else { return }
        queue.add(.answer(request, reply), at: time)
    }

    /// Has all others look, whose lines let it through.
    private mutating func spread(from sender: Int) {
        for daemon in daemons where daemon.isRunning && daemon.place != sender {
            guard weather.passage(of: daemon.place, at: now) == now else { continue }
            let event = Event.input(daemon: daemon.place, run: daemon.run, .woken)
            queue.add(event, at: now + latency())
        }
    }

    mutating func answer(_ request: Request, _ reply: ClusterDatabase.Reply) {
        let place = request.daemon
        guard isCurrent(place, request.run),
            daemons[place].line.waiting.removeValue(forKey: request.number) != nil
        else { return }
        switch (request.purpose, reply) {
        case (.join, .answer(.joined(let member))):
            daemons[place].line.generation = 1
            joined(member, place)
        case (.reconnect, .reconnected(let generation)):
            daemons[place].line.generation = generation
            reconnected(place)
        case (.call, .answer(let answer)): tell(place, .answered(answer))
        case (.commit, .committed): committed(place)
        case (.read(let rights), .sessions(let sessions)): read(sessions, rights, place)
        case (let purpose, .refused):
            if case .commit = purpose { daemons[place].lanes.commit = nil }
            if daemons[place].line.unsent != nil {
                daemons[place].line.unsent = nil
                tell(place, .answered(.lost))
            }
            if let member = request.statement.member { tell(place, .lost(member: member)) }
            store(place)
        default: violations.append("\(reply) answers \(request.purpose)")
        }
    }

    private mutating func joined(_ member: Int, _ place: Int) {
        if daemons[place].life != nil { return tell(place, .answered(.joined(member))) }
        daemons[place].life = MemberLife(
            member: member, shards: database.shards.count, tuning: tuning, joined: now)
        tell(place, .timer)
    }

    // MARK: Connections

    /// All connections are closed; all that was sent on them has an outcome that nobody knows.
    mutating func cut(_ place: Int) {
        let waiting = daemons[place].line.waiting.sorted { $0.key < $1.key }
        daemons[place].line.waiting = [:]
        daemons[place].line.connections = .broken
        queue.add(
            .reconnect(daemon: place, run: daemons[place].run), at: now + Times.reconnect)
        for (_, purpose) in waiting {
            switch purpose {
            case .call: tell(place, .answered(.failed))
            case .join: if daemons[place].life != nil { tell(place, .answered(.failed)) }
            case .commit: failCommit(place)
            case .reconnect, .read: break
            }
        }
        tell(place, .disconnected)
    }

    mutating func reconnect(_ place: Int) {
        guard daemons[place].line.connections == .broken else { return }
        guard let member = daemons[place].life?.member else { return join(place) }
        daemons[place].line.connectionsMade += 1
        daemons[place].line.connections = .making
        let generation = daemons[place].line.generation
        send(.reconnect(member: member, generation: generation), for: .reconnect, place)
    }

    private mutating func reconnected(_ place: Int) {
        daemons[place].line.connections = .open
        readAnew(place)
        store(place)
        guard let call = daemons[place].line.unsent else { return }
        daemons[place].line.unsent = nil
        sendCall(call, place)
    }
}
