import Foundation
import GesturedClient
import Glibc
import Notation
import Protocol

/// The service on this machine, found by what it leaves in the file system.
struct Service {
    /// Where systemd makes the runtime directories.
    var runFolder = "/run"
    var configurationFolder = "/etc/gestured"

    /// Where an instance is, or the service itself: its socket if this user may write to it, else
    /// what its configuration names, else the protocol's default.
    ///
    /// Throws where an instance is named of which there is no trace. A configuration that cannot
    /// be read is no reason to stop: the service may run with what it read before.
    func endpoints(of instance: String?) throws(Failure) -> Endpoints {
        let folder = "\(runFolder)/gestured\(instance.map { "-\($0)" } ?? "")"
        let file = "\(configurationFolder)/\(instance ?? "gestured").toml"
        if let instance {
            guard Self.isName(instance) else {
                throw .usage("'\(instance)' is no instance: A-Z a-z 0-9 : - _ . without a slash")
            }
            guard exists(folder) || exists(file) else {
                throw .usage("no instance '\(instance)': there is no \(folder) and no \(file)")
            }
        }
        var endpoints = Endpoints()
        let configuration = configuration(file)
        let all: [(WritableKeyPath<Endpoints, String>, String)] = [
            (\.events, "events"), (\.updates, "updates"), (\.control, "control"),
        ]
        for (path, name) in all {
            let named = (configuration?[name]?.array ?? []).compactMap(\.string)
            if canWrite("\(folder)/\(name)") {
                endpoints[keyPath: path] = "ipc://\(folder)/\(name)"
            } else if let usable = named.lazy.compactMap(reachable).first {
                endpoints[keyPath: path] = usable
            } else if instance != nil {
                throw .usage("\(file) names no \(name) endpoint that can be reached from here")
            }
        }
        return endpoints
    }

    /// The names of all that have a configuration.
    func instances() -> [String] {
        let files = try? FileManager.default.contentsOfDirectory(atPath: configurationFolder)
        return (files ?? []).filter { $0.hasSuffix(".toml") && $0 != "gestured.toml" }
            .map { String($0.dropLast(5)) }.sorted()
    }

    static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9:_.\-]+/) != nil && text != "." && text != ".."
    }

    /// An endpoint that somebody can bind to, as one to connect to; nil where that is not known.
    private func reachable(_ endpoint: String) -> String? {
        if endpoint.hasPrefix("ipc://") {
            return canWrite(String(endpoint.dropFirst(6))) ? endpoint : nil
        }
        guard let colon = endpoint.lastIndex(of: ":"), endpoint.hasPrefix("tcp://") else {
            return nil
        }
        let host = endpoint[..<colon].dropFirst(6)
        let port = endpoint[endpoint.index(after: colon)...]
        if port == "*" || port == "0" { return nil }
        let here =
            ["*": "127.0.0.1", "0.0.0.0": "127.0.0.1", "[::]": "[::1]"][host] ?? String(host)
        return "tcp://\(here):\(port)"
    }

    private func configuration(_ file: String) -> Node? {
        guard exists(file) else { return nil }
        do throws(Failure) {
            let bytes = try readFile(file)
            do throws(DocumentError) {
                return try Document.toml(bytes)
            } catch {
                let place = error.line.map { ":\($0)" } ?? ""
                throw .file("\(file)\(place): \(error.message)")
            }
        } catch {
            if case .file(let message) = error { Console.say("gesturectl: ignored: \(message)") }
            return nil
        }
    }

    private func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
    private func canWrite(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }
}

extension Tool {
    /// Where they are, as help and manual page tell it: the order of what is asked.
    static let endpointOrder = """
        Each endpoint is that of its own option; else that of the instance that --instance names;
        else that of its variable; else that of the instance that GESTURED_INSTANCE names; else
        that of the service that runs here; else tcp://127.0.0.1:7411, :7412 and :7413.
        """

    static func endpoints(
        _ values: [String: String], of service: Service = Service(),
        variable: (String) -> String? = environment
    ) throws(Failure) -> Endpoints {
        // What is typed is meant more than what was set before.
        let variables =
            values["--instance"] != nil
            ? [] : ["GESTURED_EVENTS", "GESTURED_UPDATES", "GESTURED_CONTROL"].map(variable)
        let options = ["--events", "--updates", "--control"]
        let told = options.indices.map { index in
            values[options[index]] ?? (variables.isEmpty ? nil : variables[index])
        }
        let instance = values["--instance"] ?? variable("GESTURED_INSTANCE")
        // What is told needs no looking, and no complaint about what is not used.
        let isComplete = told.allSatisfy { $0 != nil }
        let found = isComplete ? Endpoints() : try service.endpoints(of: instance)
        return Endpoints(
            events: told[0] ?? found.events, updates: told[1] ?? found.updates,
            control: told[2] ?? found.control)
    }
}
