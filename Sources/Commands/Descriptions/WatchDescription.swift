import Manual

extension Command {
    package static let watch = Command(
        name: "watch", arguments: "[PREFIX…]",
        summary: "Print the present state, then every update",
        details: """
            Prints the updates of all topics that begin with one of the prefixes; without a prefix,
            all but frames, which tell the states once more, and touches. A prefix that names a
            session, such as state/alice, prints that session's snapshot first; a shorter one prints
            the snapshots of all open sessions. Missed updates, restarts, and a daemon that falls
            silent or comes back are reported on standard error. It waits for a daemon that is gone.
            An interruption ends it with status 0.

            With --draw the arguments are a SESSION (by default the only open one) and, if wanted,
            some of its components. They are drawn on the terminal as a client would show them:
            by sixels or kitty's graphics where the terminal has these, elsewhere by blocks in
            colors, and by dots where NO_COLOR is set. Every hand that touches the session is a disc
            in its own color, with the person's name where that is known. Beside the picture stand
            the components' phases, the counts and the last transitions. q ends it.

            With --format an update is the line that a template says: %t is its topic, %k the
            topic's kind, %s its session, %c its component, %b its body as JSON, %l the same as
            text, %n its number (seq), %e its epoch, %T its instant as ISO 8601, %U in seconds since
            1970, %R when it was received, %D the milliseconds between both, and %{FIELD} a field of
            its body, such as %{phase} or %{views.item.x}. As in printf, %-20t fills up to 20 cells
            and %8.2{views.item.x} rounds to two decimals. %% is the sign; \\n and \\t are a line's
            end and a tab.
            """,
        options: [
            Option(
                "--format", "text|json|T", "lines for a person, JSON, or a template, '%T %s %b'"),
            Option("--json", nil, "one {\"topic\",\"body\"} a line, as --format json"),
            Option("--timestamps", nil, "begin each line with the time of its receipt"),
            Option("--quiet", nil, "say nothing of gaps, restarts and silence"),
            Option("--count", "N", "end after this many updates"),
            Option("--for", "SECONDS", "end after this time"),
            Option(
                "--draw", nil, "draw a session's views, up to 30 times a second",
                arguments: "[SESSION] [COMPONENT…]"),
            Option("--frames", "N", "with --draw: print this many frames as text"),
            Option("--size", "CxR", "with --draw: columns and rows (default: the terminal's)"),
            Option(
                "--captions", "FILE",
                "with --draw: show the newest line of FILE, as replay writes it"),
            Option("--link", "URL", "with --draw: show this address; o opens it in a browser"),
        ],
        examples: [
            ("gesturectl watch state/alice badge/alice", "follow alice's views and counts"),
            ("gesturectl watch --count 1 heartbeat", "wait for one heartbeat, then end"),
            ("gesturectl watch --json state/ > frames.jsonl", "save the states of all sessions"),
            (
                "gesturectl watch -tn 5 transition/alice/",
                "print five transitions, each with the time of its receipt"
            ),
            (
                "gesturectl watch -f '%U %c %8.1{views.item.x}' state/alice/toss",
                "print the way of one view, line by line"
            ),
            ("gesturectl watch --draw alice", "see what alice sees"),
            ("gesturectl watch --draw alice toss --frames 1", "print one frame of one component"),
        ],
        part: { $0.has("--draw") ? .pictures : nil }
    )
}
