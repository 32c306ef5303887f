/// A statement that each connection prepares at its first use.
struct PostgresStatement: Hashable, Sendable {
    var name: String
    var sql: String

    init(_ name: String, _ sql: String) {
        self.name = name
        self.sql = sql
    }
}

/// The values of a statement's parameters in binary, end to end.
struct PostgresParameters {
    private var bytes: [UInt8] = []
    /// Where each begins, and its size; -1: null.
    private var places: [(start: Int, count: Int)] = []

    /// Types of items of arrays, by the numbers that the server gives them.
    private enum ItemType: Int32 {
        case bytea = 17
        case int8 = 20
        case int2 = 21
        case int4 = 23
        case text = 25
    }

    private mutating func add(_ write: (inout [UInt8]) -> Void) {
        let start = bytes.count
        write(&bytes)
        places.append((start, bytes.count - start))
    }

    private mutating func array<Items: Collection>(
        _ type: ItemType, _ items: Items, _ size: Int?,
        _ write: (Items.Element, inout [UInt8]) -> Bool
    ) {
        add { bytes in
            let start = bytes.count
            let dimensions: Int32 = items.isEmpty ? 0 : 1
            for word in [dimensions, 1, type.rawValue] { bytes.append(big: word) }
            guard !items.isEmpty else { return }
            bytes.append(big: Int32(items.count))
            bytes.append(big: Int32(1))
            if let size { bytes.reserveCapacity(start + 20 + items.count * (4 + size)) }
            for item in items {
                let place = bytes.count
                bytes.append(big: Int32(-1))
                guard write(item, &bytes) else { continue }
                bytes.replace(big: Int32(bytes.count - place - 4), at: place)
            }
        }
    }

    // MARK: One value

    consuming func bigint(_ value: Int) -> Self {
        add { $0.append(big: Int64(value)) }
        return self
    }

    consuming func integer(_ value: Int) -> Self {
        add { $0.append(big: Int32(value)) }
        return self
    }

    consuming func double(_ value: Double) -> Self {
        add { $0.append(big: value.bitPattern) }
        return self
    }

    consuming func text(_ value: String) -> Self {
        add { $0 += value.utf8 }
        return self
    }

    /// Nil: null.
    consuming func bytea(_ value: [UInt8]?) -> Self {
        if let value { add { $0 += value } } else { places.append((0, -1)) }
        return self
    }

    // MARK: Arrays

    consuming func bigints<Items: Collection<Int?>>(_ items: Items) -> Self {
        array(.int8, items, 8) { item, bytes in
            guard let item else { return false }
            bytes.append(big: Int64(item))
            return true
        }
        return self
    }

    consuming func integers<Items: Collection<Int>>(_ items: Items) -> Self {
        array(.int4, items, 4) { item, bytes in
            bytes.append(big: Int32(item))
            return true
        }
        return self
    }

    consuming func smallints<Items: Collection<Int>>(_ items: Items) -> Self {
        array(.int2, items, 2) { item, bytes in
            bytes.append(big: Int16(item))
            return true
        }
        return self
    }

    consuming func texts<Items: Collection<String>>(_ items: Items) -> Self {
        array(.text, items, nil) { item, bytes in
            bytes += item.utf8
            return true
        }
        return self
    }

    consuming func byteas<Items: Collection<[UInt8]?>>(_ items: Items) -> Self {
        array(.bytea, items, nil) { item, bytes in
            guard let item else { return false }
            bytes += item
            return true
        }
        return self
    }

    // MARK: For libpq

    /// Lends what libpq wants: values, their sizes, and that they are binary.
    func withPointers<Result>(
        _ body: (
            UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<CInt>?, UnsafePointer<CInt>?, CInt
        ) -> Result
    ) -> Result {
        // Not empty, so that even an empty value has a place: libpq takes nil for null.
        let bytes = bytes.isEmpty ? [0] : bytes
        let lengths = places.map { CInt(max(0, $0.count)) }
        let formats = [CInt](repeating: 1, count: places.count)
        return unsafe bytes.withUnsafeBytes { bytes in
            let values = unsafe places.map { place -> UnsafePointer<CChar>? in
                guard place.count >= 0 else { return nil }
                return unsafe bytes.baseAddress.map {
                    unsafe ($0 + place.start).assumingMemoryBound(to: CChar.self)
                }
            }
            return unsafe values.withUnsafeBufferPointer { values in
                unsafe lengths.withUnsafeBufferPointer { lengths in
                    unsafe formats.withUnsafeBufferPointer { formats in
                        unsafe body(
                            values.baseAddress, lengths.baseAddress, formats.baseAddress,
                            CInt(places.count))
                    }
                }
            }
        }
    }
}

extension [UInt8] {
    /// Appends the bytes of a number, the highest first.
    fileprivate mutating func append<Number: FixedWidthInteger>(big number: Number) {
        unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe append(contentsOf: $0) }
    }

    fileprivate mutating func replace(big number: Int32, at place: Int) {
        for index in 0..<4 {
            self[place + index] = UInt8(truncatingIfNeeded: number >> Int32(24 - 8 * index))
        }
    }
}
