// Vectors, sizes and steps are encoded in the shortest form, because documents contain many.

/// Exactly two numbers.
private func pair(from decoder: any Decoder) throws -> (Double, Double) {
    var list = try decoder.unkeyedContainer()
    let pair = (try list.decode(Double.self), try list.decode(Double.self))
    try list.end()
    return pair
}

private func encode(_ a: Double, _ b: Double, to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(a)
    try list.encode(b)
}

extension UnkeyedDecodingContainer {
    /// Throws if the list has more entries than were decoded.
    package func end() throws {
        guard isAtEnd else {
            throw DecodingError.dataCorruptedError(
                in: self, debugDescription: "must have \(currentIndex) entries")
        }
    }
}

extension Vector: Codable {
    package init(from decoder: any Decoder) throws {
        let (x, y) = try pair(from: decoder)
        self.init(x, y)
    }

    package func encode(to encoder: any Encoder) throws {
        try Geometry.encode(x, y, to: encoder)
    }

    /// Whether both components are within ±`reach`.
    package func isWithin(_ reach: Double) -> Bool { x.magnitude <= reach && y.magnitude <= reach }
}

extension Size: Codable {
    package init(from decoder: any Decoder) throws {
        let (width, height) = try pair(from: decoder)
        self.init(width, height)
    }

    package func encode(to encoder: any Encoder) throws {
        try Geometry.encode(width, height, to: encoder)
    }
}

extension Step: Codable {
    /// The greatest decoded step, 18 years: no session lives so long, and its nanoseconds fit an
    /// Int.
    package static let decodedMax = Step(1 << 36)

    /// Refuses `never`: a property that may be `never` is encoded as an optional.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let count = try container.decode(Int.self)
        guard count >= 0 && count <= Self.decodedMax.count else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "must be a step from 0 to 2^36")
        }
        self.init(count)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(count)
    }
}
