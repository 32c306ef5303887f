import Geometry
import Gestures
import Interactions
import Sessions
import Testing

/// A table of sessions in a dictionary, at one instant.
private final class SmallTable: SessionTable {
    final class Active: SessionHandle {
        var session: Session
        init(_ session: Session) { self.session = session }
    }

    struct Raw: ReceivedEvent {
        func report(_ rejection: Rejection) -> RejectionReport {
            RejectionReport(rejection, topic: "topic", excerpt: "body")
        }
    }

    typealias Received = Raw
    var opener: SessionOpener
    var sessions: [String: Active] = [:]
    var sessionsMax = 2
    var hasRoom = true
    var log: [String] = []

    init() {
        let scene = Scene(name: "empty", viewport: Size(320, 568), components: [])
        opener = SessionOpener(
            scenes: ["empty": scene], autoOpen: .named("empty"), frameRate: 60,
            epochs: EpochNames(epoch: "e", lane: 1, laneCount: 2))
    }

    func take(_ event: Event, of id: String = "anna") -> Session.Reception {
        let reception = receive(event, of: id, sessions[id], at: ())
        report(reception, of: Raw(), session: id, at: ())
        return reception
    }

    func openSession(_ id: String) -> Active? { sessions[id] }
    func find(_ id: String, _ moment: Void) -> Active? { sessions[id] }
    func makeSession(_ id: String, _ scene: Scene, at moment: Void) -> Active {
        Active(opener.makeSession(id, scene, opened: Instant(nanoseconds: 0)))
    }
    func insert(_ made: Active) throws(Rejection) {
        guard sessions.count < sessionsMax else { throw Rejection(.sessionLimit, "full") }
        sessions[made.session.id] = made
        log.append("opened \(made.session.epoch)")
    }
    func exchange(_ open: Active, for next: Scene) throws(Rejection) -> Scene {
        guard hasRoom else { throw Rejection(.sessionLimit, "no room") }
        return next
    }
    func publishLastWord(of ended: Active) { log.append("last \(ended.session.lastEvent)") }
    func remove(_ ended: Active, after event: SessionEvent) { sessions[ended.session.id] = nil }
    func advance(_ open: Active, to moment: Void) {}
    func milliseconds(of open: Active, at moment: Void) -> Double { 0 }
    func publish(_ report: RejectionReport, at moment: Void) {
        log.append("rejected \(report.rejection.code.rawValue)")
    }
}

struct SessionTableTests {
    private let table = SmallTable()
    private let likes = Event(.notification(kind: "likes", .add(1)), id: "1")

    private func pan(_ phase: Phase) -> Event {
        Event(.gesture(component: "nowhere", .pan(Pan(phase: phase, location: Vector(1, 1)))))
    }

    @Test func theFirstEventOpensItsSessionAndEachSessionHasItsOwnEpoch() {
        #expect(table.take(likes) == .applied)
        #expect(table.take(likes) == .duplicate)
        #expect(table.take(Event(.close)) == .applied && table.sessions.isEmpty)
        #expect(table.take(likes) == .applied)
        #expect(table.log == ["opened e.2", "last closed", "opened e.4"])
    }

    @Test func aRefusedFirstEventOpensNothingAndTheRestOfItsContactIsSuppressed() {
        guard case .refused(let rejection) = table.take(pan(.began)) else {
            Issue.record("not refused")
            return
        }
        #expect(rejection.code == .unknownComponent)
        #expect(table.take(pan(.changed)) == .suppressed(rejection))
        // Another event opens the session: the contact stays suppressed there.
        #expect(table.take(likes) == .applied)
        #expect(table.take(pan(.ended)) == .suppressed(rejection))
        #expect(table.log == ["rejected unknown-component", "opened e.2"])
    }

    @Test func aSessionForWhichThereIsNoRoomIsRefusedAndUsesNoEpoch() {
        table.sessionsMax = 0
        #expect(table.take(likes) == .refused(Rejection(.sessionLimit, "full")))
        table.sessionsMax = 1
        #expect(table.take(likes) == .applied)
        #expect(table.log == ["rejected session-limit", "opened e.2"])
    }

    @Test func onlyAnOpenSessionCanBeClosed() {
        #expect(table.take(Event(.close)) == .refused(.unknown(session: "anna")))
        let absent = Rejection.unknown(scene: "absent", among: table.opener.scenes.keys.sorted())
        #expect(table.take(Event(.open(.named("absent")))) == .refused(absent))
        table.opener.autoOpen = nil
        #expect(table.take(likes) == .refused(.unknown(session: "anna")))
        #expect(table.take(Event(.open(.named("empty")))) == .applied)
    }
}

/// How the scene of a session changes, as the table has it.
struct SceneChangeTableTests {
    private let table = SmallTable()
    private let other = Scene(name: "other", viewport: Size(100, 100), components: [])

    @Test func aSceneIsFoundByItsName() {
        table.opener.scenes["other"] = other
        #expect(table.take(Event(.change(.update(.named("other"))))) == .applied)
        #expect(table.sessions["anna"]?.session.scene.name == "other")
        #expect(table.sessions["anna"]?.session.revision == 2, "it was opened first")
        let absent = Event(.change(.update(.named("absent"))))
        let names = table.opener.scenes.keys.sorted()
        #expect(names.contains("other"))
        #expect(table.take(absent) == .refused(.unknown(scene: "absent", among: names)))
        #expect(SmallTable().take(absent) == .refused(.unknown(scene: "absent", among: ["empty"])))
        #expect(table.log.last == "opened e.2")
    }

    @Test func anEventThatWasAppliedIsADuplicateThoughItsSceneIsGone() {
        let update = Event(.change(.update(.named("empty"))), id: "1")
        #expect(table.take(update) == .applied)
        table.opener.scenes = [:]
        #expect(table.take(update) == .duplicate)
    }

    /// Also where the scene is named; and an event that is refused opens nothing.
    @Test func aNamedSceneReplacesTheRevisionThatItNames() {
        table.opener.scenes["other"] = other
        let stale = Event(.change(.update(.named("other"), ofRevision: 7)))
        guard case .refused(let rejection) = table.take(stale) else {
            Issue.record("applied")
            return
        }
        #expect(rejection.code == .badValue && table.sessions["anna"] == nil)
        let first = Event(.change(.update(.named("other"), ofRevision: 1)))
        #expect(table.take(first) == .applied)
        #expect(table.sessions["anna"]?.session.revision == 2)
    }

    @Test func replacingOpensOrUpdates() {
        let replace = Event(.replace(.inline(InlineScene(other))))
        #expect(table.take(replace) == .applied)
        #expect(table.sessions["anna"]?.session.revision == 1)
        #expect(table.sessions["anna"]?.session.scene.name == "other")
        #expect(table.take(replace) == .applied)
        #expect(table.sessions["anna"]?.session.revision == 2)
    }

    @Test func aSceneForWhichThereIsNoRoomChangesNothing() {
        #expect(table.take(Event(.open(.named("empty")))) == .applied)
        table.hasRoom = false
        let update = Event(.change(.update(.inline(InlineScene(other)))), id: "1")
        #expect(table.take(update) == .refused(Rejection(.sessionLimit, "no room")))
        #expect(table.sessions["anna"]?.session.scene.name == "empty")
        #expect(table.sessions["anna"]?.session.revision == 1)
        table.hasRoom = true
        #expect(table.take(update) == .applied, "a refused event's id is not remembered")
    }
}
