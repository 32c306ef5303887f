import Geometry
import Gestures

extension Target {
    /// The point of a tap; throws where it is meant for a row or a number.
    var tappedPoint: Vector {
        get throws(Rejection) {
            guard case .point(let point) = self else {
                throw Rejection(.missingField, "keys x and y: are required")
            }
            return point
        }
    }
}
