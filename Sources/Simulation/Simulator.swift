package import Codec
import Geometry
import Gestures
package import Interactions
import Notation
import Protocol
package import Recordings
package import Sessions

/// Runs a recording on virtual time: the same sessions and the same bytes as the daemon's, no
/// clock. The same recording gives the same lines, always.
///
/// A session opens at its first event's time, and its step k stands ⌊k · 25,000,000 / 3⌋ ns after.
package struct Simulator {
    /// Milliseconds after the last event at which a run ends, whatever still moves.
    package static let tailMillisecondsMax = 600_000.0

    /// One session's part of the recording, and its life so far.
    private struct Track {
        let session: String?
        var events: [Recording.Event] = []
        var next = 0
        var life: Session?
        /// When the life's step 0 is, in nanoseconds on the recording's scale.
        var opened = 0
        var lives = 0
        /// Contacts whose `began` was refused and opened no session.
        var refused = RefusedContacts()
    }

    private let scenes: [String: Scene]
    private let firstScene: SceneReference
    private let seed: UInt64?
    private let frameRate: Int
    private var tracks: [Track] = []
    private let decoder = EventDecoder()
    private var nowhereSeq = 0
    /// Nanoseconds on the recording's scale at which the run ends.
    private let end: Int

    /// `scenes` are those that the recording may name; `until` counts milliseconds from its first
    /// event. Throws where its own scene is unknown or bad.
    package init(
        _ recording: Recording, scenes: [String: Scene], frameRate: Int = 60,
        until: Double? = nil
    ) throws(Rejection) {
        self.scenes = scenes
        self.frameRate = frameRate
        seed = recording.seed
        firstScene = try Self.reference(recording.scene)
        let first = recording.events.first?.time ?? 0
        let last = recording.events.last?.time ?? 0
        let limit = until.map { first + $0 } ?? last + Self.tailMillisecondsMax
        end = Self.nanoseconds(limit)
        // What has no session is refused at its own time, on a track of its own.
        var places: [String?: Int] = [:]
        for event in recording.events {
            let session = try? Topic(event.topic).session
            if places[session] == nil {
                places[session] = tracks.count
                tracks.append(Track(session: session))
            }
            if let place = places[session] { tracks[place].events.append(event) }
        }
        if case .named(let name) = firstScene, scenes[name] == nil,
            recording.scene != nil || !recording.sessionsToOpen.isEmpty
        {
            throw Self.unknown(scene: name)
        }
    }

    private static func unknown(scene name: String) -> Rejection {
        Rejection(.unknownScene, "there is no scene \"\(name)\"")
    }

    private static func reference(_ node: Node?) throws(Rejection) -> SceneReference {
        guard let node else { return .named("phone") }
        if let name = node.string { return .named(name) }
        do throws(SceneError) {
            return .inline(try SceneReader.scene(from: node, fallbackName: nil))
        } catch {
            throw error.rejection
        }
    }

    /// Plays everything; `sink` takes each message in the order of its time.
    package mutating func run(into sink: inout some MessageSink) {
        while let (time, index) = nextTurn(), time <= end { turn(index, into: &sink) }
    }

    // MARK: What comes next

    /// The earliest time at which anything happens, and on which track; ties in order of tracks.
    private func nextTurn() -> (time: Int, track: Int)? {
        var earliest: (time: Int, track: Int)?
        for (index, track) in tracks.enumerated() {
            guard let time = nextTime(of: track) else { continue }
            if time < earliest?.time ?? Int.max { earliest = (time, index) }
        }
        return earliest
    }

    private func nextTime(of track: Track) -> Int? {
        guard let life = track.life else {
            return track.next < track.events.count
                ? Self.nanoseconds(track.events[track.next].time) : nil
        }
        var step = life.nextWake(interest: .all)
        if track.next < track.events.count {
            let event = self.step(of: track.events[track.next], in: track)
            step = min(step ?? event, event)
        }
        return step.map { track.opened + $0.nanoseconds }
    }

    /// The step of a track's life at which an event is applied.
    private func step(of event: Recording.Event, in track: Track) -> Step {
        let now = track.life?.clock ?? .zero
        let placed =
            event.step.map { Step($0) }
            ?? Step(notAfter: Self.nanoseconds(event.time) - track.opened)
        return max(placed, now)
    }

    private static func nanoseconds(_ milliseconds: Double) -> Int {
        Int((milliseconds * 1e6).rounded())
    }

    // MARK: One turn

    /// One step of one session: motion and timers to it, its events, what is told then.
    private mutating func turn(_ index: Int, into sink: inout some MessageSink) {
        guard tracks[index].life != nil else {
            begin(index, into: &sink)
            return
        }
        let track = tracks[index]
        var step = track.life?.nextWake(interest: .all)
        if track.next < track.events.count {
            let event = self.step(of: track.events[track.next], in: track)
            step = min(step ?? event, event)
        }
        guard let step else { return }
        tracks[index].life?.advance(to: step)
        while tracks[index].life != nil, tracks[index].next < tracks[index].events.count,
            self.step(of: tracks[index].events[tracks[index].next], in: tracks[index]) <= step
        {
            let event = tracks[index].events[tracks[index].next]
            tracks[index].next += 1
            apply(event, to: index, into: &sink)
        }
        flush(index, into: &sink)
    }

    private mutating func flush(_ index: Int, into sink: inout some MessageSink) {
        let inFrame = tracks[index].life?.isInFrame ?? false
        tracks[index].life?.flush(to: .all, inFrame: inFrame, into: &sink)
    }

    /// The first event of a life: it opens a session, unless it is refused.
    private mutating func begin(_ index: Int, into sink: inout some MessageSink) {
        let event = tracks[index].events[tracks[index].next]
        tracks[index].next += 1
        let (contact, decoding) = firstEvent(event)
        if let contact, tracks[index].refused.judge(contact) != nil { return }
        do throws(Rejection) {
            guard let id = tracks[index].session else {
                _ = try decoding.get()
                return
            }
            let decoded = try decoding.get()
            if case .close = decoded.payload {
                throw Rejection(.unknownSession, "there is no session \"\(id)\"")
            }
            var session = try makeSession(id, for: decoded, at: event, lives: tracks[index].lives)
            _ = try session.apply(decoded, received: event.time)
            session.suppress(tracks[index].refused)
            tracks[index].refused = RefusedContacts()
            tracks[index].lives += 1
            tracks[index].opened = Self.nanoseconds(event.time)
            tracks[index].life = session
        } catch {
            if let contact, contact.phase == .began {
                tracks[index].refused.insert(contact, error)
            }
            refuse(event, error, into: &sink)
            return
        }
        // Whatever else happens at step 0 is told with it.
        while tracks[index].life != nil, tracks[index].next < tracks[index].events.count,
            step(of: tracks[index].events[tracks[index].next], in: tracks[index]) == .zero
        {
            let event = tracks[index].events[tracks[index].next]
            tracks[index].next += 1
            apply(event, to: index, into: &sink)
        }
        flush(index, into: &sink)
    }

    /// What an event says, and the contact that it is of, as far as that can be read.
    private func firstEvent(
        _ event: Recording.Event
    ) -> (contact: Contact?, decoding: Result<Event, Rejection>) {
        do throws(DecodingFailure) {
            let decoded = try decode(event)
            return (Contact(decoded), .success(decoded))
        } catch {
            return (error.contact(topic: event.topic), .failure(error.rejection))
        }
    }

    private func makeSession(
        _ id: String, for event: Event, at first: Recording.Event, lives: Int
    ) throws(Rejection) -> Session {
        var reference = firstScene
        if case .open(let named) = event.payload { reference = named }
        var scene: Scene
        switch reference {
        case .inline(let inline): scene = inline
        case .named(let name):
            guard let named = scenes[name] else { throw Self.unknown(scene: name) }
            scene = named
        }
        if let seed { scene.seed = seed }
        return Session(
            id: id, epoch: lives == 0 ? "sim" : "sim.\(lives + 1)", scene: scene,
            opened: Instant(nanoseconds: Self.nanoseconds(first.time)), frameRate: frameRate)
    }

    private func decode(_ event: Recording.Event) throws(DecodingFailure) -> Event {
        let topic: Topic
        do throws(TopicError) {
            topic = try Topic(event.topic)
        } catch {
            throw DecodingFailure(rejection: Rejection(error))
        }
        return try decoder.decode(topic: topic, body: event.body)
    }
}

