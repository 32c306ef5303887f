package import Geometry
package import Gestures
package import Notation

/// The parameters of one kind: where a scene says nothing, their defaults.
///
/// A type states its keys once, in `declare(in:)`. A scene is read by them, and they can be listed
/// with their defaults and written out again.
package protocol KindParameters: Hashable, Codable, Sendable {
    associatedtype Component: Machine where Component.Parameters == Self

    /// All defaults; what a scene must give holds a stand-in until it is read.
    init(viewport: Size)

    /// How much of worlds each step of such a component looks at.
    var bulk: Bulk { get }

    /// Whether the component's views are cut at its frame where a scene does not say.
    static var clips: Bool { get }
    /// Whether a scene may give the component a frame.
    static var takesFrame: Bool { get }
    /// The size of a slot, which is a view that may hold components, in a component of a frame of
    /// the size `viewport`; nil: there is no such slot.
    func slotSize(_ name: String, viewport: Size) -> Size?
    /// The names of the slots that there are, for errors; nil: any name is one.
    var slotNames: [String]? { get }
    /// Whether a slot stands still at the top left of the component: what covers the edges of the
    /// viewport covers what is in it.
    func slotRests(_ name: String) -> Bool
    /// The bytes of all content in it, as JSON.
    var contentBytes: Int { get }
    /// The keys of its parameters whose values are lists of texts.
    static var textLists: [String] { get }
    /// The table of its values as clients are told of it.
    var told: Node { get }

    /// The component as reactions see it: they wait for its transitions and give it commands.
    var reports: KindReports { get }

    /// The values that a command of a reaction would write into the component, to be read before
    /// anything happens; nil: there are none. `deeds` are the `do` of all reactions to the
    /// component.
    func trial(of deed: Node, among deeds: [Node]) -> CommandTrial?

    /// How its keys depend on one another, as far as that can be told without their values.
    static var relations: [TableShape.Relation] { get }

    /// States every key with the property behind it, in the order in which errors are found.
    mutating func declare(in table: inout ParameterTable) throws(TableError)
}

extension KindParameters {
    package var bulk: Bulk { Bulk() }
    package static var clips: Bool { false }
    package static var takesFrame: Bool { true }
    package static var relations: [TableShape.Relation] { [] }
    package func slotSize(_ name: String, viewport: Size) -> Size? { nil }
    package var slotNames: [String]? { [] }
    package func slotRests(_ name: String) -> Bool { false }
    package func trial(of deed: Node, among deeds: [Node]) -> CommandTrial? { nil }

    package static var textLists: [String] { [] }
    package var contentBytes: Int { 0 }
    package var told: Node { node }

    /// Reads the keys of a component's table. The caller refuses the keys that are left.
    package init(_ reader: inout TableReader, viewport: Size) throws(TableError) {
        self.init(viewport: viewport)
        var table = ParameterTable(reading: reader)
        try declare(in: &table)
        if let read = table.reader { reader = read }
    }

    /// Every key, with its default in a new value and with what was read in another one.
    package var list: [ParameterTable.Entry] {
        var (copy, table) = (self, ParameterTable())
        do throws(TableError) {
            try copy.declare(in: &table)
        } catch {
            preconditionFailure("\(Component.kind): \(error) while nothing is read")
        }
        return table.entries
    }

    /// The values as a table that reads back as the same parameters.
    package var node: Node {
        Node(.object(list.compactMap { entry in entry.value.map { Node.Member(entry.key, $0) } }))
    }
}

