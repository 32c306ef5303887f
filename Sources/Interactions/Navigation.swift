package import Geometry

/// `navigation`: screens that come and go over each other (Facebook, Google+).
package struct Navigation: Machine {
    private let parameters: NavigationParameters
    private let viewport: Size

    package init(_ parameters: NavigationParameters, viewport: Size) {
        self.parameters = parameters
        self.viewport = viewport
    }
}

// MARK: - What is shown

extension Navigation {
    package var phase: String { "resting" }

    package func model(into sink: inout some StateSink) {}

    package func views(into sink: inout some StateSink) {}
}
