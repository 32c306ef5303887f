package import Commands
import Simulation

/// The names of `--field`; nil without the option.
package func fieldNames(_ arguments: Arguments) throws(Failure) -> [String]? {
    guard let text = arguments.values["--field"] else { return nil }
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.count <= Fields.namesMax, !names.contains("") else {
        throw .usage(
            "--field must be 1 to \(Fields.namesMax) names between commas, not '\(text)'")
    }
    return names
}

/// The frames a second of a scene that names none.
package func frameRate(_ arguments: Arguments) throws(Failure) -> Int {
    let rate = try arguments.number("--frame-rate", in: 30...120) ?? 60
    guard [30, 60, 120].contains(rate) else {
        throw .usage("--frame-rate must be 30, 60 or 120")
    }
    return Int(rate)
}
