import Testing

@testable import Codec

/// Components and slots that `in` names.
@Suite struct HolderNameTests {
    private func told(_ components: [String]) -> [String] {
        let text =
            "viewport = [320, 568]\n" + components.map { "[[components]]\n\($0)\n" }.joined()
        return SceneFaults.found(in: Array(text.utf8), file: "s").map(\.description)
    }

    private static func button(_ place: String) -> String {
        "id = \"b\"\nkind = \"button\"\nin = \"\(place)\""
    }

    /// A component, a wrong place in it, and the end of the error.
    @Test(arguments: [
        (
            "id = \"nav\"\nkind = \"navigation\"\nroot = \"home\"", "nv/home",
            #""nv" is no earlier component, known ones are nav"#
        ),
        (
            "id = \"p\"\nkind = \"panel\"\nanchors = [{ name = \"low\", at = 100 }]", "p/contnt",
            #"panel p has no slot "contnt", known ones are content"#
        ),
        (
            "id = \"me\"\nkind = \"profile\"", "me/contnt",
            #"profile me has no slot "contnt", known ones are content"#
        ),
        (
            "id = \"t\"\nkind = \"tabs\"\nitems = [{ id = \"news\" }, { id = \"home\" }]",
            "t/page-hom", #"tabs t has no slot "page-hom", known ones are page-home, page-news"#
        ),
        (
            "id = \"w\"\nkind = \"dynamics\"\n"
                + "items = [{ id = \"ball\", center = [9, 9], size = [9, 9] }]",
            "w/bal", #"dynamics w has no slot "bal", known ones are ball"#
        ),
        (
            "id = \"ti\"\nkind = \"tips\"\ntips = []", "ti/tp",
            #"tips ti has no slot "tp", known ones are tip"#
        ),
        (
            "id = \"o\"\nkind = \"toss\"", "o/itm",
            #"toss o has no slot "itm", known ones are item"#
        ),
        (
            "id = \"ls\"\nkind = \"list\"\nrows = 3", "ls/a",
            #"list ls has no slot "a", known ones are menu, row-0 to row-2"#
        ),
        (
            "id = \"ls\"\nkind = \"list\"\nrows = 1", "ls/row-1",
            #"list ls has no slot "row-1", known ones are row-0, menu"#
        ),
        (
            "id = \"c\"\nkind = \"button\"", "c/a",
            #"button c has no slot "a", there is none"#
        ),
    ])
    func theKnownOnesAreListed(holder: String, place: String, error: String) {
        let told = told([holder, Self.button(place)])
        #expect(told.count == 1 && told[0].hasSuffix("component b, key in: \(error)"), "\(told)")
    }

    @Test func oneThatComesLaterMustStandBefore() {
        let told = told([Self.button("late/item"), "id = \"late\"\nkind = \"toss\""])
        let error =
            "component b, key in: \"late\" is no earlier component: it comes later, and must "
            + "stand before what it holds; move it up"
        #expect(told.count == 1 && told[0].hasSuffix(error), "\(told)")
    }

    @Test func thereMayBeNone() {
        let told = told([Self.button("x/item")])
        #expect(
            told.count == 1
                && told[0].hasSuffix("\"x\" is no earlier component, there is none"), "\(told)")
    }
}
