extension Tuning {
    /// Points per metre.
    static var metre: Double { 100 }
    /// An item that a field accelerates by less than this (pt/s²) counts as still: 1 pt in 4.5 s.
    static var stillAcceleration: Double { 0.1 }
    /// An item that a field pushes but that is slower than this (pt/s) is held by something else.
    static var heldSpeed: Double { 0.1 }
}
