import Notation

/// A list tells the content of its rows.
extension List {
    /// The rows that commands can change count, with the scene's own.
    package var bulk: Bulk { rows.listed?.bulk ?? Bulk() }

    package var rowsOutline: RowsOutline? {
        guard rows.listed != nil || parameters.rowContent != nil else { return nil }
        return RowsOutline(
            version: rows.version, savedVersion: rows.savedVersion, count: rows.count,
            shown: nearRows, countMax: toldRowsMax)
    }

    /// Rows of a template are told together as long as all their content has a scene's bytes.
    private var toldRowsMax: Int {
        guard let content = parameters.rowContent else { return Self.listedRowsMax }
        return max(1, Limits.contentBytesMax / content.jsonBytes)
    }

    package func toldRows(_ window: Range<Int>) -> ToldRows {
        let window = window.clamped(to: 0..<rows.count)
        return ToldRows(
            version: rows.version, count: rows.count, from: window.lowerBound,
            rows: window.map(told))
    }

    /// A row as it is told: here alone its content is resolved.
    private func told(_ row: Int) -> ToldRows.Row {
        if let own = rows.listed?[row] {
            return ToldRows.Row(id: own.id, content: own.content, menu: own.menu)
        }
        return ToldRows.Row(
            id: nil, content: parameters.rowContent?.replacing(Self.rowNumber, by: row))
    }

    /// Stands for the row's number in the content of rows.
    private static let rowNumber = "$row"
}

extension Node {
    /// The same with a number in the place of a name: a text that is the name becomes the number;
    /// within a longer text its digits stand there.
    fileprivate func replacing(_ name: String, by number: Int) -> Node {
        switch value {
        case .null, .bool, .integer, .unsigned, .number: self
        case .string(let text):
            text == name
                ? Node(.integer(number)) : Node(.string(text.replacing(name, by: "\(number)")))
        case .array(let elements):
            Node(.array(elements.map { $0.replacing(name, by: number) }))
        case .object(let members):
            Node(
                .object(
                    members.map { Member($0.name, $0.value.replacing(name, by: number)) }))
        }
    }
}

extension String {
    /// The same with another text in each place of a name, found by its bytes.
    fileprivate func replacing(_ name: String, by other: String) -> String {
        let (bytes, sought) = (Array(utf8), Array(name.utf8))
        var (changed, place) = ([UInt8](), 0)
        while place < bytes.count {
            if bytes[place...].starts(with: sought) {
                changed += other.utf8
                place += sought.count
            } else {
                changed.append(bytes[place])
                place += 1
            }
        }
        return String(decoding: changed, as: UTF8.self)
    }
}
