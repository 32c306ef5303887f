package import Codec
import Geometry
import Gestures
package import Interactions
import Notation
package import Protocol
package import Recordings
package import Sessions

/// Runs a recording on virtual time: the daemon's sessions and the daemon's bytes, without a clock.
///
/// Events pass as they do in a lane: a recording is parted into one track for each session; each
/// turn takes the track whose next event or motion is earliest, brings its session there, hands
/// its events to ``SimulatedSessions``, which applies the daemon's own rules, and publishes. The
/// same recording gives the same lines, always. A session opens at its first event's time, and its
/// step k stands ⌊k · 25,000,000 / 3⌋ ns after. Tracks share nothing but the opener of sessions,
/// so what picks the next turn may change as long as ties fall in the order of tracks.
package struct Simulator {
    /// Milliseconds after the last event at which a run ends, whatever still moves.
    package static let tailMillisecondsMax = 600_000.0

    /// One session's part of the recording, and the session while it is open.
    private struct Track {
        /// Nil: the track of events whose topic names no session.
        let name: String?
        var events: [Recording.Event] = []
        var next = 0
        var open: SimulatedSession?

        var nextEvent: Recording.Event? { next < events.count ? events[next] : nil }
    }

    private let sessions: SimulatedSessions
    private let channels: Channels
    private var tracks: [Track] = []
    private let decoder = EventDecoder()
    /// The contacts that touched nothing so far.
    package private(set) var outside = OutsideCount()
    /// Nanoseconds on the recording's scale at which the run ends.
    private let end: Int

    /// `scenes` are those that the recording may name; `until` counts milliseconds from its first
    /// event. A frame tells its states once more, so nobody wants both. Throws where its own scene
    /// is unknown or bad.
    package init(
        _ recording: Recording, scenes: [String: Scene], frameRate: Int = 60,
        until: Double? = nil, channels: Channels = Channels.all.subtracting(.frame)
    ) throws(Rejection) {
        self.channels = channels
        let scene = try Self.reference(recording.scene)
        sessions = SimulatedSessions(
            channels: channels,
            SessionOpener(
                scenes: scenes, autoOpen: scene, frameRate: frameRate, seed: recording.seed,
                epochs: EpochNames(ofEachName: "sim")))
        let first = recording.events.first?.time ?? 0
        let last = recording.events.last?.time ?? 0
        let limit = until.map { first + $0 } ?? last + Self.tailMillisecondsMax
        end = SimulatedSessions.nanoseconds(limit)
        // An event without a session is refused at its own time, on a track of its own.
        var places: [String?: Int] = [:]
        for event in recording.events {
            let name = try? Topic(event.topic).session
            if places[name] == nil {
                places[name] = tracks.count
                tracks.append(Track(name: name))
            }
            if let place = places[name] { tracks[place].events.append(event) }
        }
        if case .named(let name) = scene, scenes[name] == nil,
            recording.scene != nil || !recording.sessionsOpenedUnasked.isEmpty
        {
            throw .unknown(scene: name, among: scenes.keys.sorted())
        }
    }

    private static func reference(_ node: Node?) throws(Rejection) -> SceneReference {
        guard let node else { return .named("phone") }
        if let name = node.string { return .named(name) }
        do throws(SceneError) {
            return .inline(InlineScene(try SceneReader.scene(from: node, fallbackName: nil)))
        } catch {
            throw error.rejection
        }
    }

    /// Plays everything; `sink` takes each message in the order of its time.
    package mutating func run(into sink: inout some MessageSink) {
        while let (time, index) = nextTurn(), time <= end { takeTurn(of: index, into: &sink) }
    }

    // MARK: The next turn

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
        guard let open = track.open else {
            return track.nextEvent.map { SimulatedSessions.nanoseconds($0.time) }
        }
        return nextStep(of: track, open).map { open.opened + $0.nanoseconds }
    }

    /// The next step of a session at which an event comes or something moves.
    private func nextStep(of track: Track, _ open: SimulatedSession) -> Step? {
        let wake = open.session.nextWake(interest: channels)
        guard let event = track.nextEvent else { return wake }
        let step = step(of: event, in: open)
        return min(wake ?? step, step)
    }

    /// The step of a session at which an event is applied.
    private func step(of event: Recording.Event, in open: SimulatedSession) -> Step {
        let placed =
            event.step.map { Step($0) }
            ?? Step(notAfter: SimulatedSessions.nanoseconds(event.time) - open.opened)
        return max(placed, open.session.clock)
    }

    // MARK: One turn

    /// One step of one session: motion and timers to it, its events, and what it publishes then.
    private mutating func takeTurn(of index: Int, into sink: inout some MessageSink) {
        var step = Step.zero
        if let open = tracks[index].open {
            guard let next = nextStep(of: tracks[index], open) else { return }
            step = next
            open.session.advance(to: step)
        } else {
            // A first event; whatever else happens at step 0 is published with it.
            takeEvent(of: index, at: step, into: &sink)
        }
        while let open = tracks[index].open, let event = tracks[index].nextEvent,
            self.step(of: event, in: open) <= step
        {
            takeEvent(of: index, at: step, into: &sink)
        }
        guard let open = tracks[index].open else { return }
        let inFrame = open.session.isInFrame
        open.session.flush(to: channels, inFrame: inFrame, into: &sink)
    }

    private mutating func takeEvent(
        of index: Int, at step: Step, into sink: inout some MessageSink
    ) {
        guard let event = tracks[index].nextEvent else { return }
        tracks[index].next += 1
        let moment = SimulatedSessions.Moment(time: event.time, step: step)
        do throws(TopicError) {
            let topic = try Topic(event.topic)
            let (reception, decoded) = receive(event, topic, tracks[index].open, at: moment)
            sessions.report(reception, of: event, session: topic.session, at: moment)
            tracks[index].open = sessions.openSession(topic.session)
            if let decoded, let open = tracks[index].open {
                outside.note(decoded, viewport: open.session.scene.viewport)
            }
        } catch {
            sessions.report(Rejection(error), of: event, nil, at: moment)
        }
        sessions.publishMessages(into: &sink)
    }

    private func receive(
        _ event: Recording.Event, _ topic: Topic, _ open: SimulatedSession?,
        at moment: SimulatedSessions.Moment
    ) -> (Session.Reception, Event?) {
        do throws(DecodingFailure) {
            let decoded = try decoder.decode(event, topic)
            return (sessions.receive(decoded, of: topic.session, open, at: moment), decoded)
        } catch {
            let reception = sessions.receiveUndecodable(
                error.contact(topic), error.rejection, of: topic.session, open)
            return (reception, nil)
        }
    }
}

extension EventDecoder {
    /// A recording's event, or its request for an opening. Throws as `decode(topic:body:)` does.
    package func decode(
        _ recorded: Recording.Event, _ topic: Topic
    ) throws(DecodingFailure) -> Event {
        try recorded.isRequest
            ? Self.opening(recorded.body) : decode(topic: topic, body: recorded.body)
    }
}
