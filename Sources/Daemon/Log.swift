import Foundation

/// Lines for the administrator, on standard error; none for an event.
struct Log: Sendable {
    typealias Level = Configuration.LogLevel

    let level: Level

    func warning(_ text: String) { write(.warning, text) }
    func info(_ text: String) { write(.info, text) }

    private func write(_ level: Level, _ text: String) {
        guard level.rank <= self.level.rank else { return }
        // A log that nobody can take any more is no reason to stop.
        try? FileHandle.standardError.write(
            contentsOf: Data("gestured: \(level.rawValue): \(text)\n".utf8))
    }
}

extension Configuration.LogLevel {
    /// Higher tells more.
    fileprivate var rank: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .info: 2
        case .debug: 3
        }
    }
}
