import Codec
import Geometry
import Interactions
import Protocol
import Sessions
import Store

extension Lane {
    func answer(_ envelope: Envelope, _ receipt: EventIntake.Receipt, of session: String) {
        switch receipt {
        case .applied: answerWhenDurable(envelope, .done, of: session)
        case .duplicate: answerWhenDurable(envelope, .duplicate, of: session)
        case .refused(let rejection): sink.chunk.refuse(envelope, rejection)
        }
    }

    func open(
        _ envelope: Envelope, session id: String,
        _ reference: Result<SceneReference, Rejection>, _ moment: Moment
    ) {
        do throws(Rejection) {
            let resident: ActiveSession
            let found = try find(id, moment)
            if let found {
                resident = found
            } else {
                resident = makeSession(
                    id, try opener.scene(try reference.get()), at: moment)
                try open(resident)
            }
            resident.recordUse(at: moment.step)
            answerWhenDurable(
                envelope, .opened(isNew: found == nil, epoch: resident.session.epoch), of: id)
        } catch {
            sink.chunk.refuse(envelope, error)
        }
    }

    func close(_ envelope: Envelope, session id: String, _ moment: Moment) {
        do throws(Rejection) {
            guard mayRemove else { throw Self.nothingStored }
            try close(id, moment)
            answerWhenDurable(envelope, .done, of: id)
        } catch {
            sink.chunk.refuse(envelope, error)
        }
    }

    /// Ends a session's life, also of one that cannot come back; nobody is told of that.
    private func close(_ id: String, _ moment: Moment) throws(Rejection) {
        do throws(Rejection) {
            guard let resident = try find(id, moment) else { throw .unknown(session: id) }
            close(resident, .closed, at: moment.step)
        } catch {
            guard forget(id) else { throw error }
        }
    }

    /// One instant of a session: every topic that tells a current state, by its last number.
    func snapshot(_ envelope: Envelope, session id: String, _ moment: Moment) {
        do throws(Rejection) {
            guard let resident = try find(id, moment) else { throw .unknown(session: id) }
            resident.session.advance(to: resident.clock(at: moment.step))
            markChanged(resident)
            sink.chunk.reply(to: envelope) { buffer in
                write(resident.session, into: &buffer)
            }
        } catch {
            sink.chunk.refuse(envelope, error)
        }
    }

    private func write(_ session: borrowing Session, into buffer: inout ByteBuffer) {
        let id = session.life.id
        buffer.key("session")
        buffer.json(id)
        buffer.key("scene")
        buffer.json(session.life.scene)
        buffer.key("epoch")
        buffer.json(session.life.epoch)
        buffer.key("updates")
        buffer.append("[")
        for index in session.machines.indices {
            let name = session.scene.components[index].id
            entry(.state(session: id, component: name), into: &buffer)
            UpdateBody.state(
                session.head(of: .state(component: index)), session.machines[index],
                recognizer: session.recognizer(on: index), into: &buffer)
            buffer.append("},")
        }
        entry(.badge(session: id), into: &buffer)
        UpdateBody.badge(session.head(of: .badge), session.badges, into: &buffer)
        buffer.append("},")
        entry(.session(id), into: &buffer)
        UpdateBody.session(
            session.head(of: .session), event: session.lastEvent.rawValue,
            scene: session.life.scene, into: &buffer)
        buffer.append("}]")
    }

    private func entry(_ topic: UpdateTopic, into buffer: inout ByteBuffer) {
        buffer.append("{\"topic\":")
        buffer.json(topic.text)
        buffer.append(",\"body\":")
    }

    /// This lane's part of a page: the smallest ids after the given one.
    func add(to list: SessionList) {
        let countMax = list.limit + 1
        var page: [String] = []
        for id in residents.all.lazy.map(\.session.id) where id > list.after {
            if page.count == countMax {
                // Most ids end here, so a page costs one comparison for each session.
                guard id < page[countMax - 1] else { continue }
                page.removeLast()
            }
            page.insert(id, at: page.firstPlace { $0 > id })
        }
        // Those in the store alone are told by one lane for all.
        if number == 0, let storage {
            do throws(StoreError) {
                list.add(stored: try storage.reader.ids(after: list.after, limit: countMax))
            } catch {
                list.fail(.unreadable(error))
            }
        }
        let removed = storage?.writeBehind.removedNames ?? []
        list.add(page, removed: removed.filter { residents[$0] == nil }, chunk: sink.chunk)
    }

    // MARK: Subscriptions

    func setInterest(_ channels: Channels, of id: String) {
        interests[id] = channels
        guard let resident = residents[id] else { return }
        // Where somebody left, what moves is still told to its end.
        resident.interest.formUnion(channels)
        resident.interestAtRest = resident.interest == channels ? nil : channels
        markChanged(resident)
    }

    /// Answers a subscription with what is current on every topic that it matches.
    func answerSubscription(_ prefix: String, session id: String, _ moment: Moment) {
        guard let resident = try? find(id, moment) else { return }
        resident.session.advance(to: resident.clock(at: moment.step))
        markChanged(resident)
        if "session/\(id)".hasPrefix(prefix) { resident.session.answer(.session) }
        if "badge/\(id)".hasPrefix(prefix) { resident.session.answer(.badge) }
        for (index, component) in resident.session.scene.components.enumerated()
        where "state/\(id)/\(component.id)".hasPrefix(prefix) {
            resident.session.answer(.state(component: index))
        }
    }
}

extension [String] {
    /// The first place whose element is past, by bisection; elements past follow the others.
    fileprivate func firstPlace(where isPast: (String) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isPast(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Session {
    /// The head of a snapshot's update: now, with the number sent last.
    fileprivate func head(of topic: CurrentTopic) -> UpdateHead {
        UpdateHead(epoch: epoch, seq: seq(of: topic), time: instant)
    }
}
