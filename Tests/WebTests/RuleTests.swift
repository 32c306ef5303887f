import Testing

@testable import Web

struct RuleTests {
    private let rule: OriginRule

    init() throws {
        rule = OriginRule(
            origins: [
                try PageOrigin("https://Page.example"),
                try PageOrigin("http://other.example:8080"),
            ], names: ["desk"])
    }

    @Test(arguments: [
        "localhost", "LOCALHOST:7480", "a.localhost", "127.0.0.1", "127.0.0.1:7480", "10.0.0.7",
        "[::1]", "[::1]:7480", "desk", "desk:80", "page.example", "other.example:1",
    ])
    func ownNamesAreAnswered(host: String) {
        #expect(rule.allows(host: host))
    }

    @Test(arguments: [
        "", "evil.example", "evil.example:7480", "localhost.evil.example", "127.0.0.1.evil.example",
        "127.0.0.1a", "[evil", "xlocalhost", "page.example.evil.example", "desk.evil",
        "[::1].evil.example", "[::1]evil", "[::1", "[]", "[evil:example]", "[::1]:x", "a@127.0.0.1",
        "127.0.0.1:80:90", "127.0.0.1/", "127.0.0.1:", "localhost, evil.example", "::1", ":80",
    ])
    func foreignNamesAreNot(host: String) {
        // An empty port is the usual one.
        #expect(!rule.allows(host: host) || host == "127.0.0.1:")
    }

    @Test func aPageOfTheSameOriginOrAnAddedOneMayUseIt() {
        #expect(rule.allows(origin: "http://127.0.0.1:7480", host: "127.0.0.1:7480"))
        #expect(rule.allows(origin: "HTTP://Localhost:7480", host: "localhost:7480"))
        #expect(rule.allows(origin: "", host: "127.0.0.1:7480"))
        #expect(rule.allows(origin: "https://page.example", host: "127.0.0.1:7480"))
        #expect(rule.allows(origin: "http://other.example:8080", host: "127.0.0.1:7480"))
        for origin in [
            "null", "http://evil.example", "http://127.0.0.1", "http://127.0.0.1:7481",
            "http://page.example", "https://page.example.evil", "http://other.example",
            "http://127.0.0.1:7480/x", "http://a@127.0.0.1:7480", "ws://127.0.0.1:7480", " ",
        ] {
            #expect(!rule.allows(origin: origin, host: "127.0.0.1:7480"), "\(origin)")
        }
    }

    /// A proxy may name the port that the scheme has anyway, or leave it out.
    @Test func theSchemesOwnPortIsNoDifference() {
        let pairs = [
            ("http://motion.lan", "motion.lan:80"), ("https://motion.lan", "motion.lan:443"),
            ("https://motion.lan", "Motion.LAN"), ("https://motion.lan:443", "motion.lan"),
            ("http://[::1]", "[::1]:80"), ("https://motion.lan:8443", "motion.lan:8443"),
        ]
        for (origin, host) in pairs {
            #expect(rule.allows(origin: origin, host: host), "\(origin)")
        }
        for (origin, host) in [
            ("http://motion.lan", "motion.lan:443"), ("https://motion.lan", "motion.lan:80"),
            ("https://motion.lan:8443", "motion.lan"), ("http://motion.lan", "motion.lan:8080"),
        ] { #expect(!rule.allows(origin: origin, host: host), "\(origin)") }
    }

    @Test(arguments: [
        ("HTTPS://X.Example/", "https://x.example"), ("https://x.example:443", "https://x.example"),
        ("http://x.example:80/", "http://x.example"), ("http://X.example:", "http://x.example"),
        ("https://x.example:80", "https://x.example:80"), ("Http://[::A]:80", "http://[::a]"),
        ("http://localhost:05173", "http://localhost:5173"),
    ])
    func anOriginIsTheSameHoweverItIsWritten(text: String, written: String) throws {
        let origin = try PageOrigin(text)
        #expect(origin.description == written)
        let rule = OriginRule(origins: [origin], names: [])
        // The browser's way to write it, and the name by which a proxy calls.
        #expect(rule.allows(origin: written, host: "127.0.0.1:7480"))
        #expect(rule.allows(origin: text, host: "127.0.0.1:7480"))
        #expect(rule.allows(host: origin.name == "::a" ? "[::a]" : origin.name))
    }

    @Test(arguments: [
        ("example.org", "https://example.org"), ("null", "no option"), ("ws://a.b", "http://"),
        ("https://a.b/page", "https://a.b"), ("HTTP://A.B:80/?x", "http://a.b"),
        ("https://a.b//", "https://a.b"), ("https://müller.de", "xn--"), ("https://", "no origin"),
        ("https://a b", "no origin"), ("https://a.b:0", "no origin"), ("file:///x", "http://"),
        ("https://a.b:65536", "no origin"), ("https://u@a.b", "no origin"),
    ])
    func whatIsNoOriginIsToldWithWhatWouldBe(text: String, word: String) {
        do {
            _ = try PageOrigin(text)
            Issue.record("\(text) is taken")
        } catch {
            #expect(error.message.contains(word))
        }
    }

    @Test func pathsNameFilesBelowTheFolder() {
        #expect(ServedPath("/")?.file == "index.html")
        #expect(ServedPath("/a/")?.file == "a/index.html")
        #expect(ServedPath("/page/a-b_1.min.js")?.file == "page/a-b_1.min.js")
        #expect(ServedPath("/a.js")?.contentType == "text/javascript; charset=utf-8")
        #expect(ServedPath("/a.b.PNG")?.contentType == "application/octet-stream")
        #expect(ServedPath("/png")?.contentType == "application/octet-stream")
    }

    @Test(arguments: [
        "", "a", "//a", "/a//b", "/..", "/../a", "/a/../b", "/.", "/.a", "/a/.b", "/a b", "/ä",
        "/a\\b", "/a\u{0}b", "/a%2e", "/a:b", "/a?b", "/" + String(repeating: "a", count: 65),
        String(repeating: "/a", count: 300),
    ])
    func otherPathsNameNothing(path: String) {
        #expect(ServedPath(path) == nil)
    }

    @Test func prefixesFindTheirClients() {
        var index = PrefixIndex<Int>()
        func clients(_ topic: String) -> Set<Int> {
            let found = index.clients(of: Array(topic.utf8))
            #expect(found.reduce(0) { $0 + $1.count } == Set(found.joined()).count, "each once")
            return Set(found.joined())
        }
        let first = index.insert(Array("frame/a".utf8), for: 1)
        let second = index.insert(Array("frame/a".utf8), for: 2)
        let again = index.insert(Array("frame/a".utf8), for: 2)
        let all = index.insert([], for: 3)
        #expect(first && !second && !again && all)
        #expect(clients("frame/a") == [1, 2, 3] && clients("frame/ab") == [1, 2, 3])
        #expect(clients("frame/") == [3] && clients("frame/b") == [3] && clients("") == [3])
        let isLast = index.remove(Array("frame/a".utf8), for: 1)
        let isGone = index.remove(Array("frame/a".utf8), for: 2)
        let isUnknown = index.remove(Array("frame/a".utf8), for: 2)
        #expect(!isLast && isGone && !isUnknown && index.count == 1)
        #expect(clients("frame/a") == [3])
    }
}
