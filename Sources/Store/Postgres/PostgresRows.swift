import CPostgres

/// A server's answer: rows of binary columns, or a failure.
@safe final class PostgresRows {
    private let result: OpaquePointer

    init(_ result: OpaquePointer) { unsafe self.result = unsafe result }

    deinit { unsafe PQclear(result) }

    var status: ExecStatusType { unsafe PQresultStatus(result) }
    var count: Int { unsafe Int(PQntuples(result)) }
    /// How many rows a statement has changed.
    var changed: Int { unsafe Int(String(cString: PQcmdTuples(result))) ?? 0 }

    var failureCode: String { field(PostgresConnection.sqlState) }
    var failureText: String {
        let text = field(PostgresConnection.primaryMessage)
        return text.isEmpty ? unsafe String(cString: PQresultErrorMessage(result)) : text
    }

    private func field(_ code: CInt) -> String {
        guard let text = unsafe PQresultErrorField(result, code) else { return "" }
        return unsafe String(cString: text)
    }

    // MARK: Columns, from 0

    func isNull(_ row: Int, _ column: Int) -> Bool {
        unsafe PQgetisnull(result, CInt(row), CInt(column)) == 1
    }

    func bytes(_ row: Int, _ column: Int) -> [UInt8] {
        let count = unsafe Int(PQgetlength(result, CInt(row), CInt(column)))
        guard count > 0, let start = unsafe PQgetvalue(result, CInt(row), CInt(column)) else {
            return []
        }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    func text(_ row: Int, _ column: Int) -> String {
        String(decoding: bytes(row, column), as: UTF8.self)
    }

    func bool(_ row: Int, _ column: Int) -> Bool { bytes(row, column) == [1] }

    /// An integer of two, four or eight bytes.
    func int(_ row: Int, _ column: Int) -> Int { Self.int(bytes(row, column)[...]) }

    private static func int(_ bytes: ArraySlice<UInt8>) -> Int {
        let isNegative = (bytes.first ?? 0) >= 128
        return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int($1) }
    }

    /// The items of an array of one dimension, without those that are null.
    func array(_ row: Int, _ column: Int) -> [[UInt8]] {
        let bytes = bytes(row, column)
        // Dimensions, whether there are nulls, type; then count and first index of the dimension.
        guard bytes.count >= 20, Self.int(bytes[0..<4]) == 1 else { return [] }
        var items: [[UInt8]] = []
        var place = 20
        while place + 4 <= bytes.count {
            let count = Self.int(bytes[place..<place + 4])
            place += 4
            guard count >= 0, place + count <= bytes.count else { continue }
            items.append(Array(bytes[place..<place + count]))
            place += count
        }
        return items
    }

    func texts(_ row: Int, _ column: Int) -> [String] {
        array(row, column).map { String(decoding: $0, as: UTF8.self) }
    }
}
