import Geometry
import Interactions
import Notation

/// Which components of one scene go on in another: those of the same id and kind.
struct SceneMatch {
    /// The former place of each component; nil: it is new.
    let origins: [Int?]
    /// The new place of each former component; nil: it closes.
    let places: [Int?]

    init(from former: Scene, to next: Scene) {
        origins = next.components.map { component in
            former.components.firstIndex {
                $0.id == component.id && $0.parameters.kind == component.parameters.kind
            }
        }
        var places: [Int?] = former.components.map { _ in nil }
        for (place, origin) in origins.enumerated() {
            if let origin { places[origin] = place }
        }
        self.places = places
    }
}

/// How a running session becomes another scene, in one event, and tells it.
extension Session {
    /// Changes the scene. A change that throws has changed nothing.
    mutating func apply(_ change: SceneChange) throws(Rejection) {
        var changed = self
        switch change {
        case .update(_, let wanted?) where wanted != revision:
            throw .wrong(
                "revision", "the scene was changed meanwhile, and has revision \(revision) now")
        case .update(.named(let name), _):
            try changed.become(try catalog.scene(name).measuring(scene.velocity))
        case .update(.inline(let inline), _):
            try changed.become(try inline.scene.measuring(scene.velocity))
        case .revise(let revision):
            let next = try scene.revised(by: revision)
            if case .set(let values) = revision { try changed.set(values) }
            try changed.become(next)
        }
        self = changed
    }

    /// Writes a part of a world anew, as the world's own command does: what commands have made of
    /// the world is in no scene.
    private mutating func set(_ values: ComponentValues) throws(Rejection) {
        let index = try index(of: values.component)
        guard let command = values.command else { return }
        leaveRoom(for: index)
        try machines[index].command(command, at: motion, into: &effects)
        collectEffects(of: index)
    }

    /// Takes an equal scene in the place of its own, so that equal ones are kept once.
    package mutating func share(_ equal: Scene) {
        precondition(equal.text == scene.text, "another scene")
        scene = equal
    }

    /// Becomes another scene. Components of both, by id and kind, go on; the rest opens or closes.
    mutating func become(_ next: Scene) throws(Rejection) {
        let former = scene
        let match = SceneMatch(from: former, to: next)
        let bulk = self.bulk
        rememberClosed(match)
        scene = next
        identity = SessionIdentity(id: id, epoch: epoch, scene: next.name)
        frameSteps = Step.perSecond / (next.frameRate ?? frameRate)
        move(by: match)
        try takeVariables(after: former)
        takeReactions(after: former)
        noteTexts()
        let texts = textContext
        for index in machines.indices {
            if let origin = match.origins[index] {
                adapt(index, from: former.components[origin])
                machines[index].showTexts(texts, fades: true, at: motion, into: &effects)
            } else {
                machines[index].showTexts(texts, fades: false, at: motion, into: &effects)
                machines[index].opened(at: motion, into: &effects)
            }
            outgoing.changeState(index, urgently: true)
            collectEffects(of: index)
        }
        takeRowsTopics()
        // One that is beyond a bound already, as accepted by a former version, may go on.
        if let excess = self.bulk.excess(of: .sessionMax), self.bulk != bulk {
            throw Rejection(.badScene, "a session has at most \(excess)")
        }
        revision += 1
        outgoing.pictures.scene.change(urgently: true)
        // It tells the scene's name, to those who ask.
        if next.name != former.name { outgoing.session.change(urgently: false) }
        markAllChanged()
        fireTimers()
        if next.viewport != former.viewport { note(.resized) }
    }

    private var bulk: Bulk { machines.reduce(Bulk()) { $0 + $1.bulk } }

    /// Keeps the numbers of the components that close.
    private mutating func rememberClosed(_ match: SceneMatch) {
        for (index, place) in match.places.enumerated() where place == nil {
            keepRowsVersion(of: index)
            outgoing.close(
                scene.components[index].id, index,
                cut: min(
                    (notes[index].cutFloor ?? 0) + machines[index].cutMax + 1, Limits.viewCutMax))
        }
    }

    /// Brings what is kept for each component to the component's new place.
    private mutating func move(by match: SceneMatch) {
        let (machines, notes) = (machines, notes)
        self.machines = match.origins.enumerated().map { index, origin in
            let component = scene.components[index]
            return origin.map { machines[$0] }
                ?? component.parameters.machine(
                    viewport: component.placement.frame.size, tracker: scene.velocity)
        }
        let floors = outgoing.become(scene, match)
        self.notes = match.origins.enumerated().map { index, origin in
            var own = origin.map { notes[$0] } ?? ComponentNotes()
            if origin == nil, floors[index] > 0 { own.cutFloor = floors[index] }
            return own
        }
        trackings = trackings.compactMap { tracking in
            match.places[tracking.component].map { place in
                var moved = tracking
                moved.component = place
                moved.sharedDrag = tracking.sharedDrag.flatMap { $0.moved(to: match.places) }
                return moved
            }
        }
        routes.move(to: match.places)
        touches.move(to: match.places)
        forgetSchedules()
    }

    private mutating func adapt(_ index: Int, from former: Scene.Component) {
        let component = scene.components[index]
        let size = component.placement.frame.size
        guard
            component.parameters != former.parameters || size != former.placement.frame.size
        else { return }
        leaveRoom(for: index)
        let recognizers = machines[index].recognizers
        component.parameters.adapt(&machines[index], viewport: size, at: motion, into: &effects)
        if machines[index].recognizers != recognizers { cancelContacts(on: index) }
    }
}
