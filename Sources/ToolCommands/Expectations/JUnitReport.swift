import Commands
import Notation

/// The results as JUnit's XML, which CI servers read.
struct JUnitReport {
    private var text = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"

    init(_ results: [ExpectationResult]) {
        let failures = results.reduce(0) { $0 + $1.failed.count }
        let errors = results.filter { $0.fault != nil }.count
        let tests = results.reduce(0) { $0 + $1.verdicts.count } + errors
        let seconds = results.reduce(0) { $0 + $1.seconds }
        text +=
            "<testsuites name=\"gesturectl simulate\" tests=\"\(tests)\" failures=\"\(failures)\" "
            + "errors=\"\(errors)\" time=\"\(Self.time(seconds))\">\n"
        for result in results { append(result) }
        text += "</testsuites>\n"
    }

    /// One recording with many seeds: a case for all of them, and one for each of the first that
    /// failed.
    init(
        _ kept: [ExpectationResult], of count: Int, failed: Int, name: String, seconds: Double
    ) {
        let tests = kept.count + 1
        let counts =
            "tests=\"\(tests)\" failures=\"\(failed > 0 ? tests : 0)\" errors=\"0\" "
            + "time=\"\(Self.time(seconds))\""
        text += "<testsuites name=\"gesturectl simulate\" \(counts)>\n"
        text += "  <testsuite name=\(Self.quoted(name)) \(counts) skipped=\"0\">\n"
        append(
            case: "\(count) seeds", of: name, seconds: seconds, isEnded: failed == 0)
        if failed > 0 { append(failure: "\(failed) of \(count) seeds not as expected", []) }
        let style = VerdictText(style: .plain)
        for result in kept {
            append(case: "seed \(result.seed ?? 0)", of: name, seconds: 0, isEnded: false)
            append(
                failure: "\(result.failed.count) of \(result.verdicts.count) not met",
                style.lines(result).map(\.text))
        }
        text += "  </testsuite>\n</testsuites>\n"
    }

    var bytes: [UInt8] { Array(text.utf8) }

    private mutating func append(_ result: ExpectationResult) {
        let name = result.recording + (result.seed.map { " seed \($0)" } ?? "")
        let isFault = result.fault != nil
        text +=
            "  <testsuite name=\(Self.quoted(name)) tests=\"\(max(1, result.verdicts.count))\" "
            + "failures=\"\(result.failed.count)\" errors=\"\(isFault ? 1 : 0)\" skipped=\"0\" "
            + "time=\"\(Self.time(result.seconds))\">\n"
        if let fault = result.fault {
            append(case: "runs", of: name, seconds: result.seconds, isEnded: false)
            text += "      <error message=\(Self.quoted(fault.text)) type=\"file\"/>\n"
            text += "    </testcase>\n"
        }
        let style = VerdictText(style: .plain)
        for (index, verdict) in result.verdicts.enumerated() {
            // One run answers all: its time stands at the first, so that the sum is right.
            let seconds = index == 0 ? result.seconds : 0
            append(
                case: verdict.name, of: name, seconds: seconds, isEnded: verdict.isMet,
                file: result.file, line: verdict.line)
            if verdict.isMet { continue }
            let message = "expected \(verdict.expected), got \(verdict.got)"
            append(failure: message, style.lines(verdict, result).dropFirst().map(\.text))
        }
        text += "  </testsuite>\n"
    }

    private mutating func append(failure message: String, _ lines: [String]) {
        text +=
            "      <failure message=\(Self.quoted(message)) type=\"expectation\">"
            + "\(Self.escaped(lines.joined(separator: "\n")))</failure>\n    </testcase>\n"
    }

    private mutating func append(
        case name: String, of suite: String, seconds: Double, isEnded: Bool, file: String? = nil,
        line: Int = 0
    ) {
        let place = file.map { " file=\(Self.quoted($0))" + (line > 0 ? " line=\"\(line)\"" : "") }
        text +=
            "    <testcase classname=\(Self.quoted(suite)) name=\(Self.quoted(name)) "
            + "time=\"\(Self.time(seconds))\"\(place ?? "")\(isEnded ? "/" : "")>\n"
    }

    private static func time(_ seconds: Double) -> String { short(seconds, decimals: 6) }

    private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// Leaves out what XML 1.0 cannot have, even by number.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n", "\t": escaped.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
