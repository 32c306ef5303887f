import Foundation
import GesturedClient
import Glibc
import Testing

@testable import Commands

/// A machine's folders, with what a service may have left in them.
private struct Machine {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("gestured-test-\(UUID().uuidString.prefix(8))")
    var service: Service {
        Service(runFolder: "\(folder.path)/run", configurationFolder: "\(folder.path)/etc")
    }

    init(files: [String: String] = [:]) throws {
        for name in ["run", "etc"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        for (name, text) in files {
            let file = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}

@Suite struct InstalledServiceTests {
    @Test func withoutAServiceItIsTheProtocolsDefault() throws {
        let machine = try Machine()
        defer { machine.remove() }
        #expect(try machine.service.endpoints(of: nil) == Endpoints())
        #expect(machine.service.instances() == [])
    }

    @Test func aSocketThatMayBeWrittenToComesBeforeThePort() throws {
        let machine = try Machine(files: [
            "run/gestured/events": "", "run/gestured/control": "",
            "etc/gestured.toml": "events = [\"tcp://127.0.0.1:1\"]\nupdates = [\"tcp://*:2\"]\n",
        ])
        defer { machine.remove() }
        let folder = machine.folder.path
        #expect(
            try machine.service.endpoints(of: nil)
                == Endpoints(
                    events: "ipc://\(folder)/run/gestured/events", updates: "tcp://127.0.0.1:2",
                    control: "ipc://\(folder)/run/gestured/control"))
    }

    @Test func eventsArePushedWhereTheServiceHasASocketForThat() throws {
        let ports = "events = [\"tcp://127.0.0.1:1\"]\n"
        let pushes = "[sockets]\npush = [\"tcp://127.0.0.1:4\"]\n"
        let cases: [([String: String], String?)] = [
            (["run/gestured/events": "", "run/gestured/push": ""], "RUN/push"),
            (["run/gestured/events": "", "etc/gestured.toml": ports + pushes], nil),
            (["etc/gestured.toml": ports + pushes], "tcp://127.0.0.1:4"),
            (["etc/gestured.toml": ports], nil), (["etc/gestured.toml": ""], Endpoints().push),
        ]
        for (files, place) in cases {
            let machine = try Machine(files: files)
            defer { machine.remove() }
            let run = "ipc://\(machine.folder.path)/run/gestured"
            let found = try machine.service.endpoints(of: nil)
            #expect(found.push == place.map { $0.replacing("RUN", with: run) }, "\(files)")
        }
    }

    /// An endpoint for events leads to its own daemon: one for pushes behind it is another's.
    @Test func whatNamesTheEventsSocketDecidesAboutPushes() throws {
        let machine = try Machine(files: [
            "etc/one.toml":
                "events = [\"tcp://a:1\"]\nupdates = [\"tcp://a:2\"]\ncontrol = [\"tcp://a:3\"]\n"
                + "[sockets]\npush = [\"tcp://a:4\"]\n"
        ])
        defer { machine.remove() }
        let both = ["EVENTS": "tcp://v:1", "PUSH": "tcp://v:4"]
        let cases: [([String: String], [String: String], String?)] = [
            (["--push": "tcp://o:4", "--events": "tcp://o:1"], both, "tcp://o:4"),
            (["--events": "tcp://o:1"], both, nil), ([:], both, "tcp://v:4"),
            ([:], ["EVENTS": "tcp://v:1"], nil), (["--instance": "one"], both, "tcp://a:4"),
            ([:], ["INSTANCE": "one"], "tcp://a:4"),
            ([:], ["INSTANCE": "one", "EVENTS": "tcp://v:1"], nil),
            ([:], [:], "tcp://127.0.0.1:7414"),
        ]
        for (options, variables, expected) in cases {
            let found = try Tool.endpoints(options, of: machine.service) {
                variables[String($0.dropFirst("GESTURED_".count))]
            }
            #expect(found.push == expected, "\(options) \(variables)")
        }
    }

    /// The configured endpoint, and the one to connect to.
    @Test(arguments: [
        (#""tcp://0.0.0.0:5""#, "tcp://127.0.0.1:5"), (#""tcp://[::]:5""#, "tcp://[::1]:5"),
        (#""tcp://10.0.0.7:5", "tcp://127.0.0.1:6""#, "tcp://10.0.0.7:5"),
        (#""tcp://127.0.0.1:*", "tcp://127.0.0.1:6""#, "tcp://127.0.0.1:6"),
        (#""ipc:///nowhere/at/all", "tcp://127.0.0.1:6""#, "tcp://127.0.0.1:6"),
        (#""tcp://127.0.0.1:*""#, Endpoints().control),
    ])
    func theFirstThatCanBeReachedIsTaken(named: String, found: String) throws {
        let machine = try Machine(files: ["etc/gestured.toml": "control = [\(named)]\n"])
        defer { machine.remove() }
        #expect(try machine.service.endpoints(of: nil).control == found)
    }

    @Test func anInstanceHasFilesOfItsOwn() throws {
        let ports = "events = [\"tcp://127.0.0.1:1\"]\nupdates = [\"tcp://127.0.0.1:2\"]\n"
        let machine = try Machine(files: [
            "etc/gestured.toml": "", "etc/left.toml": "\(ports)control = [\"tcp://127.0.0.1:3\"]",
            "etc/none.toml": ports, "run/gestured-right/events": "",
        ])
        defer { machine.remove() }
        let service = machine.service
        #expect(service.instances() == ["left", "none"])
        #expect(
            try service.endpoints(of: "left")
                == Endpoints(
                    events: "tcp://127.0.0.1:1", updates: "tcp://127.0.0.1:2",
                    control: "tcp://127.0.0.1:3"))
        // Another's default port would be another daemon.
        for name in ["none", "right", "absent", "a/b", "..", ""] {
            #expect(throws: Failure.self, "\(name)") { try service.endpoints(of: name) }
        }
    }

    @Test func aConfigurationThatCannotBeReadIsNoReasonToStop() throws {
        let machine = try Machine(files: [
            "etc/gestured.toml": "control = [\n= 3", "run/gestured/control": "",
        ])
        defer { machine.remove() }
        let found = try machine.service.endpoints(of: nil)
        #expect(found.control == "ipc://\(machine.folder.path)/run/gestured/control")
        #expect(found.events == Endpoints().events)
    }

    /// An option was typed for this command; a variable was set before it.
    @Test func optionsComeBeforeVariables() throws {
        let machine = try Machine(files: [
            "etc/one.toml":
                "events = [\"tcp://a:1\"]\nupdates = [\"tcp://a:2\"]\ncontrol = [\"tcp://a:3\"]\n",
            "etc/two.toml":
                "events = [\"tcp://b:1\"]\nupdates = [\"tcp://b:2\"]\ncontrol = [\"tcp://b:3\"]\n",
        ])
        defer { machine.remove() }
        let all = ["EVENTS": "tcp://v:1", "UPDATES": "tcp://v:2", "CONTROL": "tcp://v:3"]
        let cases: [([String: String], [String: String], [String])] = [
            (["--instance": "one"], all, ["a:1", "a:2", "a:3"]),
            (["--instance": "one", "--updates": "tcp://o:2"], all, ["a:1", "o:2", "a:3"]),
            (["--instance": "one"], ["INSTANCE": "two"], ["a:1", "a:2", "a:3"]),
            (["--updates": "tcp://o:2"], all, ["v:1", "o:2", "v:3"]),
            ([:], ["INSTANCE": "two", "CONTROL": "tcp://v:3"], ["b:1", "b:2", "v:3"]),
            ([:], ["INSTANCE": "one"], ["a:1", "a:2", "a:3"]),
            ([:], [:], ["127.0.0.1:7411", "127.0.0.1:7412", "127.0.0.1:7413"]),
        ]
        for (options, variables, expected) in cases {
            let found = try Tool.endpoints(options, of: machine.service) {
                variables[String($0.dropFirst("GESTURED_".count))]
            }
            #expect(
                [found.events, found.updates, found.control] == expected.map { "tcp://\($0)" },
                "\(options) \(variables)")
        }
    }
}
