import Gestures
import Interactions
import Notation
import TestSupport
import Testing

/// A machine reads its own arguments; those of others are the publisher's.
@Suite struct CommandTests {
    /// A command that tabs, then navigation are sent, and the code that refuses it.
    @Test(arguments: [
        (ComponentCommand("select", [.init("index", Node(.string("1")))]), RejectionCode.badValue),
        (ComponentCommand("select", [.init("index", Node(.number(1.5)))]), .badValue),
        (ComponentCommand("select", .of(index: 5)), .badValue),
        (ComponentCommand("select", .of(index: -1)), .badValue),
        (ComponentCommand("select"), .missingField),
        (ComponentCommand("present", .of(screen: "posts")), .unknownCommand),
        (ComponentCommand("Select", .of(index: 1)), .unknownCommand),
    ])
    func aWrongArgumentOfTabsIsRefused(command: ComponentCommand, code: RejectionCode) {
        var tabs = Stage(Tabs(.five, viewport: .phone, tracker: .uikit))
        let error = #expect(throws: Rejection.self) {
            try tabs.command(command.name, members: command.arguments)
        }
        #expect(error?.code == code, "\(error?.message ?? "")")
    }

    @Test(
        arguments: [
            ([Node.Member("screen", Node(.integer(1)))], RejectionCode.missingField),
            (.of(screen: "posts"), .missingField), (.of(transition: "in-via-scale"), .missingField),
            (.of(screen: "a b", transition: "in-via-scale"), .badValue),
            (.of(screen: "posts", transition: "in"), .badValue),
            (
                [
                    Node.Member("screen", Node(.integer(1))),
                    Node.Member("transition", Node(.string("in-via-scale"))),
                ], .badValue
            ),
        ] as [([Node.Member], RejectionCode)])
    func aWrongArgumentOfNavigationIsRefused(arguments: [Node.Member], code: RejectionCode) {
        let parameters = NavigationParameters(root: "home")
        var stage = Stage(Navigation(parameters, viewport: .phone, tracker: .uikit))
        let error = #expect(throws: Rejection.self) {
            try stage.command("present", members: arguments)
        }
        #expect(error?.code == code, "\(error?.message ?? "")")
    }

    @Test func argumentsThatAKindDoesNotTakeArePassedOver() throws {
        var toss = Stage(Toss(TossParameters(viewport: .phone), viewport: .phone, tracker: .uikit))
        try toss.command("reset", members: [.init("index", Node(.array([])))])
        var tabs = Stage(Tabs(.five, viewport: .phone, tracker: .uikit))
        let index = Node(.number(3))
        try tabs.command(
            "select", members: [.init("screen", Node(.null)), .init("index", index)])
        #expect(tabs.field("selected") == .whole(3))
    }
}
