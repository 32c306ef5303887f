extension Program {
    /// The bridge for browsers, for its help, its page and its completion.
    package static let gestureWeb = Program(
        name: "gesture-web", section: 8, summary: "page and WebSocket bridge of gestured",
        synopsis: [
            """
            [--listen ADDRESS] [--events EP] [--updates EP] [--control EP]
            [--files DIR] [--origin URL]... [--read-only]
            """,
            "--version | --help",
        ],
        description:
            "Serves a page to look at and touch, and carries WebSocket messages to gestured.",
        options: [
            Option(
                "--listen", "ADDRESS",
                "where browsers connect (127.0.0.1:7480); a port of * takes a free one"),
            Option("--events", "EP", "where gestured takes events (tcp://127.0.0.1:7411)"),
            Option("--updates", "EP", "where it publishes updates (tcp://127.0.0.1:7412)"),
            Option("--control", "EP", "where it answers requests (tcp://127.0.0.1:7413)"),
            Option("--files", "DIR", "the page's folder, instead of the installed one"),
            Option("--origin", "URL", "lets pages of another origin in, e.g. https://example.org"),
            Option("--ping", "SECONDS", "asks a client for a sign of life after so long (20)"),
            Option("--read-only", nil, "refuses events and requests that change something"),
            Option("--version", nil, "show the version"),
            Option("--help", nil, "show this help"),
        ],
        examples: [
            Example("gesture-web", "serve at http://127.0.0.1:7480/, for the gestured beside it")
        ],
        parts: [],
        related: ["gestured(8)", "gesturectl(1)"])
}
