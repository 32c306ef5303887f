import Geometry
import Gestures
import Interactions
import TestSupport

extension Tables {
    /// Whether the client scrolls is independent of what the rows do.
    static func list() throws -> Table<List> {
        let columns = try ["", ", scrolled"].flatMap { scrolled in
            try ["closed", "opening", "open", "closing"].map { phase in
                let stage = try ListStage.inPhase(phase, offset: scrolled.isEmpty ? 0 : 35)
                return Table<List>.Column(name: phase + scrolled, stage: stage)
            }
        }
        return Table(
            kind: "list",
            remark: """
                Row 3 of twenty is the one that is out of its place, to the left. *Scrolled* is \
                while a scroll of the client's is open.
                """,
            phases: ["closed", "opening", "open", "closing"], columns: columns,
            rows: swipes + taps
                + Phase.allCases.map { .init(.scroll($0, 50)) }
                + [.init(.command("action")), .init(.command("scroll-to-top")), .init(.time)],
            state: { $0.machine.phase + (isScrolled($0) ? ", scrolled" : "") },
            jumping: { stimulus in
                switch stimulus {
                // The content moves, or another row is the one that is out of its place.
                case .gesture(.scroll), .gesture(.swipe): ["cell", "menu"]
                default: []
                }
            })
    }

    private static var swipes: [Grid.Row.Event] {
        let rows: [(Target, String)] = [
            (.row(3), "on row 3"), (.row(5), "on another row"), (.row(20), "on no row"),
            (.index(3), "on an index"),
        ]
        let sideways = rows.flatMap { target, words in
            [Direction.left, .right].map { Grid.Row.Event(.swipe($0, target), words) }
        }
        return sideways + [
            .init(.swipe(.up, .index(3)), "on an index"),
            .init(.swipe(.down, .index(3)), "on an index"),
        ]
            + [.init(.swipe(.up, .row(3))), .init(.swipe(.down, .row(3)))]
            + [.init(.swipe(.left, .point(Vector(160, 2_000))), "below the last row")]
    }

    private static var taps: [Grid.Row.Event] {
        [
            .init(.tap(.row(3)), "on row 3"),
            .init(.tap(.point(Vector(160, 380))), "on another row"),
            .init(.tap(.row(-1)), "on no row"), .init(.tap(.index(3)), "on an index"),
        ]
    }

    /// Whether a scroll is open: it takes what goes on.
    private static func isScrolled(_ trial: Trial<List>) -> Bool {
        var probe = trial
        do throws(Rejection) {
            try probe.play(.scroll(.changed, 1))
            return true
        } catch {
            return false
        }
    }
}
