import Security

extension Target {
    /// A certificate's file: one that is taken is the same when it is written and read again.
    static let certificate = Target(name: "certificate") { bytes in
        do throws(CertificateError) {
            let certificate = try Certificate(bytes)
            expectKey(certificate.publicKey)
            if let secret = certificate.secretKey { expectKey(secret) }
            let text = certificate.text(withSecret: true, comment: "")
            expect(read(text) == certificate, "\(text) is another certificate")
            var shown = certificate
            shown.secretKey = nil
            let open = certificate.text(withSecret: false, comment: "")
            expect(read(open) == shown, "\(open) is another certificate")
        } catch {
            expectLine(error.message)
            let lines = bytes.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } + 1
            expect((1...lines).contains(error.line ?? 1), "line \(error.line ?? 0) of \(lines)")
        }
    }

    private static func read(_ text: String) -> Certificate? {
        do throws(CertificateError) {
            return try Certificate(Array(text.utf8))
        } catch {
            fatalError("\(text): \(error)")
        }
    }

    private static func expectKey(_ key: CurveKey) {
        expect(CurveKey(text: key.text) == key, "\(key.text) is another key")
        expect(CurveKey(bytes: key.bytes) == key, "\(key.bytes) are another key")
    }
}
