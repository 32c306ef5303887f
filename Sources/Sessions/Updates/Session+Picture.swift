import Geometry
package import Interactions
import Notation

/// One frame: what changed in one frame or by one batch of events, or all there is.
///
/// It shares the session's arrays as they are, so that making it allocates nothing.
package struct SessionPicture: Sendable {
    let components: [Scene.Component]
    let machines: [any Machine]
    let notes: [ComponentNotes]
    let trackings: [ContactTracking]
    let opened: Instant
    /// The components whose states are in it, as bits.
    let included: UInt32
    /// Transitions with the index of their component, in order.
    let transitions: [Outgoing.DatedTransition]
    package let badges: BadgeLedger?
    /// Nil: they have not changed, or the scene has none.
    package var variables: VariablePicture?
    /// Nil: they have not changed, or nobody is told.
    package var touches: ContactLedger?
    /// The values that texts name, and the texts of each component that name any; empty: none do.
    var texts: TextContext?
    var textUses: [SceneTexts.Use] = []
    /// The rows of components that are in it.
    let rows: [Rows]

    /// The rows of one component.
    struct Rows: Sendable {
        var component: Int
        var told: ToldRows
    }

    package var hasRows: Bool { !rows.isEmpty }

    package func forEachRows(_ body: (_ component: String, _ rows: ToldRows) -> Void) {
        for rows in rows { body(components[rows.component].id, rows.told) }
    }

    /// The states in it, in their order.
    package func forEachState(
        _ body: (_ component: String, _ machine: any Machine, _ notes: StateNotes) -> Void
    ) {
        for index in machines.indices where included & (1 << UInt32(index)) != 0 {
            let recognizer = trackings.recognizer(on: index)
            var told = StateNotes(notes[index], recognizer: recognizer, opened: opened)
            if textUses.indices.contains(index), textUses[index].isAny { told.texts = texts }
            body(components[index].id, machines[index], told)
        }
    }

    package var hasTransitions: Bool { !transitions.isEmpty }

    package func forEachTransition(_ body: (_ component: String, _ transition: Transition) -> Void)
    {
        for dated in transitions { body(components[dated.component].id, dated.transition) }
    }
}

/// The values of a session's variables, with their names.
package struct VariablePicture: Sendable {
    let variables: [Variable]
    let ledger: VariableLedger

    package var version: Int { ledger.version }

    package func forEach(_ body: (_ name: String, _ value: VariableValue) -> Void) {
        for index in variables.indices { body(variables[index].name, ledger.values[index]) }
    }
}

extension Session {
    /// A frame of these components.
    func picture(
        of included: UInt32, transitions: [Outgoing.DatedTransition] = [], badges: BadgeLedger?,
        rows: [SessionPicture.Rows] = []
    ) -> SessionPicture {
        var picture = SessionPicture(
            components: scene.components, machines: machines, notes: notes,
            trackings: trackings, opened: opened, included: included, transitions: transitions,
            badges: badges, rows: rows)
        if tellsTexts {
            (picture.texts, picture.textUses) = (textContext, scene.texts.told)
        }
        return picture
    }

    /// A frame of all there is.
    package var wholePicture: SessionPicture {
        let rows = currentRows().map { SessionPicture.Rows(component: $0.component, told: $0.rows) }
        var whole = picture(of: Pictures.all(machines.count), badges: badges, rows: rows)
        whole.variables = variablePicture
        whole.touches = toldTouches
        return whole
    }

    /// The variables as updates tell them; nil: there are none to tell of.
    package var variablePicture: VariablePicture? {
        guard outgoing.variables != nil, let ledger = badges.variables else { return nil }
        return VariablePicture(variables: scene.variables, ledger: ledger)
    }
}
