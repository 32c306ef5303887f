/// Waits until a condition holds, at most five seconds; returns whether it did.
package func eventually(_ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(5)
    while !condition() {
        if ContinuousClock.now > end { return false }
        await Task.yield()
    }
    return true
}
