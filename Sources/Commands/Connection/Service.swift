package import GesturedClient
import Glibc
import Notation
import Platform
import Protocol

/// Finds the service on this machine by its sockets and its configuration.
///
/// This folder knows how to reach a daemon. `Service` chooses the endpoints, `DaemonProbe` finds
/// out whether somebody listens there, and `DaemonLiveness` whether a daemon is still heard.
package struct Service {
    /// The folder in which systemd creates runtime directories.
    var runFolder: String
    var configurationFolder: String

    package init(runFolder: String = "/run", configurationFolder: String = "/etc/gestured") {
        self.runFolder = runFolder
        self.configurationFolder = configurationFolder
    }

    /// The endpoints of an instance, or of the service itself: its sockets if this user may write
    /// to them, else those of its configuration, else the protocol's default.
    ///
    /// Throws where a named instance has neither sockets nor a configuration. A configuration that
    /// cannot be read is skipped: the service may run with an earlier one.
    package func endpoints(of instance: String?) throws(Failure) -> Endpoints {
        let folder = "\(runFolder)/gestured\(instance.map { "-\($0)" } ?? "")"
        let file = "\(configurationFolder)/\(instance ?? "gestured").toml"
        if let instance {
            guard Self.isName(instance) else {
                throw .usage("'\(instance)' cannot name an instance; use A-Z a-z 0-9 : - _ .")
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
            let bound = (configuration?[name]?.array ?? []).compactMap(\.string)
            if canWrite("\(folder)/\(name)") {
                endpoints[keyPath: path] = "ipc://\(folder)/\(name)"
            } else if let usable = bound.lazy.compactMap(reachable).first {
                endpoints[keyPath: path] = usable
            } else if instance != nil {
                throw .usage("\(file) has no endpoint for \(name) that can be reached from here")
            }
        }
        let pushes = (configuration?["sockets"]?["push"]?.array ?? []).compactMap(\.string)
        if canWrite("\(folder)/push") {
            endpoints.push = "ipc://\(folder)/push"
        } else if !endpoints.events.hasPrefix("ipc://"),
            let usable = pushes.lazy.compactMap(reachable).first
        {
            // A user of the sockets in the file system perhaps has no key for a port.
            endpoints.push = usable
        }
        return endpoints
    }

    /// The names of all instances with a configuration.
    package func instances() -> [String] {
        let files = Folder.names(in: configurationFolder)
        return (files ?? []).filter { $0.hasSuffix(".toml") && $0 != "gestured.toml" }
            .map { String($0.dropLast(5)) }.sorted()
    }

    package static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy(isNameCharacter) && text != "." && text != ".."
    }

    private static func isNameCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber)
            || ":_.-".contains(character)
    }

    /// The endpoint to connect to for one that is bound to; nil where that is not known.
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
            if case .file(let message) = error {
                Console.printError("gesturectl: ignoring the configuration: \(message)")
            }
            return nil
        }
    }

    private func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
    private func canWrite(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }
}

extension Tool {
    /// The order in which endpoints are looked up, for help and manual page.
    package static let endpointOrder = """
        Each endpoint comes from the first of these that names it: its option; the instance of
        --instance; its variable; the instance of GESTURED_INSTANCE; the service on this machine;
        tcp://127.0.0.1:7414 for events that are pushed, :7411 for events that are published, :7412
        for updates, :7413 for requests. Events are pushed, unless an endpoint for events that are
        published is named by something that comes before what names the other. Several for
        requests, with commas between them, are daemons of a cluster: then the owner of each session
        is asked for, spoken with, and followed where the session moves.
        """

    package static func endpoints(
        _ values: [String: String], of service: Service = Service(),
        variable: (String) -> String? = environment
    ) throws(Failure) -> Endpoints {
        // An option on the command line beats variables.
        let variables =
            values["--instance"] != nil
            ? [] : ["GESTURED_EVENTS", "GESTURED_UPDATES", "GESTURED_CONTROL"].map(variable)
        let options = ["--events", "--updates", "--control"]
        let named = options.indices.map { index in
            values[options[index]] ?? (variables.isEmpty ? nil : variables[index])
        }
        let instance = values["--instance"] ?? variable("GESTURED_INSTANCE")
        // Do not look at the service, and print no warnings, where nothing of it is used.
        let isComplete = named.allSatisfy { $0 != nil }
        let found = isComplete ? Endpoints() : try service.endpoints(of: instance)
        let (events, updates) = (named[0] ?? found.events, named[1] ?? found.updates)
        let push = Self.push(values, beside: named[0], else: found.push, variable)
        guard let control = named[2] else {
            return Endpoints(
                events: events, updates: updates, control: found.control, push: push)
        }
        guard let places = Endpoints.places(control) else {
            throw .usage(
                "--control takes 1 to \(Endpoints.seedsMax) endpoints with commas between them, "
                    + "not '\(control)'")
        }
        return places.count > 1
            ? Endpoints(cluster: places, events: events, updates: updates, push: push)
            : Endpoints(events: events, updates: updates, control: control, push: push)
    }

    /// Where events are pushed; nil: they are published. An endpoint for events leads to its own
    /// daemon, so one for pushes that stands behind it does not count.
    private static func push(
        _ values: [String: String], beside events: String?, else found: String?,
        _ variable: (String) -> String?
    ) -> String? {
        if let option = values["--push"] { return option }
        if values["--events"] != nil { return nil }
        if values["--instance"] == nil, let named = variable("GESTURED_PUSH") { return named }
        return events == nil ? found : nil
    }
}
