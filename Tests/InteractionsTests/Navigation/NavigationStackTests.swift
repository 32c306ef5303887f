import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// The stack, the queue, and refusals.
@Suite struct NavigationStackTests {
    /// Held already: everything above it is popped; else it is pushed.
    @Test(
        arguments: NavigationStage.transitions,
        [
            ("dashboard", ["dashboard"]), ("a", ["dashboard", "a"]),
            ("b", ["dashboard", "a", "b"]), ("c", ["dashboard", "a", "b", "c"]),
        ] as [(String, [String])])
    func goingOntoTheStackPopsOrPushes(
        transition: String, presented: (screen: String, stack: [String])
    ) throws {
        var stage = try navigationStage(over: ["a", "b"])
        let mark = stage.told.count
        try stage.present(presented.screen, transition)
        if transition.hasPrefix("out") { #expect(stage.stack == presented.stack) }
        if transition.hasPrefix("in") { #expect(stage.stack == ["dashboard", "a", "b"]) }
        #expect(stage.lines(since: mark).isEmpty == (presented.screen == "b"))
        stage.step(36)
        #expect(stage.stack == presented.stack && stage.phase == "resting")
        // The screens below have left once.
        let cut = ["dashboard", "a"].contains(presented.screen) ? 1 : 0
        #expect(stage.picture.views == [presented.screen: screen(z: 0, cut: cut)])
    }

    @Test(arguments: NavigationStage.transitions)
    func theShownScreenIsPresentedWithoutEffect(transition: String) throws {
        var stage = try navigationStage(over: ["a"])
        let before = stage.machine
        try stage.present("a", transition)
        #expect(stage.machine == before && !stage.needsPublish)
    }

    /// `back` = `out-via-scale` to the screen below.
    @Test func backLeadsToTheScreenBelow() throws {
        var stage = try navigationStage(over: ["a", "b"])
        var other = stage
        let mark = stage.told.count
        try stage.back()
        try other.present("a", "out-via-scale")
        #expect(stage.machine == other.machine && stage.stack == ["dashboard", "a"])
        stage.step(34)
        try stage.back()
        stage.step(34)
        #expect(stage.stack == ["dashboard"] && stage.backTitle == nil)
        let times = "\(0.3 - 0.02) ease-in"
        #expect(
            stage.lines(since: mark) == [
                "out-via-scale began b→a \(times)", "out-via-scale ended b→a \(times)",
                "out-via-scale began a→dashboard \(times)",
                "out-via-scale ended a→dashboard \(times)",
            ])
        #expect(refusal { () throws(Rejection) in try stage.back() } == .badValue)
    }

    /// Each column is 12 steps, 0.1 s. Plays presents of `a`, `b`, `c` by scale, `B`ack.
    private func timeline(_ script: String) throws -> (phases: String, stage: NavigationStage) {
        var stage = try navigationStage()
        let phases = try stage.timeline(script, column: 12) {
            (letter, stage) throws(Rejection) in
            if letter == "B" {
                try stage.back()
            } else {
                try stage.present("\(letter)", "in-via-scale")
            }
        }
        return (phases, stage)
    }

    @Test func oneAfterTheOtherTheyRun() throws {
        #expect(try timeline("-a---b----B----").phases == "rtttrtttrrtttrr")
        let queued = try timeline("ab--c-------B-----")
        #expect(queued.phases == "tttttttttrrrtttrrr")
        #expect(queued.stage.stack == ["dashboard", "a", "b"])
        #expect(try timeline("aB--------").phases == "ttttttrrrr")
    }

    /// Each begins at the step at which the one before ended: 36, 36 + 34, 36 + 34 + 36.
    @Test func theNextBeginsAtTheSameStep() throws {
        var stage = try navigationStage()
        try stage.present("a", "in-from-bottom")
        stage.step(5)
        try stage.back()
        #expect(!stage.needsPublish)
        try stage.present("b", "in-via-scale")
        stage.step(200)
        let leaving = "a→dashboard \(0.3 - 0.02) ease-in"
        #expect(
            stage.told == [
                "0 in-from-bottom began dashboard→a 0.3 ease-in-out",
                "36 in-from-bottom ended dashboard→a 0.3 ease-in-out",
                "36 out-via-scale began \(leaving)", "70 out-via-scale ended \(leaving)",
                "70 in-via-scale began dashboard→b 0.3 ease-out",
                "106 in-via-scale ended dashboard→b 0.3 ease-out",
            ])
    }

