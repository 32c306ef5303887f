import Web

extension Target {
    /// The head of an HTTP request. One that is read has one clear meaning, and libwebsockets gets
    /// another one, of known parts alone.
    static let head = Target(name: "head") { bytes in
        do throws(RequestHead.Flaw) {
            let head = try RequestHead(bytes)
            expect(head.path.hasPrefix("/"), "a path \(head.path)")
            let isPlain = head.path.unicodeScalars.allSatisfy { $0.value >= 0x20 }
            expect(isPlain && !head.query.utf8.contains { $0 <= 0x20 }, "a control character")
            expect(head.value("host").flatMap(Authority.init) != nil, "a host that is no name")
            if head.isUpgrade { judge(head.handshake) }
        } catch {
            expectLine(error.message)
            expect((400...599).contains(error.status), "\(error.status)")
        }
    }

    private static func judge(_ handshake: [UInt8]) {
        guard let again = try? RequestHead(handshake) else {
            fatalError("no request: \(handshake.text)")
        }
        expect(again.isUpgrade && again.path == "/" && again.query.isEmpty, handshake.text)
        expect(again.value("host") == "gestured" && again.value("origin") == nil, handshake.text)
    }
}
