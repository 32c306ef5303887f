/// How much a peer may still send: a burst at once, and an amount in each second beyond.
struct Allowance {
    private let burst: Double
    private let perSecond: Double
    private let floor: Double
    /// Below 0: more was taken than it had.
    private var left: Double

    /// The floor bounds what is owed, and so how long it takes to be paid. Nil: no bound.
    init(burst: Int, perSecond: Int, floor: Int? = nil) {
        self.burst = Double(burst)
        self.perSecond = Double(perSecond)
        self.floor = floor.map(Double.init) ?? -.infinity
        left = Double(burst)
    }

    var isOverdrawn: Bool { left < 0 }

    /// The part of the burst that is used up.
    var used: Double { burst - left }

    mutating func refill(seconds: Double) { left = min(burst, left + seconds * perSecond) }

    mutating func take(_ amount: Int) { left = max(left - Double(amount), floor) }
}
