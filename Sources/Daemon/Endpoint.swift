/// What can be wrong with an endpoint that libzmq itself would not tell.
enum Endpoint {
    /// Nil: it may be bound or connected to. Otherwise what is wrong with it.
    ///
    /// libzmq takes a port beyond 65535 for another one, without a word.
    static func flaw(_ endpoint: String) -> String? {
        let form = "is no endpoint, as tcp://127.0.0.1:7411 or ipc:///run/gestured/events"
        if let path = endpoint.droppingPrefix("ipc://") {
            return path.isEmpty ? "\"\(endpoint)\" \(form)" : nil
        }
        guard let address = endpoint.droppingPrefix("tcp://"),
            let colon = address.lastIndex(of: ":"), colon > address.startIndex
        else { return "\"\(endpoint)\" \(form)" }
        let port = address[address.index(after: colon)...]
        if port == "*" { return nil }
        guard port.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int(port),
            number <= 65_535
        else { return "\"\(endpoint)\": the port must be * or a number from 0 to 65535" }
        return nil
    }
}

extension String {
    fileprivate func droppingPrefix(_ prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
