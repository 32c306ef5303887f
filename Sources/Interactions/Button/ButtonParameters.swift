package import Geometry
package import Notation

/// The parameters of `button`. Durations in seconds.
package struct ButtonParameters: KindParameters {
    package typealias Component = Button

    package var isEnabled = true
    /// Whether each tap turns it on or off.
    package var isToggle = false
    package var isOn = false
    /// From one tap to the next while a contact holds the button, at least
    /// `Button.repeatSecondsMin`; 0: holding it taps nothing.
    package var repeatSeconds = 0.0

    package init(viewport: Size) {}

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.bool("enabled", &isEnabled)
        try table.bool("toggle", &isToggle)
        try table.bool("on", &isOn)
        try table.number("repeat", &repeatSeconds, in: .duration)
    }
}
