/// A scene that cannot be used, and a part of the error that says so.
struct BadScene: Sendable, CustomStringConvertible {
    var toml: String
    var error: String

    var description: String { toml }
}

enum BadScenes {
    static let all =
        general.map { BadScene(toml: $0.0, error: $0.1) } + of("toss", toss) + of("tips", tips)
        + of("profile", profile) + of("tabs", tabs) + of("navigation", navigation)
        + of("list", list) + of("reader", reader) + of("dynamics", dynamics)

    /// The rows after a component of that kind in lines 2 to 4.
    private static func of(_ kind: String, _ rows: [(String, String)]) -> [BadScene] {
        rows.map { BadScene(toml: start(kind) + $0.0, error: $0.1) }
    }

    private static func start(_ kind: String) -> String {
        "viewport = [320, 568]\n[[components]]\nid = \"t\"\nkind = \"\(kind)\"\n"
    }

    private static let complete = start("toss")

    private static let general: [(String, String)] = [
        ("viewport = [320", "my.toml:1:"),
        ("x = 1\nx = 2", "my.toml:2:"),
        ("", "my.toml:1: key viewport: is required"),
        ("viewport = 1", "my.toml:1: key viewport: must be [w, h]"),
        ("viewport = [320]", "my.toml:1: key viewport: must be [w, h]"),
        ("viewport = [0, 568]", "my.toml:1: key viewport: must be [w, h], entry 1"),
        ("viewport = [320, inf]", "my.toml:1: key viewport: must be [w, h], entry 2"),
        ("viewport = [320, nan]", "my.toml:1: key viewport: must be [w, h], entry 2"),
        ("viewport = [320, \"568\"]", "my.toml:1: key viewport: must be [w, h], entry 2"),
        ("\nviewport = [1000001, 568]", "my.toml:2: key viewport: must be [w, h], entry 1"),
        ("viewport = [320, 568]", "key components: is required"),
        ("viewport = [320, 568]\ncomponents = []", "my.toml:2: key components: must have 1 to 32"),
        ("viewport = [320, 568]\ncomponents = 1", "my.toml:2: key components: must be a list"),
        ("viewport = [320, 568]\ncomponents = [1]", "my.toml:2: component 1: must be a table"),
        (
            "name = \"a b\"\n" + complete,
            "my.toml:1: key name: must be a name"
        ),
        (
            "frame_rate = 50\n" + complete,
            "my.toml:1: key frame_rate: must be 30, 60 or 120"
        ),
        (
            "frame_rate = \"60\"\n" + complete,
            "my.toml:1: key frame_rate: must be 30, 60 or 120, without quotes"
        ),
        (
            "seed = -1\n" + complete,
            "my.toml:1: key seed: must be a whole number from 0 up"
        ),
        (
            "seed = 1.5\n" + complete,
            "my.toml:1: key seed"
        ),
        (
            "velocity = \"fast\"\n" + complete,
            "key velocity: must be one of \"uikit\", \"least"
        ),
        (
            "seed = 2000-01-01\n" + complete,
            "my.toml:1: key seed: dates and times are not used here"
        ),
        (
            "framerate = 60\n" + complete,
            "unknown key \"framerate\", did you mean \"frame_rate\"?"
        ),
    ]

