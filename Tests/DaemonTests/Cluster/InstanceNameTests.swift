import Testing

@testable import Daemon

struct InstanceNameTests {
    @Test func randomOnesAreUUIDsOfVersion4() throws {
        for _ in 0..<100 {
            let text = InstanceName.random().text
            #expect(
                text.wholeMatch(
                    of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)
                    != nil)
            #expect(InstanceName(text)?.text == text)
        }
        #expect(InstanceName.random() != InstanceName.random())
    }

    @Test func capitalsAreTheSameName() {
        #expect(
            InstanceName("0A0B0C0D-0000-4000-8000-00000000000F")?.text
                == "0a0b0c0d-0000-4000-8000-00000000000f")
    }

    @Test(arguments: [
        "", "0a0b0c0d", "0a0b0c0d-0000-4000-8000-00000000000",
        "0a0b0c0d-0000-4000-8000-00000000000g",
        "0a0b0c0d00004000800000000000000f", "-0a0b0c0-0000-4000-8000-00000000000f-",
    ])
    func otherTextsAreNone(text: String) { #expect(InstanceName(text) == nil) }
}
