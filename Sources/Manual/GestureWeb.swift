extension Program {
    /// The bridge for browsers, for its help, its page and its completion.
    package static let gestureWeb = Program(
        name: "gesture-web", section: 8, summary: "page and WebSocket bridge of gestured",
        synopsis: [
            """
            [--listen ADDRESS] [--events EP] [--updates EP] [--control EP,...]
            [--key FILE] [--server-key KEY] [--files DIR] [--origin URL]...
            [--read-only] [--token-file FILE] [--open-to-network]
            """,
            "--version | --help",
        ],
        description:
            "Serves a page to look at and touch, and carries WebSocket messages to gestured.",
        options: [
            Option(
                "--listen", "ADDRESS",
                "where browsers connect (127.0.0.1:7480); a port of * takes a free one"),
            Option("--events", "EP", "where gestured takes events (GESTURED_EVENTS)"),
            Option("--updates", "EP", "where it publishes updates (GESTURED_UPDATES)"),
            Option(
                "--control", "EP,...",
                "where it answers requests, or some of a cluster (GESTURED_CONTROL)"),
            Option("--key", "FILE", "the secret certificate for tcp:// endpoints (GESTURED_KEY)"),
            Option(
                "--server-key", "KEY|FILE", "gestured's public key, or a file (GESTURED_SERVER_KEY)"
            ),
            Option("--files", "DIR", "the page's folder, instead of the installed one"),
            Option("--origin", "URL", "lets pages of another origin in, e.g. https://example.org"),
            Option("--ping", "SECONDS", "asks a client for a sign of life after so long (20)"),
            Option("--read-only", nil, "refuses events and requests that change something"),
            Option("--token-file", "FILE", "lets in who shows the secret in this file, by a link"),
            Option(
                "--open-to-network", nil, "lets all who can connect do everything"),
            Option("--version", nil, "show the version"),
            Option("--help", nil, "show this help"),
        ],
        examples: [
            Example("gesture-web", "serve http://127.0.0.1:7480/ for the gestured beside it"),
            Example(
                "gesture-web --read-only --origin https://motion.example",
                "show motion, and let nobody change it, behind a proxy of that name"),
            Example(
                "gesture-web --listen '*:7480' --token-file /etc/gestured/web-token",
                "let in those who have the link that it prints"),
        ],
        parts: [access, signals, environment, exitStatus, files],
        related: ["gestured(8)", "gesturectl(1)", "systemd.service(5)"])

    private static let access = Part(
        "ACCESS",
        """
        Programs that connect are not told apart: whoever can connect can do all that gestured
        lets its peers do, or with --read-only see all. Keep it on the loopback interface, or
        behind a proxy that asks for names.

        An address of --listen that other machines reach, and * for all addresses, needs one of
        three options, or it does not start. With --token-file only who has the link that the ready
        line prints gets in: the file holds a secret of 16 to 128 letters, digits and . _ ~ - that
        nobody else may read, and a browser keeps it in a cookie. With --read-only everybody may
        look. With --open-to-network everybody may do everything. Nothing is encrypted.

        A browser is let in if its page comes from gesture-web itself or from an --origin. The name
        by which it calls must be an address, localhost, the name of this machine or that of an
        --origin, so that no foreign page can reach it under a name of its own. Each refusal is
        told on standard error, once in ten minutes, with the option that would let it in.
        """)

    private static let signals = Part(
        "SIGNALS",
        items: [("SIGTERM, SIGINT", "close all clients with code 1001, and end.")])

    private static let environment = Part(
        "ENVIRONMENT",
        items: [
            (
                "GESTURED_EVENTS, GESTURED_UPDATES, GESTURED_CONTROL",
                "the endpoints that no option names; without them tcp://127.0.0.1:7411, :7412 and "
                    + ":7413."
            ),
            (
                "GESTURED_KEY, GESTURED_SERVER_KEY",
                "the keys, where --key and --server-key do not name them."
            ),
            (
                "NOTIFY_SOCKET, WATCHDOG_USEC",
                "set by the service manager, which is then told how it goes."
            ),
        ])

    private static let exitStatus = Part(
        "EXIT STATUS",
        items: [
            ("0", "it was told to end."), ("1", "it cannot go on; one line says why."),
            (
                "2",
                "it cannot start: a bad argument, a port that is taken, a folder without a page. "
                    + "One line on standard error says which."
            ),
        ])

    private static let files = Part(
        "FILES",
        items: [
            ("/usr/share/gesture-web/", "the page and its parts, unless --files names others."),
            ("/run/gestured/", "the service's sockets, for members of the group gestured."),
        ])
}
