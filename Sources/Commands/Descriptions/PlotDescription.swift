import Manual

extension Command {
    package static let plot = Command(
        name: "plot", arguments: "FILE",
        summary: "Draw how fields of a recording's states change over time",
        details: """
            Runs a recording on virtual time, as simulate does, and draws the wanted fields: one
            panel for each unit (pt, rad, none) over the time in seconds, transitions as bands
            behind the lines, phases as a row below them. Needs no daemon. FILE is any recording
            that replay accepts; - is standard input.

            A field is COMPONENT.VIEW.NUMBER with x, y, w, h, rotation, scale, alpha or z as its
            number, or COMPONENT.model.NAME. A line ends where its view is absent.
            """,
        usesDaemon: false,
        options: [
            Option("--field", "F,…", "the fields, at most 32, such as toss.item.x,toss.item.y"),
            Option("--output", "FILE", "the picture to write: .svg or .png"),
            Option("--from", "SECONDS", "where the plot begins (default 0)"),
            Option("--to", "SECONDS", "where it ends (default: the recording's end)"),
            Option("--session", "SESSION", "plot this one (default: the first with the field)"),
            Option("--frame-rate", "N", "30, 60 or 120, if the scene names none (default 60)"),
            Option("--scale", "X", "pixels of a point (default 1; .png: 2)"),
            Option("--theme", "light|dark", "the color behind (default light)"),
            Option("--scenes", "DIR", "the folder of scenes that a recording may name"),
        ] + filmOptions,
        examples: [
            (
                "gesturectl plot toss.jsonl --field toss.item.x,toss.item.rotation -o toss.svg",
                "see how a thrown view flies, turns and returns"
            ),
            (
                "gesturectl plot profile.jsonl --field profile.model.offset -o scroll.png",
                "see how a scroll slows down and springs back"
            ),
        ],
        part: { _ in .pictures }
    )
}