    private static let toss: [(String, String)] = [
        ("[[components]]\nkind = \"toss\"", "my.toml:5: component 2, key id: is required"),
        ("[[components]]\nid = \"\"", "my.toml:6: component 2, key id: must be a name"),
        ("[[components]]\nid = \"a/b\"", "my.toml:6: component 2, key id: must be a name"),
        (
            "[[components]]\nid = \"badges\"",
            "my.toml:6: component badges, key id: badges is reserved"
        ),
        (
            "[[components]]\nkind = \"toss\"\nid = \"t\"",
            "my.toml:7: component t, key id: is taken by another component"
        ),
        ("[[components]]\nid = \"u\"", "my.toml:5: component u, key kind: is required"),
        (
            "[[components]]\nid = \"u\"\nkind = \"table\"",
            "my.toml:7: component u, key kind: unknown kind \"table\", "
                + "known ones are tips, toss, navigation, profile, list, reader, tabs"
        ),
        ("thresold = 1", "my.toml:5: component t: unknown key \"thresold\""),
        ("firction = 1", "did you mean \"friction\"?"),
        ("friction = -0.1", "my.toml:5: component t, key friction: must be a number from 0"),
        ("velocity_padding = 0", "key velocity_padding: must be a number above 0"),
        ("velocity_padding = 1e-300", "key velocity_padding: must be a number above 0"),
        ("return_delay = -1", "key return_delay: must be a number of seconds"),
        ("return_duration = 3601", "key return_duration: must be a number of seconds"),
        ("throwing_threshold = nan", "key throwing_threshold: must be a number"),
        ("throwing_threshold = true", "key throwing_threshold: must be a number"),
        ("frame = [0, 0, 1, 0]", "key frame: must be [x, y, w, h], entry 4"),
        ("frame = [0, -inf, 1, 1]", "key frame: must be [x, y, w, h], entry 2"),
        ("spin = [2, 1]", "key spin: must be [low, high]"),
        ("spin = [0.5, 1]", "key spin: must be [low, high]"),
        ("spin = [-1001, 1]", "key spin: must be [low, high]"),
        ("spin = 3", "key spin: must be [low, high]"),
    ]

    private static let tips: [(String, String)] = [
        ("", "my.toml:2: component t, key tips: is required"),
        ("tips = {}", "my.toml:5: component t, key tips: must be a list"),
        ("tips = [{title = 1}]", "my.toml:5: component t, tip 1, key title: must be a"),
        (
            "tips = [{}, {sumary = \"\"}]",
            "my.toml:5: component t, tip 2: unknown key \"sumary\", did you mean \"summary\"?"
        ),
        ("tips = []\nsize = [300, -1]", "my.toml:6: component t, key size: must be [w, h]"),
        ("tips = []\nbackdrop_alpha = 1.1", "key backdrop_alpha: must be a number from 0"),
        ("tips = []\npresented = 1", "key presented: must be true or false"),
        ("tips = []\nthreshold = -1", "component t, key threshold: must be a number from"),
        (
            "tips = []\nthresold = 1",
            "my.toml:6: component t: unknown key \"thresold\", did you mean \"threshold\"?"
        ),
    ]

    private static let profile: [(String, String)] = [
        ("label_distance = 0", "key label_distance: must be a number above 0"),
        ("avatar_slowdown = -1", "key avatar_slowdown: must be a number above 0"),
        ("content_height = 0", "key content_height: must be a number above 0"),
        ("navigation_height = 60", "my.toml:5: component t, key navigation_height: needs"),
        ("name_label_top = 60", "my.toml:5: component t, key name_label_top: needs"),
        (
            "navigation_height = 108\nname_label_top = 1",
            "key navigation_height: must not be above the header's height"
        ),
        (
            "navigation_height = 60\nname_label_top = 1\nheader_stop = 1",
            "my.toml:7: component t, key header_stop: cannot stand beside"
        ),
    ]

    private static let tabs: [(String, String)] = [
        ("", "component t, key items: is required"),
        ("items = []", "key items: must have 1 to 16 entries"),
        ("items = [{}]", "my.toml:5: component t, item 1, key id: is required"),
        ("items = [{id=\"a\"}, {id=\"a\"}]", "component t, item 2, key id: is taken"),
        ("items = [{id=\"a\", glow=\"b\"}]", "item 1, key glow: must be a list of strings"),
        ("items = [{id=\"a\", glow=[\"b\", 1]}]", "key glow: entry 2 must be a string"),
        ("items = [{id=\"a\", bubble=[\"a b\"]}]", "key bubble: entry 1 must be a name"),
        ("items = [{id=\"a\"}]\narrow = [20]", "my.toml:6: component t, key arrow"),
    ]

