import Commands
import Interactions
import Notation
import Platform
import RecordingFiles
import Recordings
import Sessions
import Simulation

/// `simulate --expect`: runs recordings and compares each with its file of expectations.
struct ExpectationRun {
    /// The ending of files of expectations, behind the name of their recording.
    static let ending = ".expect.toml"
    /// The endings of recordings that a folder is searched for.
    private static let recordingEndings = [
        ".jsonl", ".csv", ".evemu", ".evtest", ".getevent", ".json", ".xml", ".yml",
    ]
    /// Recordings of one call: more than a folder of tests has.
    private static let pairsMax = 10_000

    struct Pair {
        var recording: String
        var file: String
    }

    private let arguments: Arguments
    private let scenes: [String: Scene]
    private let frameRate: Int
    private let until: Double?

    init(_ arguments: Arguments) throws(Failure) {
        self.arguments = arguments
        scenes = try scenesToName(arguments)
        frameRate = try RecordingFiles.frameRate(arguments)
        until = try arguments.number("--until", in: 0...Recording.spanMillisecondsMax)
    }

    /// Runs all, prints what differs, writes the report; throws the exit status.
    func run() throws(Failure) {
        let pairs = try pairs()
        if arguments.has("--seeds") {
            if arguments.has("--update") { throw .usage("--update does not go with --seeds") }
            guard pairs.count == 1 else { throw .usage("--seeds needs one recording") }
            let recording = try recording(of: pairs[0])
            try SeedSweep(arguments, recording, scenes: scenes).compare(with: pairs[0])
            return
        }
        let isVerbose = arguments.has("--verbose")
        let text = VerdictText(style: .output, isVerbose: isVerbose)
        var results: [ExpectationResult] = []
        var output = ReportOutput()
        for pair in pairs {
            let result = try result(of: pair)
            results.append(result)
            if !result.isMet || !arguments.has("--quiet") { try output.show(text.lines(result)) }
        }
        if let path = arguments.values["--junit"] {
            try OutputFile.replace(path, with: JUnitReport(results).bytes)
        }
        if results.count > 1 && !arguments.has("--quiet") {
            let failed = results.filter { !$0.isMet }.count
            let all = counted(results.count, "recording")
            try output.show([
                failed == 0 ? "\(all), all as expected" : "\(all), \(failed) not as expected"
            ])
        }
        if results.contains(where: { $0.fault != nil }) { throw .told(2) }
        if results.contains(where: { !$0.isMet }) { throw .told(1) }
    }

    // MARK: Pairs

    /// The recordings, each with its file.
    private func pairs() throws(Failure) -> [Pair] {
        let expected = arguments.values["--expect"] ?? ""
        let paths = arguments.positionals
        let isFolder = Self.isFolder(expected)
        if !isFolder, paths.count == 1, !Self.isFolder(paths[0]) {
            return [Pair(recording: paths[0], file: expected)]
        }
        guard isFolder else {
            throw .usage("--expect must be a folder for more than one recording, not '\(expected)'")
        }
        var pairs: [Pair] = []
        for path in paths {
            if Self.isFolder(path) {
                pairs += try Self.pairs(of: path, in: expected)
            } else {
                let file = Self.file(of: path, in: expected)
                pairs.append(Pair(recording: path, file: file))
            }
        }
        guard pairs.count <= Self.pairsMax else {
            throw .usage("more than \(Self.pairsMax) recordings")
        }
        return pairs
    }

    private static func isFolder(_ path: String) -> Bool {
        Folder.names(in: path, countMax: 0) != nil
    }

    private static func file(of recording: String, in folder: String) -> String {
        let name = recording.split(separator: "/").last ?? ""
        let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name
        return "\(trimmed(folder))/\(stem)\(ending)"
    }

    private static func trimmed(_ folder: String) -> String {
        folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    }

    /// Each file of expectations in a folder, with the recording of its name in another.
    private static func pairs(of recordings: String, in folder: String) throws(Failure) -> [Pair] {
        func names(_ folder: String) throws(Failure) -> [String] {
            guard let names = Folder.names(in: folder) else {
                throw .file("\(folder): cannot be read")
            }
            return names.sorted()
        }
        let there = try names(recordings)
        var pairs: [Pair] = []
        for name in try names(folder) where name.hasSuffix(ending) {
            let stem = name.dropLast(ending.count)
            guard
                let own = recordingEndings.lazy.map({ stem + $0 }).first(where: there.contains)
            else {
                throw .file("\(trimmed(folder))/\(name): no recording \(stem) in \(recordings)")
            }
            pairs.append(
                Pair(recording: "\(trimmed(recordings))/\(own)", file: "\(trimmed(folder))/\(name)")
            )
        }
        if pairs.isEmpty { throw .file("\(folder): no file ends in \(ending)") }
        return pairs
    }

