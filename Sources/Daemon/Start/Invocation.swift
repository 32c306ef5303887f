import Manual
import ZeroMQ

/// The request of the command line.
package enum Invocation: Equatable, Sendable {
    case run(Arguments)
    /// Validate the configuration and its scenes, and say what is wrong.
    case check(configuration: String)
    /// Say all that is wrong with each of some scenes.
    case checkScenes([String])
    case version
    case help
}

/// The flags of a run; what is not given is the configuration's.
package struct Arguments: Equatable, Sendable {
    package var configuration: String?
    package var events: [String] = []
    package var updates: [String] = []
    package var control: [String] = []
    package var push: [String] = []
    package var stateDirectory: String?
}

extension Invocation {
    /// Parses what follows the program's name. Throws one clear line.
    package init(_ words: [String]) throws(StartError) {
        var arguments = Arguments()
        var isCheck = false
        var scenes: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let flag = String(parts[0])
            let isSwitch = ["--help", "-h", "--version", "-V", "--check"].contains(flag)
            if isSwitch, parts.count > 1 { throw StartError("\(flag) takes no value") }
            switch flag {
            case "--help", "-h":
                self = .help
                return
            case "--version", "-V":
                self = .version
                return
            case "--check": isCheck = true
            case "--check-scene":
                let attached = parts.count > 1 ? String(parts[1]) : nil
                guard let file = attached ?? rest.popFirst(), !file.isEmpty else {
                    throw StartError("\(flag) needs a value")
                }
                scenes.append(file)
            case "--config", "--events", "--updates", "--control", "--push", "--state-dir":
                let attached = parts.count > 1 ? String(parts[1]) : nil
                guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
                    throw StartError("\(flag) needs a value")
                }
                try arguments.set(flag, value)
            default:
                throw StartError("unknown argument \"\(word)\"; --help lists what there is")
            }
        }
        guard scenes.isEmpty else {
            guard !isCheck, arguments == Arguments() else {
                throw StartError("--check-scene FILE stands alone")
            }
            self = .checkScenes(scenes)
            return
        }
        guard isCheck else {
            self = .run(arguments)
            return
        }
        guard let configuration = arguments.configuration else {
            throw StartError("--check needs --config FILE")
        }
        // A check of a file must not pass for a check of what a command line makes of it.
        guard arguments == Arguments(configuration: configuration) else {
            throw StartError("--check reads FILE alone: endpoints and --state-dir have no place")
        }
        self = .check(configuration: configuration)
    }

    package static let helpText = Help.text(of: .gestured)
}

extension Arguments {
    fileprivate mutating func set(_ flag: String, _ value: String) throws(StartError) {
        let isEndpoint = ["--events", "--updates", "--control", "--push"].contains(flag)
        if isEndpoint, let flaw = Endpoint.flaw(value) { throw StartError("\(flag): \(flaw)") }
        switch flag {
        case "--config": configuration = value
        case "--events": events.append(value)
        case "--updates": updates.append(value)
        case "--control": control.append(value)
        case "--push": push.append(value)
        case "--state-dir": stateDirectory = value
        default: preconditionFailure("no flag \(flag)")
        }
    }
}
