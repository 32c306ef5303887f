import Manual

extension Command {
    package static let bridgeTUIO = Command(
        name: "bridge tuio", arguments: "",
        summary: "Carry a touch table's contacts and tokens into a session, by TUIO",
        details: """
            Trackers send TUIO 1.1 (/tuio/2Dcur, /tuio/2Dobj) or TUIO 2.0 (/tuio2/ptr, /tuio2/tok)
            to this UDP port. Their contacts touch the session, and marked objects lie there as
            tokens: the whole table is its viewport, unless --area and --turn say otherwise. Several
            trackers may send at once; one that gives no name is told by its address, whatever its
            port. A tracker that is silent for 3 s loses its contacts and tokens. A contact that was
            down when the daemon or the session went must be lifted before it touches again. A token
            that lies there is put again.

            \(bridgeDetails)
            """,
        options: touchOptions + [
            Option(
                "--listen", "ADDRESS[:PORT]",
                "where to receive, also udp:// (default 127.0.0.1)"),
            Option("--port", "N", "the UDP port (default 3333); 0: a free one"),
        ] + bridgeOptions,
        examples: [
            ("gesturectl bridge tuio --session table", "let trackers on this machine touch table"),
            (
                "gesturectl bridge tuio --session table --listen 192.0.2.7 --turn 180",
                "take a tracker of the network, mounted upside down"
            ),
        ],
        part: { _ in .bridges }
    )
}
