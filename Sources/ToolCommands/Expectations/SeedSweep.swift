import Commands
import Dispatch
import Glibc
import Interactions
import Notation
import RecordingFiles
import Recordings
import Sessions
import Simulation
import Synchronization

/// `simulate --seeds`: one recording, run once with each seed, on all processors.
///
/// Seeds are run block by block, and each block is printed in the order of the seeds: so the output
/// is the same each time, and memory does not grow with their number.
struct SeedSweep {
    /// Seeds of one call: days of runs.
    static let seedsMax = 1_000_000
    /// Seeds that run before their rows are printed.
    private static let blockSeeds = 64
    /// Failed seeds that are shown with their differences.
    private static let detailsMax = 1
    /// Failed seeds that are listed by number, and whose differences a report has.
    private static let listedMax = 20
    /// Values of a field that are kept for its spread.
    private static let valuesMax = 10_000_000

    private let arguments: Arguments
    private let seeds: ClosedRange<UInt64>
    private let fields: [String]
    private let recording: Recording
    private let scenes: [String: Scene]
    private let frameRate: Int
    private let until: Double?

    init(
        _ arguments: Arguments, _ recording: Recording, scenes: [String: Scene]
    ) throws(Failure) {
        self.arguments = arguments
        self.recording = recording
        self.scenes = scenes
        seeds = try Self.seeds(arguments.values["--seeds"] ?? "")
        fields = try fieldNames(arguments) ?? []
        frameRate = try RecordingFiles.frameRate(arguments)
        until = try arguments.number("--until", in: 0...Recording.spanMillisecondsMax)
        guard seeds.count * max(1, fields.count) <= Self.valuesMax else {
            throw .usage("more than \(Self.valuesMax) values: fewer seeds, or fewer fields")
        }
    }

    /// `1000` means 1 to 1,000; `17..40` these.
    private static func seeds(_ text: String) throws(Failure) -> ClosedRange<UInt64> {
        let ends = text.parts(between: "..").map { UInt64($0) }
        let wrong = Failure.usage(
            "--seeds must be a number such as 1000, or a range such as 17..40, not '\(text)'")
        let range: ClosedRange<UInt64>
        if ends.count == 1, let count = ends[0], count > 0 {
            range = 1...count
        } else if ends.count == 2, let low = ends[0], let high = ends[1], low <= high {
            range = low...high
        } else {
            throw wrong
        }
        guard range.upperBound - range.lowerBound < UInt64(seedsMax), range.upperBound < 1 << 63
        else { throw .usage("--seeds: at most \(seedsMax) seeds, each below 2^63") }
        return range
    }

    // MARK: Runs

    /// Runs each seed and gives the results in the order of the seeds, block by block.
    private func run<Result: Sendable>(
        _ body: @escaping @Sendable (Recording) -> Swift.Result<Result, Failure>,
        _ consume: (UInt64, Result) throws(Failure) -> Void
    ) throws(Failure) {
        var next = seeds.lowerBound
        while true {
            let rest = seeds.upperBound - next
            let count = rest < Self.blockSeeds ? Int(rest) + 1 : Self.blockSeeds
            let first = next
            let recording = recording
            let results = Mutex<[Int: Swift.Result<Result, Failure>]>([:])
            DispatchQueue.concurrentPerform(iterations: count) { index in
                var seeded = recording
                seeded.seed = first + UInt64(index)
                let result = body(seeded)
                results.withLock { $0[index] = result }
            }
            let block = results.withLock { $0 }
            for index in 0..<count {
                if let result = block[index] {
                    try consume(first + UInt64(index), try result.get())
                }
            }
            if rest < Self.blockSeeds { return }
            next += UInt64(count)
        }
    }

    // MARK: Expectations

