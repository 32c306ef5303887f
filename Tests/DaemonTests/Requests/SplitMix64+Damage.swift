import Geometry

extension SplitMix64 {
    /// Removes, inserts or replaces one to three bytes of a text.
    mutating func damage(_ text: inout [UInt8], by signs: [UInt8]) {
        for _ in 0..<whole(in: 1...3) {
            let place = whole(in: 0...text.count - 1)
            switch whole(in: 0...2) {
            case 0: text.remove(at: place)
            case 1: text.insert(signs[whole(in: 0...signs.count - 1)], at: place)
            default: text[place] = signs[whole(in: 0...signs.count - 1)]
            }
        }
    }
}
