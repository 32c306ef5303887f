import Manual

extension Command {
    package static let bridgeEvdev = Command(
        name: "bridge evdev", arguments: "DEVICE...",
        summary: "Send touches, mice and wheels of Linux' input devices to a session",
        details: """
            A DEVICE is a file such as /dev/input/event3; read it as a member of the group input.
            Several devices play together. A recording of evemu-record, or - for one on standard
            input, plays at its own pace, and the bridge ends after the last one.

            Touchscreens and touchpads (multitouch protocols A and B, or a single contact) become
            raw contacts. Their whole range is the session's viewport, also after it was resized,
            unless --area and --turn say otherwise. Palms, and fingers and pens above the surface,
            touch nothing. A mouse moves a pointer within the viewport; its left button is a
            contact. A notch of a wheel becomes a `wheel` of --notch points; finer wheels send parts
            of it. A contact that rests is repeated. A device that is unplugged loses its contacts,
            and is tried again.

            \(bridgeDetails)
            """,
        options: touchOptions + [
            Option("--grab", nil, "take the devices for this bridge alone"),
            Option("--notch", "POINTS", "points of a wheel's notch (default 48: 3 lines)"),
        ] + bridgeOptions,
        examples: [
            (
                "gesturectl bridge evdev --session alice /dev/input/event3",
                "touch alice with a touchscreen"
            ),
            (
                "gesturectl bridge evdev --session alice two-fingers.evemu",
                "touch alice as the recorded hand did"
            ),
        ],
        part: { _ in .bridges }
    )
}
