import Interactions
import Protocol

/// `scenes`: the names of the configuration's scenes.
struct ScenesRequest: ReactorRequest {
    static let operation = "scenes"

    var right: RequestRight { .general }

    init(_ fields: RequestFields) {}

    func reply(from reactor: Reactor, into buffer: inout ByteBuffer) {
        buffer.key("scenes")
        buffer.json(reactor.operations.settings.scenes.keys.sorted())
    }
}
