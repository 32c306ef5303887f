/// The softness of one equation of a joint, independent of the mass (Box2D's soft constraints).
struct Softness: Hashable, Sendable, Codable {
    /// γ·m, where m is the effective mass of the equation. 0 is rigid.
    let share: Double
    /// The velocity demanded per unit of error. 0 is rigid: then positions are corrected.
    let biasRate: Double

    static var rigid: Softness { Softness(share: 0, biasRate: 0) }
    var isRigid: Bool { biasRate == 0 }

    private init(share: Double, biasRate: Double) {
        self.share = share
        self.biasRate = biasRate
    }

    /// `frequency` from 0 (rigid) to 10⁶ Hz, `damping` a ratio of at least 0.
    init(frequency: Double, damping: Double) {
        precondition(frequency >= 0 && frequency <= 1e6, "a spring of \(frequency) Hz")
        precondition(damping >= 0, "a damping ratio of \(damping)")
        // A spring of stiffness k and damping d, in an implicit step of h: the impulse
        // λ = −h·(k·(C + h·Ċ) + d·Ċ) is also −(Ċ + bias) / γ, so γ = 1 / (h·(d + h·k)) and
        // bias = C·h·k·γ. Here d = 2mζω and k = mω².
        let omega = 2 * Double.pi * frequency
        let drag = Tuning.step * (2 * min(damping, 1e9) * omega + Tuning.step * omega * omega)
        share = drag > 0 ? 1 / drag : 0
        biasRate = Tuning.step * omega * omega * share
    }
}
