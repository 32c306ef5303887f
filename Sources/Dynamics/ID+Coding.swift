// Ids are encoded as bare numbers: a world of many items says them often.

extension ItemID: Codable {
    package init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(UInt32.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

extension BehaviorID: Codable {
    package init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(UInt32.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}
