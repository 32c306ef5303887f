package import Notation
import Protocol

/// What a recording of another kind does not say itself.
package struct ReadingOptions: Sendable {
    /// For which session; ours are moved there whatever sessions they are of.
    package var session: String?
    /// For which component. Nil: `list` for a wheel, `toss` for contacts and strokes.
    package var component: String?
    /// The scene that the recording shall name; ours keep what they say where this is nil.
    package var scene: Node?
    /// In points, what a whole screen is mapped to.
    package var viewport = (width: 320.0, height: 568.0)
    /// Points of a unit, instead of the screen's mapping to the viewport.
    package var scale: Double?
    /// Units of the screen, whatever the file says.
    package var screen: (width: Int, height: Int)?
    /// The axes of another file, for one that describes none.
    package var device: Axes?
    /// The offset at which a wheel's scrolling begins, in points.
    package var offset = 0.0
    /// Points of what a wheel scrolls; nil: without an end.
    package var contentHeight: Double?
    /// Whether lines that cannot be read are left out.
    package var keepsGoing = false

    package init() {}
}

/// A recording of any known kind, and what there is to say of its file.
package struct Reading: Sendable {
    package var format: RecordingFormat
    package var recording: Recording
    /// Whole lines for a person: what was left out, and what was mended.
    package var notes: [String]

    /// Reads a whole file, told by its content; `file` is what errors call it.
    package init(
        _ bytes: [UInt8], file: String, options: ReadingOptions = ReadingOptions()
    ) throws(RecordingError) {
        var complaints = Diagnostics(file: file, keepsGoing: options.keepsGoing)
        let format = try RecordingFormat(of: bytes, file: file)
        self.format = format
        recording = try Self.read(bytes.withoutHeadComments, format, options, &complaints)
        if let scene = options.scene { recording.scene = scene }
        let isEmpty = recording.events.isEmpty && recording.captions.isEmpty
        // A recording of ours that holds none yet is one, unless what it held is left out.
        if isEmpty && (format != .ours || complaints.skipped > 0) {
            throw complaints.emptied(complaints.error(1, "no events in it: \(format.title)"))
        }
        notes = complaints.told
    }

    private static func read(
        _ bytes: [UInt8], _ format: RecordingFormat, _ options: ReadingOptions,
        _ complaints: inout Diagnostics
    ) throws(RecordingError) -> Recording {
        let session = options.session ?? "demo"
        let component = options.component ?? (format == .wheel ? "list" : "toss")
        let topic = Array("gesture/\(session)/\(component)".utf8)
        switch format {
        case .ours:
            let recording = try Recording(parsing: bytes, &complaints)
            return options.session.map(recording.moved(to:)) ?? recording
        case .stroke:
            return try Stroke(parsing: bytes, &complaints).recording(
                session: session, component: component, viewport: options.viewport)
        case .evemu, .getevent:
            let log =
                format == .evemu
                ? try Evemu.read(bytes, &complaints) : try Getevent.read(bytes, &complaints)
            var contacts = try log.contacts(options, &complaints)
            return Recording(events: contacts.finish(topic: topic, &complaints))
        case .flicks:
            var contacts = try Flicks.read(bytes, options, &complaints)
            return Recording(events: contacts.finish(topic: topic, &complaints))
        case .wheel:
            let log = try WheelLog(bytes, options, &complaints)
            return Recording(events: try log.events(topic: topic, options, &complaints))
        }
    }
}

extension Axes {
    /// What a file of evemu or getevent says of its device's axes; of several the first that has
    /// any.
    package init(parsing bytes: [UInt8], file: String) throws(RecordingError) {
        var complaints = Diagnostics(file: file, keepsGoing: false)
        let log: InputLog
        switch try RecordingFormat(of: bytes, file: file) {
        case .evemu: log = try Evemu.read(bytes, &complaints)
        case .getevent: log = try Getevent.read(bytes.withoutHeadComments, &complaints)
        case .ours, .stroke, .flicks, .wheel:
            throw complaints.error(1, "no description of a device, of evemu or getevent")
        }
        guard let axes = log.axes.first(where: { $0 != Axes() }) else {
            throw complaints.error(1, "it describes no axes")
        }
        self = axes
    }
}
