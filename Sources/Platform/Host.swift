import CSystem
import Glibc

/// The machine, and the environment of this process.
package enum Host {
    /// Processors on which this process may run.
    package static var processorCount: Int { Int(gs_processor_count()) }

    /// A variable of the environment; nil where it is missing or empty.
    package static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// All variables, as `NAME=value`.
    package static var variables: [String] {
        var variables: [String] = []
        var place = unsafe environ
        while let variable = unsafe place.pointee {
            unsafe variables.append(String(cString: variable))
            unsafe place += 1
        }
        return variables
    }

    /// The machine's name for itself; empty where it has none.
    package static var name: String {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(
            decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
