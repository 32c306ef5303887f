package import Geometry
import Motion
package import Notation

/// The parameters of `label`.
package struct LabelParameters: KindParameters {
    package typealias Component = Label

    package var text: SceneText = ""
    /// A picture's name; nil: none.
    package var image: String?
    /// Seconds in which a new text or picture, or the whole label, fades; 0: at once.
    package var fade = 0.2
    /// Fades in place of `fade`; nil: none does.
    package var spring: SpringParameters?
    package var isShown = true

    package init(viewport: Size) {}

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.text("text", &text, bytesMax: Limits.labelTextBytesMax)
        try table.string("image", &image)
        try table.number("fade", &fade, in: .duration)
        try table.table("spring", &spring)
        try table.bool("shown", &isShown)
    }

    /// Nil: it changes at once.
    var pace: Pace? {
        spring == nil && fade == 0 ? nil : spring.pace(.easeInOut, seconds: fade)
    }
}

extension Limits {
    /// Bytes of a label's text, or of its template, in each language.
    package static let labelTextBytesMax = 16 * 1024
}