    // MARK: One pair

    /// A fault of a file is part of the result, so that the others run all the same.
    private func result(of pair: Pair) throws(Failure) -> ExpectationResult {
        let began = ContinuousClock.now
        var result = ExpectationResult(
            recording: inputName(pair.recording), file: pair.file)
        do throws(Failure) {
            let recording = try recording(of: pair)
            if arguments.has("--update"), !Self.isThere(pair.file) {
                try makeFile(pair, recording)
                result.isNew = true
            }
            let expectations = try Expectations(path: pair.file)
            let run = try observe(recording, Judgement.wanted(expectations, recording))
            let judgement = Judgement(recording, run)
            result.verdicts = judgement.verdicts(on: expectations)
            if arguments.has("--update"), !result.isMet {
                let update = ExpectationUpdate(try readFile(pair.file), result.verdicts)
                // Text that cannot be read again must not replace one that could.
                let updated = try Expectations(update.bytes, file: pair.file)
                try OutputFile.replace(pair.file, with: update.bytes)
                result.changes = update.changes
                result.verdicts = judgement.verdicts(on: updated)
            }
            result.span = run.end - (recording.events.first?.time ?? 0)
        } catch {
            guard case .file(let message) = error else { throw error }
            result.fault = message
        }
        result.seconds = (.now - began) / .seconds(1)
        return result
    }

    private static func isThere(_ path: String) -> Bool {
        File.isThere(path)
    }

    /// Writes a first file: what moved, where it came to rest, and the phases at each caption.
    private func makeFile(_ pair: Pair, _ recording: Recording) throws(Failure) {
        let first = try observe(recording, [:], explores: true)
        let draft = ExpectationDraft(recording, first)
        let run = try observe(recording, draft.wanted)
        try OutputFile.replace(pair.file, with: Array(draft.text(of: run, pair: pair).utf8))
    }

    /// The recording, in the scene that its file of expectations names.
    private func recording(of pair: Pair) throws(Failure) -> Recording {
        var own = arguments
        own.positionals = [pair.recording]
        if own.values["--scene"] == nil, Self.isThere(pair.file),
            let scene = try Expectations(path: pair.file).scene
        {
            own.values["--scene"] = Self.isFile(scene) ? Self.path(scene, beside: pair.file) : scene
        }
        return try seededRecording(own, scenes)
    }

    private static func isFile(_ scene: String) -> Bool {
        scene.hasSuffix(".toml") || scene.hasSuffix(".json")
    }

    private static func path(_ scene: String, beside file: String) -> String {
        guard !scene.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return scene }
        return "\(file[...slash])\(scene)"
    }

    private func observe(
        _ recording: Recording, _ wanted: [String: [String]], explores: Bool = false
    ) throws(Failure) -> ObservedRun {
        try ObservedRun.run(
            recording, arguments, wanted, scenes: scenes, frameRate: frameRate, until: until,
            explores: explores)
    }
}

/// Prints a report. A reader that has gone, as behind `head`, must not hide the exit status.
struct ReportOutput {
    private var isClosed = false

    mutating func show(_ lines: [ShownText]) throws(Failure) {
        for line in lines where !isClosed {
            do throws(Failure) {
                try Console.printLine(line)
            } catch {
                guard error == .outputClosed else { throw error }
                isClosed = true
            }
        }
    }
}

extension ObservedRun {
    /// Runs a recording and collects what it publishes.
    static func run(
        _ recording: Recording, _ arguments: Arguments, _ wanted: [String: [String]],
        scenes: [String: Scene], frameRate: Int, until: Double?, explores: Bool = false,
        digests: Bool = false
    ) throws(Failure) -> ObservedRun {
        var run = ObservedRun(wanted: wanted, explores: explores, digests: digests)
        do throws(Rejection) {
            var simulator = try Simulator(
                recording, scenes: scenes, frameRate: frameRate, until: until)
            simulator.run(into: &run)
        } catch {
            throw sceneFailure(error, recording, arguments, scenes)
        }
        if run.overflow {
            throw .file("more than \(ObservedRun.entriesMax) changes; end earlier by --until")
        }
        return run
    }
}

/// Reads the recording of a command line, with the seed of `--seed` if it is given.
func seededRecording(
    _ arguments: Arguments, _ scenes: [String: Scene]
) throws(Failure) -> Recording {
    let source = try RecordingSource(arguments)
    var recording = try source.read { source.viewport(of: scenes) }.recording
    let file = inputName(arguments.positionals[0])
    try recording.checkScenes(file: file, arguments, scenes)
    recording.warnOfMissingScene(file: file, scenes)
    if let seed = try arguments.whole("--seed", in: 0...Int.max) { recording.seed = UInt64(seed) }
    return recording
}
