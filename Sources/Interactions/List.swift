package import Geometry

/// `list`: rows that a swipe opens (Twitter).
package struct List: Machine {
    private let parameters: ListParameters
    private let viewport: Size

    package init(_ parameters: ListParameters, viewport: Size) {
        self.parameters = parameters
        self.viewport = viewport
    }
}

// MARK: - What is shown

extension List {
    package var phase: String { "closed" }

    package func model(into sink: inout some StateSink) {}

    package func views(into sink: inout some StateSink) {}
}
