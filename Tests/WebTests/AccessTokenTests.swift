import Testing

@testable import Web

struct AccessTokenTests {
    @Test func aTokenMatchesItselfAlone() throws {
        let token = try #require(AccessToken("0123456789abcdef"))
        #expect(token.matches("0123456789abcdef"))
        for other in [
            nil, "", "0", "0123456789abcde", "0123456789abcdef0", "0123456789abcdeF",
            "0123456789abcdef0123456789abcdef", String(repeating: "x", count: 5_000),
        ] {
            #expect(!token.matches(other))
        }
    }

    @Test(arguments: [
        "", "short", "0123456789abcde", String(repeating: "a", count: 129), "0123456789 abcdef",
        "0123456789abcdef;", "0123456789abcdef&", "0123456789äbcdef", "0123456789abcdef\n",
    ])
    func whatNoLinkCarriesIsNoToken(text: String) {
        #expect(AccessToken(text) == nil)
    }
}