    private static let navigation: [(String, String)] = [
        ("", "my.toml:2: component t, key root: is required"),
        ("root = \"\"", "my.toml:5: component t, key root: must be a name"),
        ("root = \"a b\"", "my.toml:5: component t, key root: must be a name"),
        ("root = 1", "component t, key root: must be a"),
        ("root = \"r\"\nduration = -0.1", "key duration: must be a number of seconds"),
        ("root = \"r\"\nduration = 3601", "key duration: must be a number of seconds"),
        ("root = \"r\"\nstart_delay = -1", "my.toml:6: component t, key start_delay: must be"),
        ("root = \"r\"\nremoval_lead = -1", "key removal_lead: must be a number of seconds"),
        ("root = \"r\"\nremoval_lead = 0.31", "key removal_lead: must not be above duration"),
        (
            "root = \"r\"\nduration = 0.1\nremoval_lead = 0.2",
            "my.toml:7: component t, key removal_lead: must not be above duration"
        ),
        ("root = \"r\"\nscale_in_from = -0.1", "key scale_in_from: must be a number from 0"),
        ("root = \"r\"\nscale_out_to = nan", "key scale_out_to: must be a number from 0"),
        ("root = \"r\"\nqueue = -1", "key queue: must be a whole number"),
        ("root = \"r\"\nqueue = 1025", "key queue: must be a whole number"),
        ("root = \"r\"\nqueue = 1.5", "key queue: must be a whole number"),
        ("root = \"r\"\nscale_out = 1", "did you mean \"scale_out_to\"?"),
    ]

    private static let list: [(String, String)] = [
        ("", "my.toml:2: component t, key rows: is required"),
        ("rows = -1", "my.toml:5: component t, key rows: must be a whole number"),
        ("rows = 1000001", "key rows: must be a whole number"),
        ("rows = 2.5", "key rows: must be a whole number"),
        ("rows = [1]", "component t, row 1: must be a table"),
        ("rows = \"3\"", "component t, key rows: must be a whole number, or a list of tables"),
        ("rows = [{ id = \"a\" }, { id = \"a\" }]", "row 2, key id: a is taken by another row"),
        ("rows = 2\nrow_height = 0", "my.toml:6: component t, key row_height: must be a number"),
        ("rows = 2\nrow_height = -70", "key row_height: must be a number above 0"),
        ("rows = 2\nstyle = \"slide\"", "key style: must be one of \"reveal\", \"push\""),
        ("rows = 2\nstyle = 1", "component t, key style: must be"),
        ("rows = 2\nduration = -1", "key duration: must be a number of seconds"),
        ("rows = 2\nbounce = -5", "key bounce: must be a number from 0"),
        ("rows = 2\nrow_heigth = 5", "did you mean \"row_height\"?"),
    ]

    private static let reader: [(String, String)] = [
        ("", "my.toml:2: component t, key pages: is required"),
        ("pages = 0", "my.toml:5: component t, key pages: must be a whole number from 1"),
        ("pages = -3", "key pages: must be a whole number from 1"),
        ("pages = 1000001", "key pages: must be a whole number from 1"),
        ("pages = 2.5", "key pages: must be a whole number from 1"),
        ("pages = \"2\"", "key pages: must be a whole number from 1"),
        ("pages = []", "my.toml:5: component t, key pages: must have at least one page"),
        ("pages = [\"One\", 2]", "key pages: entry 2 must be a string"),
        ("pages = 3\nstart = 3", "my.toml:6: component t, key start: must be a whole number"),
        ("pages = 3\nstart = -1", "key start: must be a whole number from 0 to 2"),
        ("pages = [\"One\"]\nstart = 1", "key start: must be a whole number from 0 to 0"),
        ("pages = 3\nsize = [320, 0]", "key size: must be [w, h], entry 2"),
        ("pages = 3\nsize = 320", "key size: must be [w, h]"),
        ("pages = 3\nheader_height = 0", "key header_height: must be a number above 0"),
        ("pages = 3\nfooter_height = -55", "key footer_height: must be a number above 0"),
        ("pages = 3\narrow = [13, 4, 21, 0]", "key arrow: must be [x, y, w, h], entry 4"),
        ("pages = 3\nduration = -0.1", "key duration: must be a number of seconds"),
        ("pages = 3\nduration = 3601", "key duration: must be a number of seconds"),
        ("pages = 3\nheader_hight = 5", "did you mean \"header_height\"?"),
    ]

