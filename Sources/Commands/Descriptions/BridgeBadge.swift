import Manual

extension Command {
    package static let bridgeBadge = Command(
        name: "bridge badge", arguments: "",
        summary: "Run a command at each change of a session's count",
        details: """
            The shell runs CMD with the total as $1, and in its environment GESTURED_SESSION,
            GESTURED_TOTAL and GESTURED_COUNTS, the counts by kind as a JSON object. It runs once
            for the present total, then for each that differs. One command runs at a time; of the
            totals that come meanwhile the newest of each session wins. Without --session it tells
            of all sessions.

            After SIGTERM or SIGINT the command that runs, and then those for the totals that wait,
            have 12 s to end; a second signal kills them at once. If the bridge itself is killed,
            the shell that runs CMD is killed, too.

            \(bridgeDetails)
            """,
        options: [
            Option("--command", "CMD", "the command, for /bin/sh"),
            Option("--session", "SESSION", "tell of this session alone"),
            Option("--kill-after", "SECONDS", "how long the command may take (default 10)"),
        ] + bridgeOptions,
        examples: [
            (
                "gesturectl bridge badge --session alice --command 'echo $1 > count.txt'",
                "keep alice's total in a file"
            ),
            (
                "gesturectl bridge badge --command 'notify-send \"$GESTURED_SESSION: $1\"'",
                "show every change on the desktop"
            ),
        ],
        part: { _ in .bridges }
    )
}
