import Gestures
import Interactions
import TestSupport

/// A kind's states and the events that are worth telling apart in them.
struct Table<Kind: Machine> {
    /// One state, or one of its variants that answers otherwise than the rest.
    struct Column {
        var name: String
        /// Those of one group stand in one table.
        var group: String
        var stage: Stage<Kind>

        /// The group is the name's first word where none is given.
        init(name: String, group: String? = nil, stage: Stage<Kind>) {
            self.name = name
            let word = name.prefix { $0.isLetter }
            self.group = group ?? String(word)
            self.stage = stage
        }
    }

    var kind: String
    /// The meaning of its columns, where their names do not give it.
    var remark: String
    /// The phases that the kind publishes.
    var phases: [String]
    var columns: [Column]
    /// The kind's own events. Names of the vocabulary that are missing here are added.
    var rows: [Grid.Row.Event]
    /// The state that a machine is in, as told in a cell.
    var state: (Trial<Kind>) -> String = { $0.machine.phase }
    /// Views that an event puts elsewhere at once; all others go on from where they are.
    var jumping: (Stimulus) -> Set<String> = { _ in [] }

    /// Plays everything in every state.
    func grid() -> Grid {
        let known = Set(columns.map { state(Trial($0.stage)) })
        var faults: [String] = []
        let answers = events.map { event in
            let cells = columns.map { column in
                var found: [String] = []
                let answer = Trial(column.stage).answer(
                    to: event.stimulus, state: state, faults: &found)
                if case .accepted(let reaction) = answer, !known.contains(reaction.next) {
                    found.append("leads to \(reaction.next), which is not listed")
                }
                faults += found.map { "\(column.name), \(event.label): \($0)" }
                return answer
            }
            return Grid.Row(event: event, answers: cells)
        }
        return Grid(
            kind: kind, remark: remark, phases: phases, states: columns.map(\.name),
            groups: columns.map(\.group), keys: columns.map { state(Trial($0.stage)) },
            reached: Set(columns.map(\.stage.phase)),
            listensToContacts: columns.contains { !$0.stage.machine.recognizers.isEmpty },
            rows: answers, faults: faults)
    }

    var events: [Grid.Row.Event] { rows + missing }

    /// Events of the vocabulary that the kind has no rows of its own for.
    private var missing: [Grid.Row.Event] {
        let own = Set(rows.map(\.stimulus.name))
        return Vocabulary.all.filter { !own.contains($0.name) }.map { Grid.Row.Event($0) }
    }
}

/// A table that was played: what every event does in every state.
struct Grid: Sendable {
    struct Row: Sendable {
        struct Event: Hashable, Sendable {
            var stimulus: Stimulus
            /// The words that tell it from others of its name: `near the middle`.
            var variant: String

            init(_ stimulus: Stimulus, _ variant: String = "") {
                self.stimulus = stimulus
                self.variant = variant
            }

            var label: String {
                let name = stimulus.name
                return [name.group, name.member, variant].filter { !$0.isEmpty }
                    .joined(separator: " ")
            }
        }

        var event: Event
        /// In the order of the states.
        var answers: [Answer]
    }

    var kind: String
    var remark: String
    var phases: [String]
    var states: [String]
    /// Which of the states stand together.
    var groups: [String]
    /// The state in which a machine in each of them is found; variants share one.
    var keys: [String]
    /// The phases that its states are in.
    var reached: Set<String>
    /// Whether a session recognises raw contacts on it: then the machine never sees one itself.
    var listensToContacts: Bool
    var rows: [Row]
    /// Violations of every machine's rules, with their places.
    var faults: [String]
}
