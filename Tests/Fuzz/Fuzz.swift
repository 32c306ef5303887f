import CFuzz
import Glibc

/// One thing that reads what others wrote: any bytes are judged, and what holds of all of them
/// is expected.
struct Target: Sendable {
    /// The name of its folder in `Corpus`.
    var name: String
    var judge: @Sendable (_ bytes: [UInt8]) -> Void

    static let all: [Target] = [
        .topic, .event, .request, .sceneTOML, .sceneJSON, .recording, .export, .certificate,
        .webSocket, .head, .frames, .socket, .osc, .device,
    ]
}

/// `FUZZ_TARGET=NAME fuzz …` runs one target in libFuzzer's loop, which takes the arguments.
/// Without a target it prints the names.
@main enum Fuzz {
    private static let chosen: Target? = {
        guard let name = unsafe getenv("FUZZ_TARGET") else { return nil }
        let text = unsafe String(cString: name)
        return Target.all.first { $0.name == text }
    }()

    static func main() {
        guard chosen != nil else {
            print(Target.all.map(\.name).joined(separator: "\n"))
            exit(unsafe getenv("FUZZ_TARGET") == nil ? 0 : 2)
        }
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
            unsafe CommandLine.unsafeArgv
        let status = unsafe LLVMFuzzerRunDriver(&count, &arguments) { start, count in
            let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
            Fuzz.chosen?.judge(bytes)
            return 0
        }
        exit(status)
    }
}

/// Ends the process where something does not hold: libFuzzer then keeps the bytes.
func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { fatalError(what()) }
}

/// An error has words. They may quote a peer: who shows them makes them printable.
func expectWords(_ text: String) { expect(!text.isEmpty, "an error without words") }

/// One line for a person.
func expectLine(_ text: String) {
    expectWords(text)
    expect(!text.utf8.contains { $0 < 0x20 }, "control characters in an error: \(text)")
}

extension [UInt8] {
    /// As text, for messages.
    var text: String { String(decoding: self, as: UTF8.self) }
}
