/// One kind of recording: how its files are recognized, and how they are read.
///
/// This folder has one file for each format; `Reading` tries `all` from the first to the last.
/// To add a format, add a file here that extends this type by a `static let`, and name it in
/// `all`: messages, help and commands follow. `CONTRIBUTING.md` has a worked example.
package struct RecordingFormat: Sendable {
    /// The formats that can be read. The first that recognizes a file reads it.
    package static let all: [RecordingFormat] = [
        .wheel, .ours, .stroke, .evemu, .evtest, .libinput, .getevent, .flicks,
    ]

    /// Its name in messages and in the help: `a wheel log (JSON)`.
    package let title: String
    /// Whether a whole screen is mapped to the viewport; else the file itself is in points.
    package var fillsViewport = true
    /// Recognizes a file by its first line that is neither blank nor a comment.
    ///
    /// `beginning` is the file's first 64 KiB, for formats whose first line says too little.
    let isFirstLine: @Sendable (_ line: ArraySlice<UInt8>, _ beginning: ArraySlice<UInt8>) -> Bool
    /// Recognizes a file by a comment before that line, for formats that name themselves there.
    var isComment: @Sendable (_ line: ArraySlice<UInt8>) -> Bool = { _ in false }
    /// Reads a whole file. Comments at its beginning are blank already.
    let read:
        @Sendable (_ bytes: [UInt8], _ options: ReadingOptions, _ diagnostics: inout Diagnostics)
            throws(RecordingError) -> Recording
    /// Reads what a file says of its devices; nil where the format describes none.
    var readDevices:
        (
            @Sendable (_ bytes: [UInt8], _ diagnostics: inout Diagnostics) throws(RecordingError)
                -> [Axes]
        )?
}

extension RecordingFormat: Equatable {
    /// Titles are unique.
    package static func == (one: RecordingFormat, other: RecordingFormat) -> Bool {
        one.title == other.title
    }

    /// The bytes at the beginning in which a file must show what it is.
    static let beginningBytesMax = 65_536

    /// Finds the format of a file by its content; its name says nothing.
    package init(of bytes: [UInt8], file: String) throws(RecordingError) {
        var diagnostics = Diagnostics(file: file, keepsGoing: false)
        let beginning = Array(bytes.prefix(Self.beginningBytesMax))
        // Some shells write so what a program prints.
        if beginning.starts(with: [0xFF, 0xFE]) || beginning.starts(with: [0xFE, 0xFF]) {
            throw diagnostics.error(1, "the file is UTF-16; a recording must be UTF-8")
        }
        var lines = Lines(of: beginning, bytesMax: Self.beginningBytesMax)
        var firstComment: Int?
        while let line = try lines.next(&diagnostics) {
            // A zero further below spoils its own line only: a crash leaves files that end so.
            if line.contains(0) {
                throw diagnostics.error(lines.number, "a binary file, not a recording")
            }
            let isComment = line.first == UInt8(ascii: "#")
            if isComment && firstComment == nil { firstComment = lines.number }
            let found = Self.all.first {
                isComment ? $0.isComment(line) : $0.isFirstLine(line, beginning[...])
            }
            if let found {
                self = found
                return
            }
            if isComment { continue }
            throw diagnostics.error(
                lines.number,
                "not a known kind of recording: '\(line.excerpt)'; known are \(Self.titles)")
        }
        guard let firstComment else { throw diagnostics.error(1, "the file is empty") }
        throw diagnostics.error(firstComment, "the file has only comments")
    }

    /// All titles as one phrase: `a, b or c`.
    package static var titles: String {
        let titles = all.map(\.title)
        return titles.dropLast().joined(separator: ", ") + " or " + (titles.last ?? "")
    }
}
