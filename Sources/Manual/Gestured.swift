extension Program {
    /// The daemon, for its help, its page and its completion.
    package static let gestured = Program(
        name: "gestured", section: 8, summary: "motion server",
        synopsis: [
            """
            --config FILE [--events EP]... [--updates EP]... [--control EP]...
            [--push EP]... [--state-dir DIR]
            """,
            "--check --config FILE", "--check-scene FILE [--check-scene FILE]...",
            "--version | --help",
        ],
        description:
            "The motion server: gesture and notification events in, view states out, over ZeroMQ.",
        options: [
            Option(
                "--config", "FILE",
                "the configuration (TOML); gestured.toml(5) explains every key"),
            Option(
                "--events", "EP",
                "where events are taken, e.g. tcp://127.0.0.1:7411; replaces the file's"),
            Option("--updates", "EP", "where updates are published"),
            Option("--control", "EP", "where requests are answered; a port of * takes a free one"),
            Option(
                "--push", "EP",
                "where a PUSH sends events; without it beside the endpoints of --events"),
            Option("--state-dir", "DIR", "where state is kept; one daemon at a time"),
            Option(
                "--check", nil,
                "say what a start would refuse, warn of endpoints in use: exit 0 or 2"),
            Option(
                "--check-scene", "FILE",
                "say all that is wrong with a scene, up to 100 errors: exit 0 or 2"),
            Option("--version", nil, "show the version"),
            Option("--help", nil, "show this help"),
        ],
        examples: [
            Example(
                "gestured --config /etc/gestured/gestured.toml",
                "run as the service does, in the foreground"),
            Example(
                "gestured --check --config gestured.toml",
                "say all that is wrong with a file, by line and key, before it is used"),
            Example(
                "gestured --check-scene ./pendulum.toml",
                "say all that is wrong with a scene, by line and key"),
            Example(
                "gestured --config gestured.toml --events 'tcp://127.0.0.1:*' --state-dir ./state",
                "take a free port for events, and keep state here"),
        ],
        parts: [endpoints, signals, exitStatus, environment, files],
        related: ["gesturectl(1)", "gestured.toml(5)", "systemd.service(5)"])

    private static let endpoints = Part(
        "ENDPOINTS",
        """
        An endpoint is tcp://ADDRESS:PORT, or ipc://PATH for a socket in the file system. An
        option that is given several times names several; they replace those of the file.

        Peers are not told apart: whoever can connect can do all that there is to do. Keep
        endpoints on the loopback interface, or on ipc:// in a folder that only some can enter.
        """)

    private static let signals = Part(
        "SIGNALS",
        items: [
            ("SIGTERM, SIGINT", "end in order: what has settled is written before it exits."),
            (
                "SIGHUP",
                "read the configuration, the scenes and the keys again; where one of them is bad, "
                    + "nothing changes and the log says why. Sessions go on."
            ),
        ])

    private static let exitStatus = Part(
        "EXIT STATUS",
        items: [
            ("0", "it was told to end, or the file is good."),
            (
                "2",
                "it cannot start: a bad argument or file, an endpoint or a state directory that is "
                    + "taken. One line on standard error says which."
            ),
        ])

    private static let environment = Part(
        "ENVIRONMENT",
        items: [
            (
                "STATE_DIRECTORY, XDG_STATE_HOME, HOME",
                "where state is kept if neither the option nor the file says: the first as it is, "
                    + "below the second gestured, below the third .local/state/gestured."
            ),
            ("CREDENTIALS_DIRECTORY", "the folder in which the service manager leaves its key."),
            (
                "NOTIFY_SOCKET, WATCHDOG_USEC",
                "set by the service manager, which is then told how it goes."
            ),
        ])

    private static let files = Part(
        "FILES",
        items: [
            ("/etc/gestured/gestured.toml", "the service's configuration."),
            ("/etc/gestured/scenes/", "its scenes, one TOML file each."),
            ("/etc/gestured/NAME.toml", "the configuration of the instance gestured@NAME."),
            ("/etc/credstore/gestured.key", "the service's key; gestured-NAME.key an instance's."),
            ("/run/gestured/", "its sockets, for members of the group gestured; gestured-NAME."),
            ("/var/lib/gestured/", "its state: gestured.db; gestured-NAME an instance's."),
        ])
}
