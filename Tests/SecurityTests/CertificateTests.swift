import Security
import Testing
import ZeroMQ

@Suite struct CertificateTests {
    private static let zeros = String(repeating: "0", count: 40)
    private static let key = "da<teOGFNC-IS8y?V-K]uFw8xp/O7n2B9N?e)MW8"
    private static let secret = "]G%[#hyx0ec]p$rG(RiIkY?c3kgF$]-x+i-e0Mt>"

    /// Files as pyzmq and CZMQ write them.
    @Test func readsWhatOtherToolsWrite() throws {
        let pyzmq = """
            #   ****  Generated on 2026-11-23 12:29:12.452245 by pyzmq  ****
            #   ZeroMQ CURVE **Secret** Certificate

            metadata
                email = a
            curve
                public-key = "\(Self.key)"
                secret-key = "\(Self.secret)"
            """
        let read = try Certificate(Array(pyzmq.utf8))
        #expect(read.publicKey.text == Self.key)
        #expect(read.secretKey?.text == Self.secret)
        #expect(read.metadata == [Certificate.Entry("email", "a")])
        #expect(read.publicKey.bytes.count == 32)
        #expect(try Curve.publicKey(of: Self.secret) == Self.key)
    }

    @Test func writesWhatItReads() throws {
        for _ in 0..<50 {
            let keys = try Curve.makeKeys()
            let certificate = Certificate(
                publicKey: try #require(CurveKey(text: keys.publicKey)),
                secretKey: CurveKey(text: keys.secretKey),
                metadata: [Certificate.Entry("server-key", Self.key)])
            #expect(certificate.publicKey.text == keys.publicKey)
            let text = certificate.text(withSecret: true, comment: "made by a test")
            #expect(try Certificate(Array(text.utf8)) == certificate)
            let shown = certificate.text(withSecret: false, comment: "made by a test")
            #expect(!shown.contains(keys.secretKey))
            #expect(try Certificate(Array(shown.utf8)).secretKey == nil)
        }
    }

    /// Metadata that is hard to quote, as it is read. The second value begins with an accent, which
    /// makes one letter of a quotation mark before it.
    @Test(arguments: [
        (#"'say "hi" # now'"#, #"say "hi" # now"#), ("\"\u{301}a\"", "\u{301}a"),
        (#""it's""#, "it's"), ("a # b", "a"), ("", ""), ("\u{a0}a\u{2028}", "\u{a0}a\u{2028}"),
    ]) func metadataComesBackAsItWas(written: String, value: String) throws {
        let text = "metadata\n    name = \(written)\ncurve\n    public-key = \"\(Self.key)\"\n"
        let certificate = try Certificate(Array(text.utf8))
        #expect(certificate.metadata.map { Array($0.value.utf8) } == [Array(value.utf8)])
        let again = certificate.text(withSecret: false, comment: "made by a test")
        #expect(try Certificate(Array(again.utf8)) == certificate)
    }

    @Test(arguments: [
        ("", "has no curve with a public-key"),
        ("curve\n    public-key = \"short\"\n", "line 2: public-key must be the 40 characters"),
        ("public-key = \"\(key)\"\n", "line 1: stands in no section: indent it"),
        ("    public-key = \"\(key)\"\n", "line 1: stands in no section"),
        ("curve\n    public-key = \"\(key)\n", "line 2: the value's quotation mark"),
        ("curve\n    public-key = \"\(key)\"\n    public-key = \"\(key)\"\n", "a second time"),
        ("curve\n    public-key = \"\(zeros)\"\n", "line 2: public-key is all zeros"),
        ("curve\n    secret-key = \"\(zeros)\"\n", "line 2: secret-key is all zeros"),
        ("curve\n    other = 1\n", "curve has public-key and secret-key alone"),
        ("curve\n    what\n", "line 2: is no `name = \"value\"`"),
        ("metadata\n    a = b\"c # d\"\n", "line 2: a quotation mark stands within"),
        ("metadata\n    a = \"b\"c\"\n", "line 2: text stands behind"),
        ("metadata\n    a\"b = c\n", "line 2: a name has characters"),
        ("metadata\n    = c\n", "line 2: a name has characters"),
        ("\u{1}", "is no text"),
        // The largest group of five characters stands for more than 32 bits.
        ("curve\n    public-key = \"\(String(repeating: "#", count: 40))\"", "line 2: public-key"),
    ]) func saysWhatIsWrong(text: String, message: String) {
        let error = #expect(throws: CertificateError.self) { try Certificate(Array(text.utf8)) }
        #expect(
            error?.description.contains(message) == true,
            "\(error.map(String.init(describing:)) ?? "")")
    }

    @Test func aLongOneIsRefused() {
        #expect(throws: CertificateError.self) {
            try Certificate([UInt8](repeating: 35, count: Certificate.bytesMax + 1))
        }
    }
}

@Suite struct GrantTests {
    @Test(arguments: [
        (["kiosk-1*"], "kiosk-1", true), (["kiosk-1*"], "kiosk-17", true),
        (["kiosk-1*"], "kiosk-2", false), (["kiosk-1*"], "kiosk-", false),
        (["alice"], "alice", true), (["alice"], "alice2", false), ([], "alice", false),
        (["*"], "alice", true), (["a", "b*"], "bob", true),
    ]) func patternsMatch(patterns: [String], name: String, isMatch: Bool) {
        #expect(SessionPatterns(patterns).match(name) == isMatch)
    }

    @Test(arguments: [
        (["kiosk-1*"], "kiosk", true), (["kiosk-1*"], "kiosk-12", true), (["kiosk-1*"], "a", false),
        (["alice"], "ali", true), (["alice"], "alicex", false), ([], "", false), (["a"], "", true),
    ]) func aBeginningMayMatch(patterns: [String], beginning: String, isMatch: Bool) {
        #expect(SessionPatterns(patterns).matchBeginning(beginning) == isMatch)
    }
}
