package import Commands

/// The commands of gesturectl, one file each.
///
/// A file holds all of its command: name, arguments, summary, details, options, examples, and the
/// closure that runs it. Help, manual page and completion are made of that; `Tool` finds the
/// command, reads its arguments and hands it a `Context`. A command prints data with
/// `Console.printLine` and words for a person with `Console.printError`, and ends early only by
/// throwing a `Failure`, which names the exit status.
///
/// `Commands/Descriptions` describes the commands that a part of the tool performs (`ToolPart`).
///
/// To add a command, add a file here and its name to `all`. `CONTRIBUTING.md` has a worked example.
extension Command {
    /// In the order of the help.
    package static let all: [Command] = [
        .hello, .sessions, .open, .update, .close, .scenes, .snapshot, .export, .import,
        .stats, .top, .check, .peers, .members, .locate, .bench,
        .publish, .watch.running(watchUpdates), .tap, .record, .replay, .simulate, .render, .plot,
        .convert, .schema, .bridgeTUIO, .bridgeEvdev, .bridgeMQTT, .bridgeBadge, .storeCopy,
        .keygen, .completion,
    ]

    /// Commands that only scripts call; the help leaves them out.
    package static let hidden: [Command] = [.manual, .complete]
}
