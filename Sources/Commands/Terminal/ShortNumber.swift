import Notation

/// A number with at most this many decimals, without trailing zeros.
package func short(_ value: Double, decimals: Int = 3) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value * scale).rounded()
    guard scaled.magnitude < 9e15 else { return value.description }
    let whole = Int(scaled)
    let unit = Int(scale)
    let sign = whole < 0 ? "-" : ""
    let digits = String(whole.magnitude % unit.magnitude)
    var fraction = String(repeating: "0", count: max(0, decimals - digits.count)) + digits
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return sign + String(whole.magnitude / unit.magnitude)
        + (fraction.isEmpty || decimals == 0 ? "" : ".\(fraction)")
}
