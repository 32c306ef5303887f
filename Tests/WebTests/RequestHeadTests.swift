import Geometry
import Testing

@testable import Web

struct RequestHeadTests {
    private func head(_ lines: String...) throws(RequestHead.Flaw) -> RequestHead {
        try RequestHead(Array((lines + ["", ""]).joined(separator: "\r\n").utf8))
    }

    private static let opening = [
        "Upgrade: WebSocket", "Connection: keep-alive, Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
    ]

    @Test func aRequestIsReadAsItIsWritten() throws {
        let read = try head(
            "GET /a%20b/%C3%BC?x=1&token=a%2Bb&y=2 HTTP/1.1", "HOST:\t 127.0.0.1:7480 ",
            "If-None-Match: \"a\"", "Cookie: a=1; gesture-web=secret ;b=2")
        #expect(read.method == .get && read.path == "/a b/ü" && !read.isLast && !read.isUpgrade)
        #expect(read.value("host") == "127.0.0.1:7480" && read.value("if-none-match") == "\"a\"")
        #expect(read.parameter("token") == "a+b" && read.parameter("z") == nil)
        #expect(read.query(without: "token") == "x=1&y=2")
        #expect(read.cookies("gesture-web") == ["secret"] && read.cookies("c").isEmpty)
    }

    @Test func theConnectionEndsWhereTheRequestSaysSo() throws {
        #expect(try head("GET / HTTP/1.0", "Host: a").isLast)
        #expect(try head("GET / HTTP/1.1", "Host: a", "Connection: Close").isLast)
        #expect(try head("GET / HTTP/1.1", "Host: a", "Content-Length: 2").isLast)
        #expect(try head("POST / HTTP/1.1", "Host: a").isLast)
        #expect(try !head("HEAD / HTTP/1.1", "Host: a", "Content-Length: 0").isLast)
    }

    @Test func elementsAreFoundInListsOfMany() throws {
        let many = String(repeating: "a,", count: 2_000)
        #expect(try head("GET / HTTP/1.1", "Host: a", "Connection: \(many) \t CLOSE ,b").isLast)
        #expect(try !head("GET / HTTP/1.1", "Host: a", "Connection: \(many)closed, clos").isLast)
        let read = try head(
            "GET / HTTP/1.1", "Host: a", "Cookie: \(many.replacing(",", with: ";")) b=1;ab=2; b=3")
        #expect(read.cookies("b") == ["1", "3"] && read.cookies("ab") == ["2"])
        #expect(read.cookies("a").isEmpty)
    }

    /// Each costs time, in which everybody waits for a request that is refused.
    @Test func theSchemeIsFoundInFieldsOfSomeSizeAlone() throws {
        func scheme(_ line: String) throws -> Bool? {
            try head("GET / HTTP/1.1", "Host: a", line).isFromTLS
        }
        #expect(try scheme("Forwarded: for=1.2.3.4;Proto=\"https\";by=a, proto=http") == true)
        #expect(try scheme("X-Forwarded-Proto: ,HTTP , https") == false)
        #expect(try scheme("Forwarded: \(String(repeating: "a;", count: 300))proto=http") == nil)
    }

    @Test func aHandshakeGoesOnInKnownPartsAlone() throws {
        let lines =
            ["GET /c?a HTTP/1.1", "Host: evil.example", "Cookie: secret"] + Self.opening
            + ["Sec-WebSocket-Protocol: other, Gestured", "Sec-WebSocket-Extensions: a"]
        let read = try RequestHead(Array((lines + ["", ""]).joined(separator: "\r\n").utf8))
        let text = String(decoding: read.handshake, as: UTF8.self)
        #expect(read.isUpgrade && text.hasPrefix("GET / HTTP/1.1\r\nHost: gestured\r\n"))
        #expect(text.hasSuffix("Protocol: gestured\r\nSec-WebSocket-Extensions: a\r\n\r\n"))
        #expect(!text.contains("evil") && !text.contains("secret") && !text.contains("other"))
    }

    @Test(arguments: ["12", "14", "8", "", "13, 8", "013"])
    func anotherVersionIsTold(version: String) {
        let lines =
            ["GET / HTTP/1.1", "Host: a"] + Self.opening.dropLast() + [
                "Sec-WebSocket-Version: \(version)", "", "",
            ]
        #expect {
            try RequestHead(Array(lines.joined(separator: "\r\n").utf8))
        } throws: {
            ($0 as? RequestHead.Flaw)?.status == 426
        }
    }

    @Test(arguments: [
        "", "\r\n\r\n", "GET / HTTP/1.1\r\nHost: a", "GET / HTTP/1.1\r\nHost: a\n\r\n\r\n",
        "GET /%0a HTTP/1.1\r\nHost: a\r\n\r\n", "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /%0D HTTP/1.1\r\nHost: a\r\n\r\n", "GET /?%1F HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /%7F HTTP/1.1\r\nHost: a\r\n\r\n", "GET /%g0 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n", "GET a HTTP/1.1\r\nHost: a\r\n\r\n",
        "get / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n b: c\r\n\r\n", "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\rb: c\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
    ])
    func whatIsUnclearIsRefused(text: String) {
        #expect(throws: RequestHead.Flaw.self) { try RequestHead(Array(text.utf8)) }
    }

    /// Bytes that nobody foresaw: what is read has no control character and one known host.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func spoiledRequestsAreReadStrictly(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        let whole = Array(
            (["GET /a/b%20c?token=d HTTP/1.1", "Host: [::1]:7480"] + Self.opening + ["", ""])
                .joined(separator: "\r\n").utf8)
        let spoilers = Array("\r\n\0\t %0a%0d:[]@/?#,.; H".utf8)
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &dice) {
                let place = Int.random(in: 0..<bytes.count, using: &dice)
                switch Int.random(in: 0..<3, using: &dice) {
                case 0: bytes[place] = spoilers.randomElement(using: &dice) ?? 0
                case 1: bytes.remove(at: place)
                default: bytes.insert(spoilers.randomElement(using: &dice) ?? 0, at: place)
                }
            }
            guard let read = try? RequestHead(bytes) else { continue }
            let isPlain = read.path.unicodeScalars.allSatisfy { $0.value >= 0x20 }
            #expect(isPlain && read.path.hasPrefix("/"))
            #expect(read.value("host").flatMap(Authority.init) != nil)
            #expect(!read.isUpgrade || read.handshake.suffix(4).elementsEqual("\r\n\r\n".utf8))
        }
    }
}
