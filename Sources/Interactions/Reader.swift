/// `reader`: pull to the previous or the next article (Reeder).
package struct Reader: Machine {
    private let parameters: ReaderParameters

    package init(_ parameters: ReaderParameters) {
        self.parameters = parameters

    }
}

// MARK: - What is shown

extension Reader {
    package var phase: String { "resting" }

    package func model(into sink: inout some StateSink) {}

    package func views(into sink: inout some StateSink) {}
}
