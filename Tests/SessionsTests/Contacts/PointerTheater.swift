import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport

/// A session of one toss, at rest.
func toss() -> Theater {
    var theater = Theater(.single("toss", .init(TossParameters(viewport: .phone))))
    theater.flush()
    return theater
}

extension Theater {
    /// The phase of the only component.
    var phase: String { pictures[0].phase }
    var recognizer: Picture.Value? { pictures[0].fields["recognizer"] }
    var anchor: Vector? { pictures[0].views["anchor"]?.center }

    /// A contact of the toss that has become a pan by two samples.
    mutating func drag(_ pointer: Int) {
        self.pointer("toss", .began, pointer, 160, 223)
        self.pointer("toss", .changed, pointer, 180, 223)
    }
}
