import Geometry
package import Notation

/// Rows with ids, in their order.
///
/// A hash of each id stands beside it, so that a row is found among 10,000 in some microseconds.
package struct ListedRows: Hashable, Sendable {
    package private(set) var rows: [ListRow] = []
    private var keys: [UInt64] = []
    /// The bytes of all content in them, as JSON.
    package private(set) var contentBytes = 0

    package init() {}

    /// The ids must differ.
    package init(_ rows: [ListRow]) {
        self.rows = rows
        keys = rows.map { Self.key(of: $0.id) }
        contentBytes = rows.reduce(0) { $0 + $1.contentBytes }
    }

    package var count: Int { rows.count }
    package subscript(row: Int) -> ListRow { rows[row] }

    private static func key(of id: String) -> UInt64 { StableHash(id).value }

    /// The place of the row with an id; nil: there is none.
    package func place(of id: String) -> Int? {
        let key = Self.key(of: id)
        var start = 0
        while let place = keys[start...].firstIndex(of: key) {
            if rows[place].id == id { return place }
            start = place + 1
        }
        return nil
    }

    mutating func insert(_ row: ListRow, at place: Int) {
        rows.insert(row, at: place)
        keys.insert(Self.key(of: row.id), at: place)
        contentBytes += row.contentBytes
    }

    mutating func remove(at place: Int) -> ListRow {
        keys.remove(at: place)
        let row = rows.remove(at: place)
        contentBytes -= row.contentBytes
        return row
    }

    /// A number that two lists with the same ids in the same order have in common.
    var mark: UInt64 {
        keys.reduce(UInt64(keys.count)) { ($0 ^ $1) &* 0x0000_0100_0000_01B3 }
    }

    /// The list that reads back as these rows.
    package var node: Node { Node(.array(rows.map(\.node))) }

    /// Their share of a session's bounds.
    package var bulk: Bulk {
        var bulk = Bulk()
        (bulk.rows, bulk.rowBytes) = (rows.count, contentBytes)
        return bulk
    }

    /// Whether the other has the same rows, whatever lists brought them.
    func tellsSame(as other: ListedRows) -> Bool {
        keys == other.keys && zip(rows, other.rows).allSatisfy { $0.tellsSame(as: $1) }
    }
}

/// The rows of a running list: the scene's, and what commands made of them.
struct ListRows: Hashable, Sendable {
    /// Nil: the scene gives a number.
    private(set) var listed: ListedRows?
    private(set) var count: Int
    /// Grows with each change of what rows say, or of where they stand.
    private(set) var version = 1
    /// The scene's own.
    private var scene: ListedRows?
    /// Whether commands made the rows others than the scene's.
    private var areChanged = false

    init(_ parameters: ListParameters) {
        listed = parameters.listed
        scene = parameters.listed
        count = parameters.rows
    }

    /// Whether nothing has changed since the list opened.
    var areScenes: Bool { !areChanged && version == 1 }

    /// The rows as the store keeps them; nil: they are the scene's.
    var saved: SavedRows? {
        guard areChanged, let listed, let scene else { return nil }
        return SavedRows(listed, version: version, of: scene)
    }

    /// The version with which they come back from the store.
    var savedVersion: Int { areChanged ? version : 1 }

    /// The version of the next change. No list comes to the largest by itself; a session that was
    /// imported may have it, and stays there, so that others can take what comes of it.
    private var nextVersion: Int { min(version + 1, Limits.rowsVersionMax) }

    /// Changes the rows; only for a list that has them.
    mutating func change(_ body: (inout ListedRows) -> Void) {
        guard var own = listed else { return }
        // Frees the other reference to the rows: a change would copy them all.
        listed = nil
        body(&own)
        take(own, version: nextVersion)
    }

    /// Rows that commands made of the scene's.
    mutating func take(_ rows: ListedRows, version: Int) {
        count = rows.count
        listed = rows
        self.version = version
        areChanged = true
    }

    /// The scene's rows take the place of those that a former life had, of this version.
    mutating func goOn(after version: Int) {
        self.version = version
        self.version = nextVersion
    }

    /// Becomes the rows of other parameters; those that commands made of the scene's stay while
    /// the scene gives the same ones. Returns whether they are others now.
    mutating func adapt(to parameters: ListParameters, from former: ListParameters) -> Bool {
        if let scene, let next = parameters.listed, scene.tellsSame(as: next) { return false }
        let isSilent =
            listed == nil && parameters.listed == nil && former.rowContent == nil
            && parameters.rowContent == nil
        let isSame =
            listed == nil && parameters.listed == nil && parameters.rows == count
            && parameters.rowContent == former.rowContent
        let next = isSilent || isSame ? version : nextVersion
        let isOther = parameters.listed != nil || parameters.rows != count
        self = ListRows(parameters)
        version = next
        return isOther
    }
}

// MARK: - Coding

// The scene's rows are not encoded, and neither are rows that nothing has changed.

extension ListRows: Codable {
    private enum CodingKeys: String, CodingKey { case version, order }

    init(from decoder: any Decoder) throws {
        let parameters = try ListParameters(from: decoder)
        self.init(parameters)
        let table = try decoder.container(keyedBy: CodingKeys.self)
        version = try table.decode(Int.self, forKey: .version)
        guard (1...Limits.rowsVersionMax).contains(version) else {
            throw decoder.error("has rows of a version beyond \(Limits.rowsVersionMax)")
        }
        guard let saved = try table.decodeIfPresent(SavedRows.self, forKey: .order) else { return }
        guard let scene = parameters.listed, let rows = saved.rows(of: scene) else {
            throw decoder.error("must be rows of this scene")
        }
        take(rows, version: version)
    }

    func encode(to encoder: any Encoder) throws {
        var table = encoder.container(keyedBy: CodingKeys.self)
        try table.encode(version, forKey: .version)
        try table.encodeIfPresent(saved, forKey: .order)
    }
}

extension KeyedDecodingContainer {
    func decode(_: ListRows.Type, forKey key: Key) throws -> ListRows {
        if let rows = try decodeIfPresent(ListRows.self, forKey: key) { return rows }
        return ListRows(try ListParameters(from: superDecoder()))
    }
}

extension KeyedEncodingContainer {
    mutating func encode(_ rows: ListRows, forKey key: Key) throws {
        if !rows.areScenes { try encodeIfPresent(rows, forKey: key) }
    }
}