// MARK: - Events of a life

extension Simulator {
    private mutating func apply(
        _ event: Recording.Event, to index: Int, into sink: inout some MessageSink
    ) {
        guard var life = tracks[index].life else { return }
        // The session is moved out and back, so that it is changed in place.
        tracks[index].life = nil
        let reception: Session.Reception
        var isClosed = false
        do throws(DecodingFailure) {
            let decoded = try decode(event)
            reception = life.receive(decoded, received: event.time)
            if case .close = decoded.payload { isClosed = reception == .applied }
        } catch {
            reception = life.refuse(error.contact(topic: event.topic), with: error.rejection)
        }
        switch reception {
        case .applied, .suppressed: break
        case .duplicate: report(.duplicate, of: event, in: &life)
        case .refused(let rejection): report(rejection, of: event, in: &life)
        }
        if isClosed {
            life.end(.closed)
            life.flush(to: .all, inFrame: false, into: &sink)
        } else {
            tracks[index].life = life
        }
    }

    private func report(
        _ rejection: Rejection, of event: Recording.Event, in life: inout Session
    ) {
        if life.mayReport() { life.report(Self.report(event, rejection)) }
    }

    /// Tells of a rejection that belongs to no open session.
    private mutating func refuse(
        _ event: Recording.Event, _ rejection: Rejection, into sink: inout some MessageSink
    ) {
        nowhereSeq += 1
        let time = Instant(nanoseconds: Self.nanoseconds(event.time))
        let head = UpdateHead(epoch: "sim", seq: nowhereSeq, time: time)
        let report = Self.report(event, rejection)
        sink.message(.rejected(session: nil)) { Update.rejected(head, report, into: &$0) }
    }

    private static func report(
        _ event: Recording.Event, _ rejection: Rejection
    ) -> RejectionReport {
        unsafe RejectionReport(
            rejection,
            topic: Update.excerpt(of: event.topic.span.bytes, bytesMax: Limits.topicBytesMax),
            excerpt: Update.excerpt(
                of: event.body.span.bytes, bytesMax: Limits.excerptBytesMax))
    }
}
