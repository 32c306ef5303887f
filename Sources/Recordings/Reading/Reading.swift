package import Notation
import Protocol

/// The recording in a file of any known format, with notes about the file.
///
/// `Recordings` turns files of events into `Recording` values. A file passes its rooms in this
/// order: `Formats` recognizes it, and the one format reads it. Formats of raw contacts hand their
/// events to `Contacts`, which makes gestures of them. All of them use `Reading` for lines, cells
/// and diagnostics. `Recording` is the result, and the text of this project's own format.
/// A new format touches `Formats` alone. `Recording+Text` writes a file format: keep its bytes.
package struct Reading: Sendable {
    package var format: RecordingFormat
    package var recording: Recording
    /// Lines for a person: what was left out, and what was mended.
    package var notes: [String]

    /// Reads a whole file; `file` is its name in errors.
    package init(
        _ bytes: [UInt8], file: String, options: ReadingOptions = ReadingOptions()
    ) throws(RecordingError) {
        var diagnostics = Diagnostics(file: file, keepsGoing: options.keepsGoing)
        format = try RecordingFormat(of: bytes, file: file)
        recording = try format.read(bytes.withoutHeadComments, options, &diagnostics)
        if let scene = options.scene { recording.scene = scene }
        let isEmpty = recording.events.isEmpty && recording.captions.isEmpty
        // A recording of ours may have no events yet, unless they were left out.
        if isEmpty && (format != .ours || diagnostics.skipped > 0) {
            // A file in which something was left out is a recording, though nothing of it is left.
            let words =
                diagnostics.hasLeftOut
                ? format.wordsWithoutEvents : format.words(without: bytes, file)
            throw diagnostics.nothingLeft(diagnostics.error(1, words))
        }
        notes = diagnostics.messages
        if options.scene == nil { notes += recording.missingSceneNotes(file: file) }
    }
}

extension Recording {
    /// Notes for a person about sessions whose scenes are missing: the first ones by their lines.
    fileprivate func missingSceneNotes(file: String) -> [String] {
        let named = missingScenes.prefix(Diagnostics.namedMax).map {
            "\(file):\($0.line): the scene of session \($0.session) is missing: it is played in "
                + "another one; --scene SCENE|FILE names one"
        }
        let rest = missingScenes.count - named.count
        return rest > 0 ? named + ["\(file): \(counted(rest, "more scene")) missing"] : named
    }
}

extension RecordingFormat {
    fileprivate var wordsWithoutEvents: String { "no events in the file: \(title)" }

    /// Why nothing can be played of a file of this format.
    fileprivate func words(without bytes: [UInt8], _ file: String) -> String {
        var silent = Diagnostics(file: file, keepsGoing: true)
        let axes = try? readDevices?(bytes.withoutHeadComments, &silent)
        guard let axes, axes.contains(where: { $0 != Axes() }) else {
            return wordsWithoutEvents
        }
        return "the file describes a device and has no events of contacts (\(title)); give it to "
            + "--device beside a recording of that device"
    }
}

/// Facts that a person adds to a file without them.
package struct ReadingOptions: Sendable {
    /// The session of the events; nil: `demo`, or in a recording of ours the sessions it names.
    package var session: String?
    /// The component of the gestures; nil: the format's own default. Empty: the session, which
    /// finds out who is meant.
    package var component: String?
    /// The scene that the recording names; nil: a recording of ours keeps the scene it names.
    package var scene: Node?
    /// The viewport in points, to which a whole screen is mapped.
    package var viewport = (width: 320.0, height: 568.0)
    /// Points of a unit, instead of the mapping to the viewport.
    package var scale: Double?
    /// The screen's size in its own units, whatever the file says.
    package var screen: (width: Int, height: Int)?
    /// The axes of another file, for a file that describes none.
    package var device: Axes?
    /// Whether lines that cannot be read are left out.
    package var keepsGoing = false

    package init() {}

    /// The topic of the gestures, for the component that the person names or else this one.
    func topic(component: String = "toss") -> [UInt8] {
        let aim = self.component ?? component
        return Array("gesture/\(session ?? "demo")\(aim.isEmpty ? "" : "/\(aim)")".utf8)
    }
}

extension Axes {
    /// Reads the axes of the first device that a file describes.
    package init(parsing bytes: [UInt8], file: String) throws(RecordingError) {
        var diagnostics = Diagnostics(file: file, keepsGoing: false)
        let format = try RecordingFormat(of: bytes, file: file)
        guard let readDevices = format.readDevices else {
            throw diagnostics.error(1, "\(format.title) describes no device")
        }
        let devices = try readDevices(bytes.withoutHeadComments, &diagnostics)
        guard let axes = devices.first(where: { $0 != Axes() }) else {
            throw diagnostics.error(1, "the file describes no axes")
        }
        self = axes
    }
}
