package import Notation
import Protocol

/// Events with the times at which they came once: the input of `simulate` and `replay`.
package struct Recording: Hashable, Sendable {
    package struct Event: Hashable, Sendable {
        /// Milliseconds on the recording's own scale; it never falls.
        package var time: Double
        /// The step of the session at which the event is applied; nil: the step of its time.
        package var step: Int?
        package var topic: [UInt8]
        /// JSON. It may be an event that the daemon refuses: recordings show those too.
        package var body: [UInt8]
        /// The line in the file, from 1.
        package var line: Int
        /// Whether it is a request that opens its session, since an event cannot hold its scene.
        /// Topic and body are those of an `open`.
        package var isRequest: Bool

        package init(
            time: Double, step: Int? = nil, topic: [UInt8], body: [UInt8], line: Int,
            isRequest: Bool = false
        ) {
            self.time = time
            self.step = step
            self.topic = topic
            self.body = body
            self.line = line
            self.isRequest = isRequest
        }
    }

    /// A line of text for the person who watches.
    package struct Caption: Hashable, Sendable {
        /// Milliseconds on the recording's own scale.
        package var time: Double
        package var text: String
        /// The number of events before it.
        package var eventsBefore: Int
    }

    /// A session whose scene the recorder could not get, so that it is played in another one.
    package struct MissingScene: Hashable, Sendable {
        /// Milliseconds on the recording's own scale.
        package var time: Double
        package var session: String
        /// The number of events before it.
        package var eventsBefore: Int
        /// The line in the file, from 1.
        package var line: Int
    }

    /// The scene's name, or the scene itself as an object.
    package var scene: Node?
    package var seed: UInt64?
    package var events: [Event]
    package var captions: [Caption]
    package var missingScenes: [MissingScene] = []

    package init(
        scene: Node? = nil, seed: UInt64? = nil, events: [Event], captions: [Caption] = []
    ) {
        self.scene = scene
        self.seed = seed
        self.events = events
        self.captions = captions
    }
}

/// A fault of a recording at a line; it prints as `file:line: message`.
package struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// From 1.
    package var line: Int
    package var message: String

    package init(file: String, line: Int, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    package var description: String { "\(file):\(line): \(message)" }
}

extension Recording {
    /// Milliseconds from the first line to the last. A year in nanoseconds, or in steps, is far
    /// from an integer's end.
    package static let spanMillisecondsMax = 366.0 * 86_400_000
    /// The greatest time in milliseconds: its nanoseconds fit an integer.
    package static let timeMillisecondsMax = 9e12
    /// The last step that a line may name: the steps of a year.
    package static let stepMax = 366 * 86_400 * 120
    /// Bytes of a file; days of samples.
    package static let fileBytesMax = 256 * 1_024 * 1_024
    /// Bytes of a line; more than any event's body or scene.
    package static let lineBytesMax = 1_024 * 1_024
    /// Events of a recording; hours of ten fingers.
    package static let eventsMax = 1_000_000
    /// Captions of a recording.
    package static let captionsMax = 100_000
    /// Sessions whose scenes are looked for while a recording is made; those beyond are recorded
    /// without, and so a recording misses at most as many.
    package static let sessionsMax = 10_000
}
