/// Measures how fast a contact moves when it is let go, from its samples alone.
package struct VelocityTracker: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// 0.2 of the last velocity and 0.8 of the one before, as UIKit's pan recognizer.
        case uikit
        /// A parabola through the last 100 ms.
        case leastSquares = "least-squares"
    }
}
