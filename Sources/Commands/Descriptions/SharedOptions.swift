package import Manual

/// The descriptions of the commands that are performed, wholly or in part, by a part of the tool:
/// gesturectl lists them in its help, its manual page and its completions, and the part reads its
/// arguments by them.
extension Command {
    /// The options of all commands that read recordings: they add what a file lacks.
    package static let sourceOptions = [
        Option("--session", "SESSION", "the session (other formats: default demo)"),
        Option(
            "--component", "C", "other formats: the component, or '' (default toss; a wheel: list)"
        ),
        Option("--scene", "SCENE|FILE", "the scene (other formats: default phone)"),
        Option("--viewport", "WxH", "other formats: points of the viewport (default: the scene's)"),
        Option("--scale", "X", "other formats: points of a unit (default: fill the viewport)"),
        Option("--screen", "WxH", "touchscreens: the screen's size in its own units"),
        Option("--device", "FILE", "touchscreens: a file that describes the screen"),
        Option("--keep-going", nil, "leave out lines that cannot be read, and name them"),
    ]

    /// The options for reading the recording of a picture: all but those that pictures use in
    /// another way.
    static let filmOptions = sourceOptions.filter { !["--session", "--scale"].contains($0.name) }

    /// The options of bridges that touch a session.
    static let touchOptions = [
        Option("--session", "SESSION", "the session to touch"),
        Option("--scene", "SCENE", "opens the session if nobody has (default phone)"),
        Option("--area", "L,T,R,B", "the part of the device under the viewport (default 0,0,1,1)"),
        Option("--turn", "DEGREES", "turn of the picture on the device: 0, 90, 180 or 270"),
    ]

    /// The options of all bridges.
    static let bridgeOptions = [
        Option("--statistics", "SECONDS", "print the counters this often (default: at the end)")
    ]

    /// Explains to a person how every bridge behaves.
    static let bridgeDetails = """
        It runs until SIGTERM or SIGINT, then prints its counters on standard error and ends with
        status 0. SIGUSR1 prints them at any time. Malformed input is counted, never fatal. A daemon
        that is not there yet, or goes and comes back, is waited for.
        """
}