    private static let ball = "items = [{id=\"ball\", center=[1, 2], size=[3, 4]}]\n"

    /// A behavior in line 6, by what it has beside its id.
    private static func behavior(_ rest: String) -> String {
        ball + "behaviors = [{id=\"b\", \(rest)}]"
    }

    private static let dynamics: [(String, String)] = [
        ("items = 1", "my.toml:5: component t, key items: must be a list of tables"),
        ("items = [1]", "my.toml:5: component t, item 1: must be a table"),
        ("items = [{}]", "my.toml:5: component t, item 1, key id: is required"),
        ("items = [{id=\"a\"}]", "my.toml:5: component t, item a, key center: is required"),
        (
            "items = [{id=\"a\", center=[nan, 0], size=[1, 1]}]",
            "my.toml:5: component t, item a, key center: must be [x, y], entry 1"
        ),
        (
            "items = [{id=\"a\", center=[0, 0], size=[0, 1]}]",
            "my.toml:5: component t, item a, key size: must be [w, h], entry 1"
        ),
        (
            "items = [{id=\"a\", center=[0, 0], size=[1, 1], rotation=inf}]",
            "my.toml:5: component t, item a, key rotation: must be a number within"
        ),
        (
            ball + "drag = 1",
            "my.toml:6: component t, key drag: must be true, false or \"one\""
        ),
        (behavior("kind=\"wind\""), "my.toml:6: component t, behavior b, key kind: must be one of"),
        (
            behavior("kind=\"snap\", item=\"bal\", point=[0, 0]"),
            "my.toml:6: component t, behavior b, key item: there is no item \"bal\""
        ),
        (
            behavior("kind=\"snap\", item=\"ball\", point=[0, 0], dampng=1"),
            "my.toml:6: component t, behavior b: unknown key \"dampng\", did you mean \"damping\"?"
        ),
        (
            behavior("kind=\"push\", items=[\"ball\"], mode=\"continuous\""),
            "my.toml:6: component t, behavior b, key dx: is required"
        ),
        (
            behavior("kind=\"push\", items=[\"ball\"], mode=\"continuous\", angle=1"),
            "behavior b, key angle: needs magnitude beside it"
        ),
        (
            behavior("kind=\"attachment\", item=\"ball\", to=\"ball\""),
            "behavior b, key to: an item cannot be attached to itself"
        ),
        (
            behavior("kind=\"attachment\", item=\"ball\", anchor=[0, 0], to_offset=[0, 0]"),
            "behavior b, key to_offset: needs to beside it"
        ),
        (
            behavior("kind=\"collision\", items=[\"ball\"], boundaries=[{id=\"a\", from=[0, 0]}]"),
            "my.toml:6: component t, behavior b, boundary 1, key to: is required"
        ),
        (
            behavior(
                "kind=\"field\", items=[\"ball\"], type=\"drag\", region={shape=\"union\", of=[]}"),
            "my.toml:6: component t, behavior b, region, key of: must have 2 to 2 entries"
        ),
        (
            ball + "behaviors = [{id=\"ball\", kind=\"group\", items=[\"ball\"]}]",
            "component t, behavior ball, key id: is taken by an item"
        ),
        (
            ball + "[[components.behaviors]]\nid = \"a\"\nkind = \"gravity\"\nitems = []\n"
                + "[[components.behaviors]]\nid = \"a\"\nkind = \"gravity\"\nitems = []",
            "component t, behavior a, key id: is taken by another behavior"
        ),
        (
            ball + "[[components.behaviors]]\nid = \"a\"\nkind = \"gravity\"\nitems = []\n"
                + "magnitude = \"1\"",
            "my.toml:10: component t, behavior a, key magnitude: must be a number within"
        ),
    ]
}
