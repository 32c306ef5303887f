import Testing

@testable import Web

struct MemberOrderTests {
    private let all = ["a", "b", "c"]

    private func order(owner: String?, home: String, late: String? = nil) -> [String] {
        MemberOrder.candidates(owner: owner, home: home, of: all, late: late)
    }

    @Test func theOwnerIsAskedFirstAndThenTheHome() {
        #expect(order(owner: "c", home: "b") == ["c", "b", "a"])
        #expect(order(owner: nil, home: "b") == ["b", "a", "c"])
        #expect(order(owner: "b", home: "b") == ["b", "a", "c"])
    }

    @Test func aRequestThatAMemberLeavesUnansweredGoesElsewhere() {
        #expect(order(owner: nil, home: "b", late: "b") == ["a", "c", "b"])
        #expect(order(owner: nil, home: "b", late: "a") == ["b", "c", "a"])
        // Only the owner can answer it.
        #expect(order(owner: "b", home: "a", late: "b") == ["b", "a", "c"])
    }

    @Test func theHomeStaysWhileItIsHeard() {
        #expect(MemberOrder.home(after: "b", of: all) { _ in true } == "b")
        #expect(MemberOrder.home(after: "b", of: all) { $0 == "b" } == "b")
    }

    @Test func aSilentHomeIsLeftForTheNextThatIsThere() {
        #expect(MemberOrder.home(after: "b", of: all) { $0 != "b" } == "c")
        #expect(MemberOrder.home(after: "c", of: all) { $0 != "c" } == "a")
        #expect(MemberOrder.home(after: "b", of: all) { $0 == "a" } == "a")
        #expect(MemberOrder.home(after: "b", of: all) { _ in false } == "b")
        #expect(MemberOrder.home(after: "d", of: all) { $0 == "a" } == "d")
    }
}
