import Geometry
import Gestures
import Interactions
import TestSupport

extension Tables {
    /// What moves the content is independent of what the rows do.
    private enum Mover: String, CaseIterable {
        case nobody = ""
        case client = ", scrolled"
        case contact = ", dragged"
        case itself = ", coasting"
        case held = ", held"

        func take(_ stage: inout ListStage) throws {
            switch self {
            case .nobody: break
            case .client: try stage.scroll(.began, 35)
            case .contact:
                try stage.drag(.began, 0)
                try stage.drag(.changed, -35)
            case .itself: try stage.fling()
            case .held: try stage.hold()
            }
        }
    }

    static func list() throws -> Table<List> {
        let columns = try Mover.allCases.flatMap { mover in
            try ["closed", "opening", "open", "closing"].map { phase in
                let stage = try ListStage.inPhase(phase, before: mover.take)
                return Table<List>.Column(name: phase + mover.rawValue, stage: stage)
            }
        }
        return Table(
            kind: "list",
            remark: """
                Row 3 of twenty is the one that is out of its place, to the left. *Scrolled* is \
                while a scroll of the client's is open, *dragged* while a contact drags the \
                content, *coasting* while it flings or bounces by itself, *held* while a contact \
                that does not drag keeps it beyond an edge.
                """,
            phases: ["closed", "opening", "open", "closing"], columns: columns,
            rows: swipes + taps
                + Phase.allCases.map { .init(.scroll($0, 50)) }
                + [.init(.command("action")), .init(.command("scroll-to-top")), .init(.time)],
            state: { $0.machine.phase + mover(of: $0).rawValue },
            jumping: { stimulus in
                switch stimulus {
                // The content moves, or another row is the one that is out of its place.
                case .gesture(.scroll), .gesture(.swipe), .contentDrag: ["cell", "menu"]
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

    /// Found by what its content does when it is moved, let go, or left alone.
    private static func mover(of trial: Trial<List>) -> Mover {
        var client = trial
        if refusal({ () throws(Rejection) in try client.play(.scroll(.changed, 1)) }) == nil {
            return .client
        }
        if coasts(trial) { return .itself }
        let offsets = [10.0, 500].map { translation in
            var dragged = trial
            _ = refusal { () throws(Rejection) in
                try dragged.play(.contentDrag(.changed, translation))
            }
            return offset(dragged)
        }
        if offsets[0] != offsets[1] { return .contact }
        var lifted = trial
        _ = refusal { () throws(Rejection) in try lifted.play(.touch(.up)) }
        return coasts(lifted) ? .held : .nobody
    }

    private static func coasts(_ trial: Trial<List>) -> Bool {
        var next = trial
        next.step()
        return offset(next) != offset(trial)
    }

    private static func offset(_ trial: Trial<List>) -> Picture.Value? {
        Picture(trial.machine).fields["offset"]
    }
}
