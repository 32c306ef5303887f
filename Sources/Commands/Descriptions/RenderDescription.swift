import Manual

extension Command {
    package static let render = Command(
        name: "render", arguments: "FILE",
        summary: "Draw a recording as a picture, a filmstrip or an animation",
        details: """
            Runs a recording on virtual time, as simulate does, and draws what a client would show.
            The ending of the output's name says what is made: .png and .svg a still (--at) or a
            filmstrip (--frames, or several times at --at), whose panels show faintly where the
            views were before; .webp an animation, or a still with --at. Needs no daemon. The same
            file always gives the same bytes, with the same fonts. FILE is any recording that
            replay accepts; - is standard input.

            At most 64 panels, 3600 frames, and pictures of 16383 pixels a side.
            """,
        usesDaemon: false,
        options: [
            Option("--output", "FILE", "the picture to write: .png, .svg or .webp"),
            Option(
                "--at", "SECONDS,…", "a still so long after the first event, or a strip of some"),
            Option("--frames", "N", "a strip of so many stills (default 8)"),
            Option("--skins", "N", "a strip: ghosts of earlier moments in each (default 4)"),
            Option("--from", "SECONDS", "where strip and animation begin (default 0)"),
            Option("--to", "SECONDS", "where they end (default: the recording's end)"),
            Option("--rate", "N", "an animation's frames a second, 1 to 60 (default 30)"),
            Option("--speed", "X", "times as fast as the recording (default 1)"),
            Option("--loops", "N", "how often an animation plays (default 0: for ever)"),
            Option("--quality", "N", "an animation's, 0 to 100 (default 75)"),
            Option("--session", "SESSION", "draw this one (default: the one that is played)"),
            Option("--scale", "X", "pixels of a point (default 2; a strip, an animation: 1)"),
            Option("--theme", "light|dark", "the color around the screen (default light)"),
            Option("--captions", nil, "show the recording's captions below"),
            Option("--touches", nil, "show the hands, each in its color, with the user's name"),
            Option("--scenes", "DIR", "the folder of scenes that a recording may name"),
        ] + filmOptions,
        examples: [
            ("gesturectl render toss.jsonl --at 0.6 -o toss.png", "draw one moment"),
            (
                "gesturectl render toss.jsonl --from 0.3 --to 1.4 --frames 6 -o toss.svg",
                "draw a throw as six moments, with what lies between them"
            ),
            (
                "gesturectl render tour.jsonl --captions --rate 15 -o tour.webp",
                "make an animation of the tour"
            ),
        ],
        part: { _ in .pictures }
    )
}
