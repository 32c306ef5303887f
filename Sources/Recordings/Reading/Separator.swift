/// The characters that separate the cells of a line, as programs write tables.
enum Separator: UInt8, CaseIterable {
    case comma = 0x2C
    /// Common where a comma is the decimal point.
    case semicolon = 0x3B
    case tab = 0x09

    /// A cell's number. Between semicolons, the decimal point may be a comma.
    func number(_ cell: ArraySlice<UInt8>) -> Double? {
        if let number = cell.number { return number }
        guard self == .semicolon else { return nil }
        return ArraySlice(cell.map { $0 == 0x2C ? 0x2E : $0 }).number
    }
}

extension Flicks {
    /// The names of the columns, and the separator; nil for a line that names none.
    static func header(
        _ line: ArraySlice<UInt8>
    ) -> (names: [ArraySlice<UInt8>], separator: Separator)? {
        for separator in Separator.allCases {
            guard let names = try? cells(line, separator),
                names.contains(where: { $0.equals("t_ms") }),
                names.contains(where: { $0.equals("phase") })
            else { continue }
            return (names, separator)
        }
        return nil
    }

    static func cells(
        _ line: ArraySlice<UInt8>, _ separator: Separator, _ number: Int, _ diagnostics: Diagnostics
    ) throws(RecordingError) -> [ArraySlice<UInt8>] {
        do throws(CellError) {
            return try cells(line, separator)
        } catch {
            throw diagnostics.error(number, error.message)
        }
    }

    private struct CellError: Error {
        var message: String
    }

    /// The cells of RFC 4180, without blanks around them; a quoted one ends on its line.
    private static func cells(
        _ line: ArraySlice<UInt8>, _ separator: Separator
    ) throws(CellError) -> [ArraySlice<UInt8>] {
        let quote = UInt8(ascii: "\"")
        var cells: [ArraySlice<UInt8>] = []
        var rest = line
        while true {
            while let first = rest.first, first != separator.rawValue, Lines.isBlank(first) {
                rest.removeFirst()
            }
            var cell: ArraySlice<UInt8>
            if rest.first == quote {
                cell = []
                repeat {
                    // The first quote, or the second of two, which mean one quote in the cell.
                    rest.removeFirst()
                    guard let end = rest.firstIndex(of: quote) else {
                        throw CellError(message: "a quoted value that does not end on its line")
                    }
                    cell += rest[..<end]
                    rest = rest[end...].dropFirst()
                    if rest.first == quote { cell.append(quote) }
                } while rest.first == quote
                while let first = rest.first, first != separator.rawValue, Lines.isBlank(first) {
                    rest.removeFirst()
                }
                guard rest.isEmpty || rest.first == separator.rawValue else {
                    throw CellError(message: "'\(rest.excerpt)' behind a quoted value")
                }
            } else {
                let end = rest.firstIndex(of: separator.rawValue) ?? rest.endIndex
                cell = rest[..<end]
                rest = rest[end...]
            }
            cells.append(cell.trimmed)
            if rest.isEmpty { return cells }
            rest.removeFirst()
        }
    }
}