    /// Compares each seed's run with the expectations, and throws the exit status.
    func compare(with pair: ExpectationRun.Pair) throws(Failure) {
        let expectations = try Expectations(path: pair.file)
        let (scenes, frameRate, until) = (scenes, frameRate, until)
        let wanted = Judgement.wanted(expectations, recording)
        let arguments = arguments
        var kept: [ExpectationResult] = []
        var failed: [UInt64] = []
        let began = ContinuousClock.now
        try run({ seeded in
            let began = ContinuousClock.now
            return observed(seeded, arguments, wanted, scenes, frameRate, until).map { run in
                var result = ExpectationResult(
                    recording: inputName(pair.recording), file: pair.file)
                result.verdicts = Judgement(seeded, run).verdicts(on: expectations)
                result.seconds = (.now - began) / .seconds(1)
                result.seed = seeded.seed
                return result
            }
        }) { (seed, result) throws(Failure) in
            if result.isMet { return }
            failed.append(seed)
            if kept.count < Self.listedMax { kept.append(result) }
        }
        try report(kept, failed, pair, seconds: (.now - began) / .seconds(1))
    }

    private func report(
        _ kept: [ExpectationResult], _ failed: [UInt64], _ pair: ExpectationRun.Pair,
        seconds: Double
    ) throws(Failure) {
        let style = Style.output
        let all = counted(seeds.count, "seed")
        let name = inputName(pair.recording)
        var output = ReportOutput()
        if failed.isEmpty {
            if !arguments.has("--quiet") {
                let time = short(seconds)
                try output.show([
                    "\(style("✓", .green)) \(name): \(all), all as expected, in \(time) s"
                ])
            }
        } else {
            let listed = failed.prefix(Self.listedMax).map(String.init).joined(separator: ", ")
            let more = failed.count > Self.listedMax ? " …" : ""
            try output.show([
                "\(style("✗", .red)) \(name): \(failed.count) of \(all) not as expected: "
                    + "\(style("\(listed)\(more)", .red))"
            ])
            let text = VerdictText(style: style)
            for result in kept.prefix(Self.detailsMax) {
                try output.show(
                    text.lines(result)
                        + ["", "--seed \(result.seed ?? 0) runs this one alone."])
            }
        }
        if let path = arguments.values["--junit"] {
            let report = JUnitReport(
                kept, of: seeds.count, failed: failed.count, name: name, seconds: seconds)
            try OutputFile.replace(path, with: report.bytes)
        }
        if !failed.isEmpty { throw .told(1) }
    }

    // MARK: Summaries

    /// Prints a row for each seed, then the spread of the fields.
    func summarize() throws(Failure) {
        let format = arguments.values["--format"] ?? "text"
        guard ["text", "csv", "json", "parquet"].contains(format) else {
            throw .usage(
                "with --seeds, --format must be text, csv, json or parquet, not '\(format)'")
        }
        let session = recording.firstSession
        var paths = fields
        if paths.contains(where: { !$0.contains(".") }) {
            throw .usage("--field must name COMPONENT.FIELD, as toss.item.x")
        }
        paths.sort()
        let (scenes, frameRate, until, arguments) = (scenes, frameRate, until, arguments)
        let wanted = [session: paths]
        let names = fields
        var table = SeedTable(
            fields: fields, format: format, to: try tableOutput(arguments, format))
        try table.begin()
        try run({ seeded in
            observed(seeded, arguments, wanted, scenes, frameRate, until).map { run in
                SeedTable.Row(seeded, run, names, session)
            }
        }) { (_, row) throws(Failure) in try table.add(row) }
        try table.finish()
    }
}

/// Runs a recording once, for any thread.
private func observed(
    _ recording: Recording, _ arguments: Arguments, _ wanted: [String: [String]],
    _ scenes: [String: Scene], _ frameRate: Int, _ until: Double?
) -> Swift.Result<ObservedRun, Failure> {
    do throws(Failure) {
        return .success(
            try ObservedRun.run(
                recording, arguments, wanted, scenes: scenes, frameRate: frameRate, until: until,
                digests: true))
    } catch {
        return .failure(error)
    }
}