    /// Back at the root and the shown screen once more: dropped, and the next has its turn.
    @Test func impossibleQueuedCommandsAreDropped() throws {
        var stage = try navigationStage()
        try stage.present("a", "in-via-scale")
        try stage.back()
        try stage.back()
        try stage.present("dashboard", "in-via-scale")
        try stage.present("b", "out-to-bottom")
        stage.step(69)
        #expect(stage.stack == ["dashboard"] && stage.phase == "transitioning")
        stage.step(1)
        #expect(stage.stack == ["dashboard", "b"] && stage.phase == "transitioning")
        #expect(stage.told.last?.hasPrefix("70 out-to-bottom began dashboard→b") == true)
        stage.step(34)
        #expect(stage.phase == "resting" && stage.told.count == 6)
    }

    @Test func aQueueOfNothingPossibleEndsAtRest() throws {
        var stage = try navigationStage()
        try stage.present("a", "in-via-scale")
        for _ in 0..<4 { try stage.present("a", "in-from-bottom") }
        stage.step(36)
        #expect(stage.phase == "resting" && stage.told.count == 2)
        let fresh = try navigationStage(over: ["a"])
        #expect(stage.machine == fresh.machine)
    }

    /// At most 8 wait; what they are is not asked before their turn.
    @Test(arguments: [8, 0, 1, 3])
    func beyondTheQueueItIsBusy(queue: Int) throws {
        var stage = try navigationStage { $0.queue = queue }
        try stage.present("a", "in-via-scale")
        for number in 0..<queue {
            if number % 2 == 0 { try stage.back() } else { try stage.present("a", "in-via-scale") }
        }
        let before = stage.machine
        #expect(refusal { () throws(Rejection) in try stage.back() } == .busy)
        let shown = refusal { () throws(Rejection) in try stage.present("a", "in-via-scale") }
        let other = refusal { () throws(Rejection) in try stage.present("b", "in-via-scale") }
        #expect(shown == .busy && other == .busy && stage.machine == before)
        stage.step(36)
        // The first has its turn: there is room for one more.
        if queue > 0 {
            try stage.back()
            #expect(stage.phase == "transitioning")
            #expect(refusal { () throws(Rejection) in try stage.back() } == .busy)
        }
    }

    @Test func theStackIsBounded() throws {
        // Less than a step: each is over at the next one.
        var stage = try navigationStage { ($0.duration, $0.removalLead) = (0.001, 0) }
        let screens = (1..<Navigation.stackMax).map { "s\($0)" }
        for screen in screens.dropLast() {
            try stage.present(screen, "in-via-scale")
            stage.step()
        }
        try stage.present(screens[Navigation.stackMax - 2], "in-via-scale")
        try stage.present("waiting", "in-from-bottom")
        stage.step()
        // The waiting command found the stack full.
        #expect(stage.stack == ["dashboard"] + screens && stage.phase == "resting")
        let before = stage.machine
        for transition in NavigationStage.transitions {
            let code = refusal { () throws(Rejection) in try stage.present("more", transition) }
            #expect(code == .badValue && stage.machine == before)
        }
        try stage.present("s1", "out-to-bottom")
        #expect(stage.stack == ["dashboard", "s1"])
    }

    // MARK: Refusals

