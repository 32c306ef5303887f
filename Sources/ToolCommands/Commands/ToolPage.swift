import Commands
import Manual

extension Tool {
    /// The tool's own manual page and completion.
    static let program = Program(
        name: "gesturectl", section: 1, summary: "speaks to gestured, the motion server",
        synopsis: ["[OPTIONS] COMMAND [ARGUMENTS]", "COMMAND --help", "--version"],
        description: """
            gesturectl publishes events to gestured, shows the updates that result, and sends the
            requests of its protocol. Data goes to standard output, words for a person to standard
            error.
            """,
        options: Command.commonOptions + [Command.version],
        commands: Command.all.map(\.described), examples: [],
        parts: [
            Program.Part(
                "ENDPOINTS",
                """
                \(endpointOrder)

                The service on this machine is found by its sockets in /run/gestured, if you may \
                write to them (join the group gestured), else by its configuration in \
                /etc/gestured; the instance NAME by /run/gestured-NAME and /etc/gestured/NAME.toml.
                """),
            Program.Part(
                "PARTS",
                """
                Two programs draw and bridge, since they need libraries for graphics and devices. \
                gesturectl starts them: gesturectl-pictures for render, plot and watch --draw, \
                gesturectl-bridges for bridge. They stand in gesturectl's own folder, or in \
                lib/gestured beside it, and each has a package of its name.
                """),
            Program.Part(
                "EXIT STATUS",
                items: [
                    ("0", "done, or nobody reads the output any more."),
                    (
                        "1",
                        """
                        the daemon is not there, refused, or did not answer in time; or an \
                        expectation of simulate is not met.
                        """
                    ),
                    ("2", "the command line or a file is wrong."),
                ]),
            Program.Part(
                "ENVIRONMENT",
                items: [
                    (
                        "GESTURED_PUSH, GESTURED_EVENTS, GESTURED_UPDATES, GESTURED_CONTROL",
                        "the endpoints, where neither an option nor --instance names them."
                    ),
                    ("GESTURED_INSTANCE", "the instance of the service, where no option names it."),
                    (
                        "GESTURED_KEY, GESTURED_SERVER_KEY",
                        "the client's secret certificate and the daemon's public key, where no "
                            + "option names them; for tcp:// endpoints alone."
                    ),
                    (
                        "GESTURED_SCENES",
                        "the folder of scenes for simulate, render, plot and convert."
                    ),
                    ("GESTURED_PYTHON", "the Python that simulate writes Parquet with (python3)."),
                    ("NO_COLOR", "if set, nothing is colored, and watch --draw draws with dots."),
                    ("TERM, COLORTERM", "the terminal, for colors and the pixels of watch --draw."),
                ]),
        ],
        related: ["gestured(8)", "gestured.toml(5)"])
}
