import Gestures
import Interactions
import TestSupport

/// How a table finds out what a phase does not say: by trying.
extension Trial {
    /// Whether a stimulus would be accepted now.
    func takes(_ stimulus: Stimulus) -> Bool {
        var probe = self
        do throws(Rejection) {
            try probe.play(stimulus)
            return true
        } catch {
            return false
        }
    }

    /// Whether a stimulus would put the content elsewhere at once.
    func shifts(by stimulus: Stimulus) -> Bool {
        var probe = self
        do throws(Rejection) {
            try probe.play(stimulus)
        } catch {
            return false
        }
        return probe.offset != offset
    }

    /// Whether a raw contact drags the content.
    var isDragged: Bool {
        shifts(by: .contentDrag(.changed, 77)) || shifts(by: .contentDrag(.changed, 7_777))
    }

    /// Whether the content moves by itself.
    var isCoasting: Bool {
        var probe = self
        probe.step()
        return probe.offset != offset
    }

    private var offset: Picture.Value? { Picture(machine).fields["offset"] }
}
