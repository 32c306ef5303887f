import Dynamics
import Geometry
import Notation

/// An attachment described by names; the engine's is `Attachment`.
struct WorldAttachment: Hashable, Sendable {
    enum End: Hashable, Sendable {
        case anchor(Vector)
        case item(String, offset: Vector)
    }

    /// Named as in scenes.
    enum TypeName: String, CaseIterable {
        case distance, fixed, pin, sliding, limit
    }

    let item: String
    let offset: Vector
    let end: End
    var type: Attachment.Kind

    var names: [String] {
        switch end {
        case .anchor: [item]
        case .item(let other, _): [item, other]
        }
    }

    init(_ table: inout TableReader, among names: WorldNames) throws(TableError) {
        item = try table.itemName("item", among: names)
        offset = try table.point("offset", default: .zero)
        end = try Self.end(&table, item: item, among: names)
        switch try table.choice("type", default: TypeName.distance) {
        case .distance:
            type = .distance(
                length: try table.number("length", in: .distance),
                frequency: try table.number("frequency", default: 0, in: .distance),
                damping: try table.number("damping", default: 0, in: .distance))
        case .fixed:
            type = .fixed(
                frequency: try table.number("frequency", default: 0, in: .distance),
                damping: try table.number("damping", default: 0, in: .distance))
        case .pin:
            type = .pin(
                frictionTorque: try table.number("friction_torque", default: 0, in: .distance),
                range: try table.range("range"))
        case .sliding:
            try table.require("axis")
            let axis = try table.point("axis") ?? .zero
            // The direction of a shorter axis would be rounding.
            guard axis.length >= 0.001 else {
                throw table.error("axis", "must be at least 0.001 long")
            }
            type = .sliding(axis: axis, range: try table.range("range"))
        case .limit: type = .limit(length: try table.number("length", in: .distance))
        }
    }

    private static func end(
        _ table: inout TableReader, item: String, among names: WorldNames
    ) throws(TableError) -> End {
        let anchor = try table.point("anchor")
        guard table.node("to") != nil else {
            guard let anchor else { throw table.absence("anchor") }
            if table.node("to_offset") != nil {
                throw table.error("to_offset", "needs to beside it")
            }
            return .anchor(anchor)
        }
        if anchor != nil { throw table.error("anchor", "cannot stand beside to") }
        let other = try table.itemName("to", among: names)
        guard other != item else {
            throw table.error("to", "an item cannot be attached to itself")
        }
        return .item(other, offset: try table.point("to_offset", default: .zero))
    }
}

extension TableReader {
    /// The name of an existing item or group; required.
    mutating func itemName(
        _ key: String, among names: WorldNames
    ) throws(TableError) -> String {
        try require(key)
        let name = try name(key) ?? ""
        if let objection = names.objection(to: name) { throw error(key, objection) }
        return name
    }

    /// The names of existing items and groups, each once; required.
    mutating func itemNames(
        _ key: String, among names: WorldNames
    ) throws(TableError) -> [String] {
        try require(key)
        let list = try self.names(key, default: [], countMax: World.itemsMax)
        var errors: [TableError] = []
        for (index, name) in list.enumerated() where errors.count < Limits.entriesToldMax {
            if let objection = names.objection(to: name) {
                errors.append(error(key, entry: index, "entry \(index + 1): \(objection)"))
            } else if list[..<index].contains(name) {
                errors.append(error(key, entry: index, "entry \(index + 1) is named twice"))
            }
        }
        try TableError.throwFirst(of: errors)
        return list
    }

    /// `[low, high]`, low not above high.
    mutating func range(_ key: String) throws(TableError) -> ClosedRange<Double>? {
        guard let ends = try numbers(key, "[low, high]", count: 2, in: .coordinate) else {
            return nil
        }
        guard ends[0] <= ends[1] else {
            throw error(key, "must be [low, high], low not above high")
        }
        return ends[0]...ends[1]
    }
}