/// The parameters of a component of any kind.
package struct ComponentParameters: Hashable, Sendable {
    package let value: any KindParameters

    package init(_ value: some KindParameters) { self.value = value }

    /// Reads the keys of a component's table.
    package init(
        _ kind: any Machine.Type, _ reader: inout TableReader, viewport: Size
    ) throws(TableError) {
        func read<Kind: Machine>(
            _: Kind.Type, _ reader: inout TableReader
        ) throws(TableError) -> any KindParameters {
            try Kind.Parameters(&reader, viewport: viewport)
        }
        value = try read(kind, &reader)
    }

    /// The kind's name in scenes.
    package var kind: String { Self.kind(of: value) }

    private static func kind<Parameters: KindParameters>(of _: Parameters) -> String {
        Parameters.Component.kind
    }

    package var bulk: Bulk { value.bulk }
    package var clips: Bool { type(of: value).clips }

    /// Whether a scene may give a component of a kind a frame.
    package static func takesFrame(_ kind: any Machine.Type) -> Bool {
        func takesFrame<Kind: Machine>(_: Kind.Type) -> Bool { Kind.Parameters.takesFrame }
        return takesFrame(kind)
    }

    package func slotSize(_ name: String, viewport: Size) -> Size? {
        value.slotSize(name, viewport: viewport)
    }

    package var slotNames: [String]? { value.slotNames }

    package func slotRests(_ name: String) -> Bool { value.slotRests(name) }

    package var contentBytes: Int { value.contentBytes }
    package var textLists: [String] { type(of: value).textLists }
    /// The names of its parameters.
    package var keys: [String] { value.list.map(\.key) }
    package var reports: KindReports { value.reports }

    package func trial(of deed: Node, among deeds: [Node]) -> CommandTrial? {
        value.trial(of: deed, among: deeds)
    }

    /// A component of this kind, in its first state.
    package func machine(viewport: Size, tracker: VelocityTracker.Kind) -> any Machine {
        Self.machine(value, viewport, tracker)
    }

    private static func machine<Parameters: KindParameters>(
        _ parameters: Parameters, _ viewport: Size, _ tracker: VelocityTracker.Kind
    ) -> any Machine {
        Parameters.Component(parameters, viewport: viewport, tracker: tracker)
    }

    /// Has a component of this kind become what these parameters say of it.
    package func adapt(
        _ machine: inout any Machine, viewport: Size, at now: Step, into effects: inout Effects
    ) {
        Self.adapt(&machine, value, viewport, now, &effects)
    }

    private static func adapt<Parameters: KindParameters>(
        _ machine: inout any Machine, _ parameters: Parameters, _ viewport: Size, _ now: Step,
        _ effects: inout Effects
    ) {
        guard var own = machine as? Parameters.Component else {
            preconditionFailure("a component of another kind than \(kind(of: parameters))")
        }
        own.adapt(to: parameters, viewport: viewport, at: now, into: &effects)
        machine = own
    }

    package static func == (one: ComponentParameters, other: ComponentParameters) -> Bool {
        AnyHashable(one.value) == AnyHashable(other.value)
    }

    package func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

// MARK: - Coding

// A machine's parameters are encoded as null: its scene has them already, and found them valid.

extension CodingUserInfoKey {
    fileprivate static let parameters: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "parameters") else {
            preconditionFailure("a key that cannot be")
        }
        return key
    }()
}

extension ComponentParameters {
    /// The component of these parameters that was encoded in any state. `info` may say that it was
    /// encoded by another clock.
    package func machine(
        from node: Node, viewport: Size, tracker: VelocityTracker.Kind,
        with info: [CodingUserInfoKey: any Sendable] = [:]
    ) throws(NodeError) -> any Machine {
        let machine = try Self.machine(value, from: node, with: info)
        guard machine.isSound(viewport: viewport, tracker: tracker) else {
            throw NodeError(path: "", message: "is no state of \(kind) in this scene")
        }
        return machine
    }

    private static func machine<Parameters: KindParameters>(
        _ parameters: Parameters, from node: Node, with info: [CodingUserInfoKey: any Sendable]
    ) throws(NodeError) -> any Machine {
        try parameters.decode(Parameters.Component.self, node, with: info)
    }
}

extension KindParameters {
    /// A value of a component of these parameters.
    func decode<Value: Decodable>(
        _ type: Value.Type, _ node: Node, with info: [CodingUserInfoKey: any Sendable] = [:]
    ) throws(NodeError) -> Value {
        var info = info
        info[.parameters] = self
        return try node.decode(type, with: info)
    }

    package init(from decoder: any Decoder) throws {
        guard let parameters = decoder.userInfo[.parameters] as? Self else {
            throw decoder.error("is of another kind of component")
        }
        self = parameters
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }
}
