/// An id that is encoded as a bare number, because a document contains many.
protocol NumberedID: Codable {
    var number: UInt32 { get }
    init(number: UInt32)
}

extension NumberedID {
    package init(from decoder: any Decoder) throws {
        self.init(number: try decoder.singleValueContainer().decode(UInt32.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

extension ItemID: NumberedID {}
extension BehaviorID: NumberedID {}
