import Geometry

/// Random apps, and random events for them, from one seed: things that are tapped, dragged and
/// read, with reactions of every cause, condition and action.
struct AppStorm {
    /// A cause, and an action that uses what it tells.
    private struct Source {
        var when: String
        var deed: String?

        init(_ when: String, _ deed: String? = nil) { (self.when, self.deed) = (when, deed) }
    }

    /// An event as a publisher sends it to the session `s`.
    struct Sent {
        var topic: String
        var body: String
    }

    var random: SplitMix64
    private var finger: Vector?

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[random.whole(in: 0...elements.count - 1)]
    }

    mutating func isOnceIn(_ count: Int) -> Bool { random.whole(in: 1...count) == 1 }

    /// Steps to the next event: mostly few, sometimes a second.
    mutating func pause() -> Int { isOnceIn(8) ? 120 : random.whole(in: 0...9) }

    // MARK: The scene

    static let components: [String] = [
        #"{"id":"tabs","kind":"tabs","items":[{"id":"a"},{"id":"b"},{"id":"c"}]}"#,
        #"""
        {"id":"world","kind":"dynamics","frame":[0,380,320,100],"items":[\#
        {"id":"ball","center":[60,20],"size":[20,20]},\#
        {"id":"plate","center":[70,70],"size":[60,10]}],"behaviors":[\#
        {"id":"fall","kind":"gravity","items":["ball"]},\#
        {"id":"walls","kind":"collision","items":["ball","plate"],\#
        "boundaries":[{"id":"floor","path":[[0,95],[320,95]]}]}]}
        """#,
        #"{"id":"one","kind":"button","frame":[0,0,100,40]}"#,
        #"{"id":"two","kind":"button","frame":[110,0,100,40],"toggle":true}"#,
        #"{"id":"hold","kind":"button","frame":[220,0,100,40],"repeat":0.2}"#,
        #"""
        {"id":"points","kind":"label","frame":[0,50,320,30],"fade":0,\#
        "text":"{score:03} of {name}, {count.k}"}
        """#,
        #"""
        {"id":"hello","kind":"label","frame":[0,80,320,30],\#
        "text":{"en":"Hello {name}","de":"Hallo {name}"}}
        """#,
        #"{"id":"toss","kind":"toss","frame":[200,120,60,60]}"#,
        #"""
        {"id":"sheet","kind":"panel","size":[320,300],"backdrop_alpha":0.4,\#
        "anchors":[{"name":"low","at":"80%"},{"name":"high","at":200}],\#
        "spring":{"duration":0.3,"bounce":0.2}}
        """#,
        #"""
        {"id":"list","kind":"list","in":"sheet/content","rows":[\#
        {"id":"soup","content":{"text":"{name}'s soup"}},{"id":"bread"},{"id":"cake"},\#
        {"id":"tea"},{"id":"milk"},{"id":"rice"}]}
        """#,
        #"""
        {"id":"tips","kind":"tips","presented":false,\#
        "tips":[{"title":"One {score}"},{"title":"Two"}]}
        """#,
    ]

    /// A scene of these reactions. `RATE` stands for its frame rate.
    static func scene(_ reactions: [String]) -> String {
        scene(of: components, reactions, #","language":"en""#)
    }

    private static func scene(
        of components: [String], _ reactions: [String], _ rest: String = ""
    ) -> String {
        #"""
        {"viewport":[320,568],"frame_rate":RATE,"seed":7\#(rest),\#
        "variables":{"score":0,"open":false,"name":"nobody"},\#
        "components":[\#(components.joined(separator: ","))],\#
        "reactions":[\#(reactions.joined(separator: ","))]}
        """#
    }

    private static func of(_ component: String, _ transition: String, _ rest: String = "") -> String
    {
        #"{"component":"\#(component)","transition":"\#(transition)"\#(rest)}"#
    }

    private static let sources: [Source] = [
        Source(of("one", "tap")), Source(of("hold", "tap")), Source(of("one", "long-press")),
        Source(of("two", "tap"), #"{"variable":"open","set":"$on"}"#),
        Source(of("tabs", "select"), #"{"variable":"name","set":"$item"}"#),
        Source(
            of("list", "select"), #"{"component":"list","command":"remove","item":"$item"}"#),
        Source(of("list", "select", #","item":"soup""#)),
        Source(of("list", "select", #","row":1"#), #"{"variable":"score","set":"$row"}"#),
        Source(of("sheet", "settle"), #"{"variable":"name","set":"$to"}"#),
        Source(of("sheet", "settle", #","event":"ended","to":"high""#)),
        Source(#"{"component":"sheet","phase":"dragging"}"#),
        Source(of("world", "contact"), #"{"variable":"name","set":"$item"}"#),
        Source(of("world", "contact", #","boundary":"floor""#)),
        Source(
            of("world", "contact", #","item":"plate","with":"ball""#),
            #"{"variable":"name","set":"$with"}"#),
        Source(
            of("world", "tap"),
            #"{"component":"world","command":"add-velocity","item":"$item","dx":9,"dy":-200}"#),
        Source(of("tips", "tap"), #"{"variable":"score","set":"$index"}"#),
        Source(of("toss", "tap")), Source(of("points", "change")), Source(of("hello", "hide")),
        Source(#"{"session":"opened"}"#), Source(#"{"session":"resized"}"#),
        Source(#"{"badge":"k","above":1}"#, #"{"variable":"score","set":"$count"}"#),
        Source(#"{"badge":"k","below":2}"#),
        Source(#"{"variable":"score"}"#, #"{"variable":"score","add":"$value"}"#),
        Source(#"{"variable":"score","above":3}"#), Source(#"{"variable":"score","below":-1}"#),
        Source(#"{"variable":"open","is":true}"#), Source(#"{"variable":"name","is":"b"}"#),
        Source(#"{"idle":0.3}"#), Source(#"{"idle":1}"#), Source(#"{"every":0.1}"#),
        Source(#"{"every":0.75}"#),
        Source(
            #"{"notification":"n"}"#,
            #"""
            {"component":"list","command":"insert","item":{"id":"n-$data.x",\#
            "content":{"text":"No $data.x for {name}"}}}
            """#),
        Source(#"{"notification":"n"}"#, #"{"variable":"score","add":"$data.x"}"#),
    ]

    private static let conditions: [String] = [
        #"{"component":"sheet","phase":"resting"}"#, #"{"component":"list","phase":"closed"}"#,
        #"{"component":"list","item":"soup","selected":true}"#,
        #"{"component":"list","row":1,"open":false}"#,
        #"{"component":"tabs","item":"b","selected":false}"#, #"{"badge":"k","below":9}"#,
        #"{"badge":"k","above":0}"#, #"{"variable":"score","above":-5,"below":50}"#,
        #"{"variable":"open","is":false}"#, #"{"variable":"name","is":"nobody"}"#,
    ]

    private static let deeds: [String] = [
        #"{"variable":"score","add":1}"#, #"{"variable":"score","add":-0.1}"#,
        #"{"variable":"score","set":0}"#, #"{"variable":"open","set":true}"#,
        #"{"variable":"name","set":"Ann"}"#, #"{"variable":"language","set":"de"}"#,
        #"{"component":"badges","command":"add","kind":"k"}"#,
        #"{"component":"badges","command":"set","kind":"k","count":3}"#,
        #"{"component":"badges","command":"clear"}"#,
        #"{"component":"sheet","command":"toggle"}"#,
        #"{"component":"sheet","command":"go","to":"low","animated":false}"#,
        #"{"component":"list","command":"insert","at":0,"item":{"id":"new"}}"#,
        #"{"component":"list","command":"remove","item":"rice"}"#,
        #"{"component":"list","command":"move","item":"bread","at":0}"#,
        #"{"component":"list","command":"select","row":2}"#,
        #"{"component":"list","command":"set","values":{"row_height":60}}"#,
        #"{"component":"points","command":"set","values":{"text":"{score:.1f}"}}"#,
        #"{"component":"hello","command":"hide"}"#, #"{"component":"hello","command":"show"}"#,
        #"{"component":"tips","command":"present"}"#,
        #"{"component":"tips","command":"dismiss"}"#,
        #"{"component":"tabs","command":"select","index":1}"#,
        #"{"component":"two","command":"turn","on":true}"#,
        #"{"component":"one","command":"tap"}"#,
        #"{"component":"world","command":"add-velocity","item":"ball","dx":20,"dy":-90}"#,
        #"{"component":"toss","command":"reset"}"#,
        #"{"session":"resize","viewport":[320,500]}"#, #"{"cancel":"later"}"#,
        #"{"cancel":"soon"}"#,
    ]

    /// Up to 14 reactions; the first two have the ids that are cancelled.
    mutating func reactions() -> [String] {
        var reactions = ["later", "soon"].map { reaction(#""id":"\#($0)","after":0.2,"#) }
        for _ in 0...random.whole(in: 1...11) {
            reactions.append(reaction(isOnceIn(5) ? #""after":0.05,"# : ""))
        }
        return reactions
    }

    private mutating func reaction(_ rest: String) -> String {
        let source = pick(Self.sources)
        var causes = [source.when]
        while isOnceIn(5) { causes.append(pick(Self.sources).when) }
        var conditions: [String] = []
        while isOnceIn(3) {
            let condition = pick(Self.conditions)
            conditions.append(isOnceIn(3) ? #"{"not":\#(condition)}"# : condition)
        }
        var deeds: [String] = []
        for _ in 0...random.whole(in: 0...2) {
            let deed = pick(Self.deeds)
            deeds.append(isOnceIn(5) ? Self.later(deed, 0.1) : deed)
        }
        if causes.count == 1, let told = source.deed { deeds.append(told) }
        func list(_ parts: [String]) -> String {
            parts.count == 1 ? parts[0] : "[\(parts.joined(separator: ","))]"
        }
        let test = conditions.isEmpty ? "" : #""if":\#(list(conditions)),"#
        return #"{\#(rest)\#(test)"when":\#(list(causes)),"do":\#(list(deeds))}"#
    }

    /// An action that waits by itself.
    private static func later(_ deed: String, _ seconds: Double) -> String {
        String(deed.dropLast()) + #","after":\#(seconds)}"#
    }

    // MARK: Events

    private static let commands: [(String, String)] = [
        ("one", #""command":"tap""#), ("two", #""command":"tap""#),
        ("two", #""command":"turn","on":false"#), ("one", #""command":"disable""#),
        ("one", #""command":"enable""#), ("badges", #""command":"clear""#),
        ("sheet", #""command":"toggle""#), ("sheet", #""command":"go","to":"high""#),
        ("list", #""command":"insert","item":{"id":"new"}"#),
        ("list", #""command":"remove","item":"tea""#),
        ("list", #""command":"move","item":"soup","at":3"#),
        ("list", #""command":"select","item":"soup""#), ("list", #""command":"select","row":1"#),
        ("tabs", #""command":"select","index":2"#), ("tabs", #""command":"select","index":1"#),
        ("tips", #""command":"present""#), ("tips", #""command":"dismiss""#),
        ("hello", #""command":"hide""#), ("hello", #""command":"show""#),
        ("nowhere", #""command":"fly""#),
    ]

    private static let ofSession: [String] = [
        #"{"command":"assign","values":{"score":4,"name":"b"}}"#,
        #"{"command":"assign","values":{"score":-2.5}}"#,
        #"{"command":"assign","values":{"open":true,"language":"en"}}"#,
        #"{"command":"assign","values":{"open":1}}"#,
        #"{"command":"resize","viewport":[320,568]}"#,
        #"{"command":"resize","viewport":[400,640]}"#,
        #"{"command":"set","component":"hello","values":{"text":"Bye {name}"}}"#,
        #"{"command":"set","component":"list","values":{"row_height":50}}"#,
    ]

    mutating func sent() -> Sent {
        switch random.whole(in: 0...9) {
        case 0: return Sent(topic: "command/s", body: pick(Self.ofSession))
        case 1:
            let bodies = [
                #"{"kind":"n","data":{"x":\#(random.whole(in: 0...9))}}"#, #"{"kind":"n"}"#,
                #"{"kind":"k"}"#, #"{"kind":"k","add":3}"#, #"{"kind":"k","set":0}"#,
            ]
            return Sent(topic: "notification/s", body: pick(bodies))
        case 2...4:
            let (component, body) = pick(Self.commands)
            return Sent(topic: "command/s/\(component)", body: "{\(body)}")
        case 5:
            let place = self.place()
            return Sent(
                topic: "gesture/s", body: #"{"gesture":"tap","x":\#(place.x),"y":\#(place.y)}"#)
        default: return pointer()
        }
    }

    /// Another scene: the same with other reactions.
    mutating func update() -> Sent {
        Sent(
            topic: "command/s", body: #"{"command":"update","scene":\#(Self.scene(reactions()))}"#)
    }

    // MARK: Apps in which time alone goes on

    /// Nothing in it moves: buttons, a label and values.
    static func sceneOfTime(_ reactions: [String]) -> String {
        let still = components.filter { component in
            ["one", "two", "points"].contains { component.hasPrefix(#"{"id":"\#($0)""#) }
        }
        return scene(of: still, reactions)
    }

    mutating func reactionsOfTime() -> [String] {
        let causes = [
            #"{"idle":0.3}"#, #"{"idle":1}"#, #"{"every":0.1}"#, #"{"every":0.75}"#,
            Self.of("one", "tap"), #"{"notification":"n"}"#, #"{"badge":"k","above":1}"#,
            #"{"variable":"score","above":3}"#,
        ]
        let deeds = [
            #"{"variable":"score","add":1}"#, #"{"variable":"score","set":0}"#,
            #"{"variable":"name","set":"Ann"}"#, #"{"cancel":"later"}"#,
            #"{"component":"badges","command":"add","kind":"k"}"#,
            #"{"component":"badges","command":"clear"}"#,
        ]
        var reactions: [String] = []
        for place in 0...random.whole(in: 2...9) {
            let after = isOnceIn(3) ? #""after":0.2,"# : ""
            let rest = place < 2 ? #""id":"later","after":0.3,"# : after
            let (first, second) = (pick(deeds), pick(deeds))
            let last = isOnceIn(2) ? Self.later(second, 0.15) : second
            let (cause, other) = (pick(causes), pick(causes))
            reactions.append(
                #"{\#(rest)"when":[\#(cause),\#(other)],"do":[\#(first),\#(last)]}"#)
        }
        return reactions
    }

    mutating func sentInTime() -> Sent {
        pick([
            Sent(topic: "command/s/one", body: #"{"command":"tap"}"#),
            Sent(topic: "gesture/s", body: #"{"gesture":"tap","x":50,"y":20}"#),
            Sent(topic: "notification/s", body: #"{"kind":"n"}"#),
            Sent(topic: "notification/s", body: #"{"kind":"k"}"#),
            Sent(topic: "command/s", body: #"{"command":"assign","values":{"score":2}}"#),
        ])
    }

    /// Mostly where something is.
    private mutating func place() -> Vector {
        let places = [
            Vector(50, 20), Vector(160, 20), Vector(270, 20), Vector(230, 150), Vector(160, 300),
            Vector(160, 480), Vector(60, 400), Vector(70, 450), Vector(160, 550),
        ]
        return isOnceIn(4)
            ? Vector(Double(random.whole(in: 0...319)), Double(random.whole(in: 0...499)))
            : pick(places)
    }

    /// One finger that comes, goes its way, and lifts.
    private mutating func pointer() -> Sent {
        let phase: String
        if let former = finger {
            let way = Vector(
                Double(random.whole(in: -30...30)), Double(random.whole(in: -60...60)))
            let place = former + (isOnceIn(3) ? .zero : way)
            phase = isOnceIn(4) ? "ended" : "changed"
            finger = place
        } else {
            phase = "began"
            finger = self.place()
        }
        let place = finger ?? .zero
        if phase == "ended" { finger = nil }
        return Sent(
            topic: "gesture/s",
            body: #"""
                {"gesture":"pointer","pointer":1,"phase":"\#(phase)",\#
                "x":\#(place.x),"y":\#(place.y)}
                """#)
    }
}
