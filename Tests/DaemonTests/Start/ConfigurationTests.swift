import Foundation
import Platform
import Sessions
import Testing

@testable import Daemon

struct ConfigurationTests {
    private typealias Folder = ConfigurationFolder

    @Test func anEmptyFileIsAllDefaults() throws {
        let folder = try Folder("")
        let configuration = try Configuration(file: folder.file)
        #expect(configuration.events == ["tcp://127.0.0.1:7411"])
        #expect(configuration.updates == ["tcp://127.0.0.1:7412"])
        #expect(configuration.control == ["tcp://127.0.0.1:7413"])
        #expect(configuration.push == ["tcp://127.0.0.1:7414"])
        #expect(configuration.frameRate == 60)
        #expect(configuration.sessionsMax == 100_000)
        #expect(configuration.idleTimeoutSeconds == 1_800)
        #expect(configuration.scenes.keys.sorted() == ["phone"])
    }

    @Test func theProjectsOwnFileSaysTheDefaults() throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let own = try Configuration(file: root.path + "/config/gestured.toml")
        let folder = try Folder("")
        var defaults = try Configuration(file: folder.file)
        defaults.scenesFolder = own.scenesFolder
        defaults.scenes = own.scenes
        #expect("\(own)" == "\(defaults)")
        #expect(own.scenes["phone"]?.components.isEmpty == false)
    }

    /// The store knows whole seconds, and no session expires early.
    @Test(arguments: [(2.0, 2), (2.1, 3), (2.9, 3)])
    func aRetentionIsRoundedUp(seconds: Double, whole: Int) throws {
        let folder = try Folder("[sessions]\nidle_timeout = 1\nretention = \(seconds)")
        let settings = LaneSettings(
            try Configuration(file: folder.file), epoch: "e", choice: LaneChoice(count: 1), key: 1,
            versionFloor: 0)
        #expect(settings.retentionSteps == whole * 120)
    }

    @Test(arguments: [
        ("frame_rate = 50", ":1: key frame_rate: must be 30, 60 or 120"),
        ("\nframe_rat = 60", ":2: unknown key \"frame_rat\", did you mean \"frame_rate\"?"),
        ("touches = \"no\"", ":1: key touches: must be true or false"),
        ("events = []", ":1: key events: must name at least one endpoint"),
        ("events = [\"7411\"]", ":1: key events: \"7411\" is no endpoint"),
        ("[sockets]\npush = [\"7414\"]", ":2: sockets, key push: \"7414\" is no endpoint"),
        (
            "[sockets]\npush = [\"tcp://127.0.0.1:7411\"]",
            ":2: key sockets.push: \"tcp://127.0.0.1:7411\" is in use by key events"
        ),
        (
            "updates = [\"tcp://127.0.0.1:7414\"]",
            ":1: key updates: \"tcp://127.0.0.1:7414\" is in use by key sockets.push"
        ),
        ("[sessions]\nmax = 0", ":2: sessions, key max: must be a whole number from 1"),
        ("[sessions]\nmx = 1", ":2: sessions: unknown key \"mx\", did you mean \"max\"?"),
        ("[log]\nlevel = \"loud\"", ":2: log, key level: must be one of \"error\""),
        ("auto_open = \"tablet\"", ":1: key auto_open: there is no scene \"tablet\""),
        ("events = [", ":1:"), ("log = 3", ":1: key log: must be a table"),
        ("[log]\nlevel = 10:00:00", ":2: log, key level: dates and times are not used here"),
        ("lanes = \"two\"", ":1: key lanes: must be a whole number"),
        (
            "\nupdates = [\"tcp://127.0.0.1:7411\"]",
            ":2: key updates: \"tcp://127.0.0.1:7411\" is in use by key events"
        ),
        (
            "events = [\"tcp://*:7413\"]",
            ":1: key events: \"tcp://*:7413\" is in use by key control"
        ),
        (
            "control = [\"ipc:///a\", \"ipc:///a\"]",
            ":1: key control: \"ipc:///a\" is in use by key control"
        ),
        (
            "[sessions]\nidle_timeout = 60\nretention = 59.5",
            ":3: sessions, key retention: must be at least idle_timeout, which is 60 s"
        ),
        (
            "[sessions]\nidle_timeout = 3_000_000",
            ":2: sessions, key idle_timeout: must be at most retention, which is 2592000 s"
        ),
        ("scenes = \"nowhere\"", ":1: key scenes: there is no folder /"),
    ])
    func anErrorNamesFileLineAndKey(text: String, message: String) throws {
        let folder = try Folder(text)
        let error = #expect(throws: StartError.self) { try Configuration(file: folder.file) }
        #expect(error?.message.hasPrefix(folder.file + message) == true, "\(error as Any)")
        #expect(error?.message.contains("\n") == false)
    }

    @Test func aBadSceneIsReportedWithItsOwnFileAndLine() throws {
        let folder = try Folder("", scene: Folder.scene + "\nfriction = -1\n")
        let error = #expect(throws: StartError.self) { try Configuration(file: folder.file) }
        let prefix = "\(folder.path)/scenes/phone.toml:5: component toss, key friction"
        #expect(error?.message.hasPrefix(prefix) == true, "\(error as Any)")
    }

    @Test func aFileThatIsNotThereIsNamed() {
        let error = #expect(throws: StartError.self) { try Configuration(file: "/nowhere/x.toml") }
        #expect(error?.message.hasPrefix("/nowhere/x.toml: cannot be read") == true)
    }

    @Test func portsThatTheSystemChoosesNeverCollideAndFlagsAreLookedAtInTheFilesPlace() throws {
        let anywhere = "[\"tcp://127.0.0.1:*\"]"
        let folder = try Folder(
            "events = \(anywhere)\nupdates = \(anywhere)\ncontrol = \(anywhere)")
        #expect(throws: Never.self) { try Configuration(file: folder.file) }
        let colliding = try Folder("updates = [\"tcp://127.0.0.1:7411\"]")
        var arguments = Arguments()
        arguments.configuration = colliding.file
        #expect(throws: StartError.self) { try Configuration(arguments) }
        arguments.events = ["tcp://127.0.0.1:1"]
        #expect(throws: Never.self) { try Configuration(arguments) }
    }

    @Test func aMissingFolderOfScenesIsNamedWhereItWasLookedFor() throws {
        let folder = try Folder("\nscenes = \"other\"")
        let error = #expect(throws: StartError.self) { try Configuration(file: folder.file) }
        #expect(
            error?.message
                == "\(folder.file):2: key scenes: there is no folder \(folder.path)/other")
    }

    @Test func aFolderIsMadeWithThoseAboveItOrOneLineSaysWhyNot() throws {
        let folder = try Folder("")
        try Files.makeFolder("\(folder.path)/a/b/c")
        try Files.makeFolder("\(folder.path)/a/b/c")
        #expect(Platform.Folder.isThere("\(folder.path)/a/b/c"))
        for (path, reason) in [
            (folder.file, "is a file, and must be a folder"),
            ("\(folder.file)/a", "\(folder.file) is a file, and no folder"),
            ("/proc/nowhere/a", "/proc is the kernel's own, and no folder can be made there"),
        ] {
            let error = #expect(throws: StartError.self) { try Files.makeFolder(path) }
            #expect(error?.message == "\(path): the folder cannot be made: \(reason)")
        }
    }

    @Test func flagsReplaceTheFilesLists() throws {
        let folder = try Folder("events = [\"tcp://127.0.0.1:1\", \"tcp://127.0.0.1:2\"]")
        var configuration = try Configuration(file: folder.file)
        var arguments = Arguments()
        arguments.events = ["ipc:///tmp/x"]
        arguments.stateDirectory = "/tmp/state"
        configuration.apply(arguments)
        #expect(configuration.events == ["ipc:///tmp/x"])
        #expect(configuration.updates == ["tcp://127.0.0.1:7412"])
        #expect(configuration.resolvedStateDirectory == "/tmp/state")
    }

    private func faults(_ text: String, scene: String = Folder.scene) throws -> [String] {
        let folder = try Folder(text, scene: scene)
        try Folder.scene.write(
            toFile: folder.path + "/scenes/other.toml", atomically: true, encoding: .utf8)
        var faults = ConfigurationFaults()
        _ = try Configuration(checking: folder.file, &faults)
        return faults.errors.map {
            $0.message.replacingOccurrences(of: folder.path + "/", with: "")
        }
    }

    private static let ports = """
        events = ["tcp://127.0.0.1:*"]
        updates = ["tcp://127.0.0.1:*"]
        control = ["tcp://127.0.0.1:*"]

        """

    @Test func aCheckNamesAllErrorsAtOnce() throws {
        let told = try faults(
            """
            events = ["tcp://127.0.0.1:7413"]
            frame_rate = 50
            lanes = -3
            scens = "x"
            auto_open = "fone"
            [log]
            level = "x"
            levl = 1
            [sessions]
            max = "x"
            idle_timeout = 60
            retention = 59
            [cluster]
            name = "a"
            weight = 2
            [security]
            authorized_keys = "keys"
            publisher_key = "p"
            [security.clients.kiosk]
            raed = ["*"]
            control = "some"
            """, scene: Folder.scene + "\nfriction = -1\nthresold = 1\n")
        let errors = [
            ":2: key frame_rate", ":3: key lanes", ":4: unknown key \"scens\"",
            ":7: log, key level", ":8: log: unknown key", ":10: sessions, key max",
            ":20: security.clients.kiosk: unknown key \"raed\", did you mean \"read\"?",
            ":21: security.clients.kiosk, key control",
            ":12: sessions, key retention", ":14: cluster, key name", ":15: cluster, key weight",
            ":1: key events: \"tcp://127.0.0.1:7413\" is in use by key control",
            "scenes/phone.toml:5: component toss, key friction",
            "scenes/phone.toml:6: component toss: unknown key \"thresold\"",
            ":5: key auto_open: there is no scene \"fone\"",
        ]
        for error in errors {
            #expect(told.contains { $0.contains(error) }, "\(error) in \(told)")
        }
        #expect(told.count >= errors.count)
    }

    /// A start says the first, and how many more there are.
    @Test func aStartSaysHowManyMoreThereAre() throws {
        let folder = try Folder("frame_rate = 50\nlanes = -3\n[log]\nlevel = \"x\"")
        let error = #expect(throws: StartError.self) { try Configuration(file: folder.file) }
        let more = " (and 2 more: gestured --check --config \(folder.file) names all)"
        #expect(error?.message.hasSuffix(more) == true, "\(error as Any)")
    }

    @Test(arguments: [
        ("tcp://localhost:22101", "\"localhost\" is neither an address in numbers"),
        ("tcp://no.example.org:1", "\"no.example.org\" is neither an address in numbers"),
        ("tcp://127.0.0.1.5:9", "neither an address"),
        ("tcp://[::1]:22101", "set ipv6 = true in [sockets]"),
        ("ipc:///nowhere/at/all", "there is no folder /nowhere/at"),
        ("ipc:///proc/version/x", "/proc/version is no folder"),
        ("ipc:///proc/version", "/proc/version is there and is no socket"),
        ("ipc:///tmp/" + String(repeating: "x", count: 120), "125 bytes"),
    ])
    func anEndpointThatCannotBeBoundIsAnError(endpoint: String, words: String) throws {
        let text = Self.ports.replacingOccurrences(
            of: "updates = [\"tcp://127.0.0.1:*\"]", with: "updates = [\"\(endpoint)\"]")
        let told = try faults(text)
        #expect(
            told.contains { $0.contains(":2: key updates: \"\(endpoint)\"") && $0.contains(words) },
            "\(told)")
    }

    /// systemd makes these folders as the service starts, so a check before that passes.
    /// An entry that is no endpoint hides no other.
    @Test func endpointsBesideAWrongOneAreJudged() throws {
        let taken = "\"tcp://127.0.0.1:22222\""
        let told = try faults("events = [\(taken)]\nupdates = [\(taken), \"foo\"]")
        #expect(told.count == 2 && told[0].contains("\"foo\" is no endpoint"), "\(told)")
        #expect(told.last?.contains("key updates: \(taken) is in use by key events") == true)
    }

    @Test func aFolderThatComesWithTheServiceIsAWarning() throws {
        let text = Self.ports.replacingOccurrences(
            of: "updates = [\"tcp://127.0.0.1:*\"]",
            with: "updates = [\"ipc:///run/no-such-service/updates\"]")
        let folder = try Folder(text)
        var faults = ConfigurationFaults()
        _ = try Configuration(checking: folder.file, &faults)
        #expect(faults.errors.isEmpty && faults.warnings.count == 1, "\(faults)")
        #expect(faults.warnings[0].contains(":2: key updates: "))
        #expect(faults.warnings[0].contains("there is a folder /run/no-such-service"))
    }

    @Test func aStateDirectoryThatIsAFileIsAnErrorAndNoneIsMade() throws {
        for (folder, words) in [
            ("/proc/version", "is a file, and must be a folder"),
            ("/proc/version/a/b", "/proc/version is a file, and no folder"),
        ] {
            let told = try faults(Self.ports + "state_dir = \"\(folder)\"")
            #expect(
                told == ["gestured.toml:4: key state_dir: \(folder): \(words)"], "\(told)")
        }
        let new = NSTemporaryDirectory() + "gestured-\(UUID().uuidString)"
        #expect(try faults(Self.ports + "state_dir = \"\(new)/a\"") == [])
        #expect(!Files.exists(new))
    }

    @Test func aStateDirectoryThatCannotBeIsAnError() throws {
        let base = NSTemporaryDirectory() + "gestured-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: base, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: base) }
        for (name, target) in [("loop", "loop"), ("a", "b"), ("b", "a"), ("gone", "nowhere")] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(base)/\(name)", withDestinationPath: "\(base)/\(target)")
        }
        let long = String(repeating: "y", count: 256)
        for (folder, words) in [
            ("\(base)/loop", "\(base)/loop is a link that leads back to itself"),
            ("\(base)/a/x", "\(base)/a/x is a link that leads back to itself"),
            ("\(base)/gone", "\(base)/gone is a link to a place that is not there"),
            ("\(base)/gone/x", "\(base)/gone is a link to a place that is not there"),
            ("\(base)/\(long)", "a name in it is longer than the system takes"),
            ("\(base)/new/\(long)", " is longer than the 255 bytes that a name has there"),
            ("/proc/nothere", "/proc is the kernel's own, and no folder can be made there"),
            ("/sys/a/b", "/sys is the kernel's own, and no folder can be made there"),
        ] {
            let told = try faults(Self.ports + "state_dir = \"\(folder)\"")
            #expect(told.count == 1 && told[0].hasSuffix(words), "\(folder): \(told)")
            #expect(told[0].hasPrefix("gestured.toml:4: key state_dir: "))
        }
    }

    @Test func eachEntryOfAListIsTold() throws {
        let told = try faults(
            """
            events = [
              "tcp://localhost:22101", "tcp://127.0.0.1:99999", "udp://127.0.0.1:5",
              "ipc://", 7,
            ]
            updates = ["tcp://127.0.0.1", "tcp://256.1.1.1:1", "127.0.0.1:22"]
            control = ["tcp://127.0.0.1:*"]
            [security.clients.a]
            read = ["a b", "good*", "*x", "c/d"]
            publish = ["", "a**"]
            updates = ["ipc:///x", "tcp://1.2.3.4:70000"]
            """)
        let errors = [
            "3: key events: entry 5 must be a string",
            "2: key events: \"tcp://127.0.0.1:99999\": the port must be",
            "2: key events: \"udp://127.0.0.1:5\" is no endpoint",
            "3: key events: \"ipc://\" is no endpoint",
            "5: key updates: \"tcp://127.0.0.1\" is no endpoint",
            "5: key updates: \"127.0.0.1:22\" is no endpoint",
            "5: key updates: \"tcp://256.1.1.1:1\" cannot be bound: \"256.1.1.1\" is neither",
            "8: security.clients.a, key read: \"a b\" is no session's name",
            "8: security.clients.a, key read: \"*x\" is no session's name",
            "8: security.clients.a, key read: \"c/d\" is no session's name",
            "9: security.clients.a, key publish: \"\" is no session's name",
            "9: security.clients.a, key publish: \"a**\" is no session's name",
            "10: security.clients.a, key updates: \"ipc:///x\" must be a tcp endpoint",
            "10: security.clients.a, key updates: \"tcp://1.2.3.4:70000\": the port must be",
            "1: key events: \"tcp://localhost:22101\" cannot be bound: \"localhost\" is neither",
        ]
        for error in errors {
            #expect(
                told.contains { $0.hasPrefix("gestured.toml:\(error)") },
                "\(error)\n\(told.joined(separator: "\n"))")
        }
        let entries = try faults("events = [\n\"tcp://a\",\n\"udp://b:1\",\n\"tcp://c:99999\"]\n")
        for (line, words) in [(2, "\"tcp://a\" is no"), (3, "\"udp://b:1\" is no"), (4, "99999")] {
            #expect(
                entries.contains {
                    $0.hasPrefix("gestured.toml:\(line): key events: ") && $0.contains(words)
                }, "\(entries)")
        }
    }

    @Test(arguments: [
        (
            "[sockets]\nevents = [\"tcp://127.0.0.1:1\"]",
            ":2: sockets: unknown key \"events\": it stands at the top, above all [tables]"
        ),
        ("push = [\"tcp://127.0.0.1:1\"]", ":1: unknown key \"push\": it stands in [sockets]"),
        ("retention = 3", ":1: unknown key \"retention\": it stands in [sessions]"),
        (
            "[log]\ndurability = \"off\"",
            ":2: log: unknown key \"durability\": it stands in [store]"
        ),
        (
            "[security]\nread = [\"*\"]",
            ":2: security: unknown key \"read\": it stands in [security.clients.NAME]"
        ),
        (
            "[store]\nupdates = []",
            ":2: store: unknown key \"updates\": it stands at the top, above all [tables], or in "
                + "[security.clients.NAME]"
        ),
        ("frame_rate = \"60\"", ":1: key frame_rate: must be 30, 60 or 120, without quotes"),
        (
            "lanes = \"2\"",
            ":1: key lanes: must be a whole number from 0 to 64, without quotes"
        ),
        (
            "[sockets]\nipv6 = \"true\"",
            ":2: sockets, key ipv6: must be true or false, without quotes"
        ),
        (
            "[sessions]\nretention = \"90\"",
            ":2: sessions, key retention: must be a number from 1 to 315,360,000 (seconds), "
                + "without quotes"
        ),
    ])
    func aKeyInTheWrongPlaceAndANumberInQuotesAreToldPlainly(
        text: String, message: String
    ) throws {
        let folder = try Folder(text)
        let error = #expect(throws: StartError.self) { try Configuration(file: folder.file) }
        #expect(error?.message == folder.file + message, "\(error as Any)")
    }
}