    /// The command, its screen, its transition, and the code that it gets whatever runs.
    private static let malformed: [(String, String?, String?, RejectionCode)] = [
        ("present", nil, "in-via-scale", .missingField), ("present", "a", nil, .missingField),
        ("present", nil, nil, .missingField), ("present", "a b", nil, .missingField),
        ("present", nil, "sideways", .missingField), ("present", "a", "", .badValue),
        ("present", "a", "in_via_scale", .badValue), ("present", "a", "In-Via-Scale", .badValue),
        ("present", "", "in-via-scale", .badValue), ("present", "a/b", "in-via-scale", .badValue),
        ("present", "a b", "in-via-scale", .badValue), ("present", "ä", "in-via-scale", .badValue),
        ("present", "a\"", "in-via-scale", .badValue),
        ("present", String(repeating: "a", count: 65), "in-via-scale", .badValue),
        ("reset", nil, nil, .unknownCommand), ("dismiss", "a", "in-via-scale", .unknownCommand),
    ]

    @Test(arguments: malformed, [0, 1, 2])
    func malformedCommandsAreRefusedWhateverRuns(
        bad: (name: String, screen: String?, transition: String?, code: RejectionCode), running: Int
    ) throws {
        var stage = try navigationStage { $0.queue = 1 }
        for number in 0..<running { try stage.present("s\(number)", "in-via-scale") }
        stage.step(3)
        let before = stage.machine
        let code = refusal { () throws(Rejection) in
            try stage.command(bad.name, screen: bad.screen, transition: bad.transition)
        }
        #expect(code == bad.code && stage.machine == before)
    }

    @Test(arguments: [String(repeating: "z", count: 64), "-", "Az09._~-", "..", "0"])
    func anyNameOfATopicsFormIsAScreen(name: String) throws {
        var stage = try navigationStage()
        try stage.present(name, "in-via-scale")
        #expect(stage.view(name) != nil)
    }

    @Test(arguments: [false, true])
    func itTakesNoGesturesButPans(isTransitioning: Bool) throws {
        var stage = try navigationStage()
        if isTransitioning { try stage.present("a", "in-via-scale") }
        let before = stage.machine
        for gesture: Gesture in [
            .tap(.point(middle)), .swipe(Swipe(direction: .right, target: .point(middle))),
            .scroll(Scroll(phase: .began, offset: 0)),
        ] {
            let code = refusal { () throws(Rejection) in try stage.gesture(gesture) }
            #expect(code == .unknownGesture)
        }
        #expect(stage.machine == before)
    }

    @Test(arguments: 0..<64 as Range<UInt64>)
    func theStackHoldsNoScreenTwiceWhateverHappens(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var stage = try navigationStage {
            if seed % 4 == 0 { ($0.duration, $0.removalLead) = (0, 0) }
        }
        for _ in 0..<120 {
            let before = stage.machine
            let screen = ["dashboard", "a", "b", "c", "no name"][random.whole(in: 0...4)]
            let transition = NavigationStage.transitions[random.whole(in: 0...9)]
            let isBack = random.whole(in: 0...2) == 0
            let code = refusal { () throws(Rejection) in
                if isBack { try stage.back() } else { try stage.present(screen, transition) }
            }
            if code != nil { #expect(stage.machine == before, "seed \(seed)") }
            stage.step(random.whole(in: 0...40))
            let views = stage.picture.views
            #expect(!stage.stack.isEmpty && Set(stage.stack).count == stage.stack.count)
            #expect(stage.stack[0] == "dashboard" && stage.picture.isFinite)
            #expect(views.count == (stage.phase == "resting" ? 1 : 2), "seed \(seed)")
            #expect(views[stage.stack[stage.stack.count - 1]] != nil, "seed \(seed)")
        }
        let rest = stage.steps { $0.phase == "resting" && $0.machine.nextTimer == nil }
        #expect(rest != nil, "seed \(seed) never rests")
        #expect(stage.picture.names == [stage.stack[stage.stack.count - 1]])
        #expect(stage.told.count { $0.contains(" began ") } == stage.told.count / 2)
    }
}
