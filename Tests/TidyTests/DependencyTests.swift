import Testing

/// The targets' links, as the manifest draws them.
struct DependencyTests {
    /// A target's name and the names it depends on.
    private static func targets() throws -> [String: Set<String>] {
        let manifest = try Repository.text(of: "Package.swift")
        let pattern = /arget\(\s*name: "([\w-]+)"(?:,\s*dependencies: \[([^\]]*)\])?/
        return Dictionary(
            uniqueKeysWithValues: manifest.matches(of: pattern).map { match in
                let names = (match.2 ?? "").matches(of: /"([\w-]+)"/).map { String($0.1) }
                return (String(match.1), Set(names))
            })
    }

    private static func closure(of name: String) throws -> Set<String> {
        let targets = try targets()
        var found: Set<String> = []
        var next = [name]
        while let name = next.popLast() {
            for dependency in targets[name] ?? [] where found.insert(dependency).inserted {
                next.append(dependency)
            }
        }
        return found
    }

    /// A program that publishes JSON links no physics.
    @Test(arguments: ["GesturedClient", "Protocol"])
    func theClientLinksNothingOfTheEngine(target: String) throws {
        let allowed: Set = [
            "Geometry", "Notation", "Protocol", "Security", "ZeroMQ", "CDocument", "CZeroMQ",
        ]
        let closure = try Self.closure(of: target)
        #expect(closure.contains("Notation"), "the manifest was not understood")
        #expect(closure.subtracting(allowed).isEmpty)
    }

    /// An app that embeds the core needs no library of the system.
    @Test func theCoreLinksNothingOfTheWorld() throws {
        let closure = try Self.closure(of: "GesturedCore")
        #expect(
            closure == [
                "Geometry", "Notation", "Dynamics", "Motion", "Gestures", "Interactions",
                "Sessions", "Scenes",
            ])
    }

    /// Who owns which session is decided without the sessions; the simulation plays the daemon's
    /// own decisions.
    @Test func membershipLinksNothingAndIsWhatBothPlay() throws {
        #expect(try Self.closure(of: "Membership").isEmpty)
        for target in ["Daemon", "Simulation"] {
            #expect(try Self.targets()[target]?.contains("Membership") == true)
        }
    }

    /// Its tables of languages alone would make each program 34 MB larger.
    @Test func noProgramImportsFoundation() throws {
        for file in Repository.files(under: "Sources", endings: [".swift"]) {
            let text = try Repository.text(of: file)
            #expect(!text.contains(/(?m)^\s*(?:\w+ )?import Foundation/), "\(file)")
        }
    }

    /// Installed programs have no names of characters, so these must not be asked for.
    @Test func nothingAsksForTheNameOfACharacter() throws {
        for file in Repository.files(under: "Sources", endings: [".swift"]) {
            let text = try Repository.text(of: file)
            #expect(!text.contains(/\bproperties\s*\.name(?:Alias)?\b/), "\(file)")
        }
    }

    private static let programs = [
        "gestured", "gesture-web", "gesturectl", "gesturectl-pictures", "gesturectl-bridges",
    ]

    /// Each program, and what it alone has of what is large or needs libraries of its own:
    /// pictures are for people, and bridges for devices and brokers.
    @Test(arguments: [
        ("gesturectl-pictures", ["Pictures", "CPictures"]),
        ("gesturectl-bridges", ["Bridges", "CLiblo", "CEvdev", "CMosquitto"]),
        ("gesture-web", ["WebServer", "CWebSockets"]), ("gestured", ["Daemon"]),
    ])
    func oneProgramAloneLinks(program: String, alone: [String]) throws {
        let modules = Set(alone)
        for other in Self.programs {
            let closure = try Self.closure(of: other)
            #expect(closure.contains("Protocol"), "the manifest was not understood")
            if other == program {
                #expect(closure.isSuperset(of: modules))
            } else {
                #expect(closure.isDisjoint(with: modules), "\(other)")
            }
        }
    }

    /// A program's linker flags, which put Swift's libraries into it, would reach the bundle of the
    /// tests; the testing library is a shared one, so the bundle would not link.
    @Test func noTestDependsOnAProgram() throws {
        let manifest = try Repository.text(of: "Package.swift")
        let pattern = /executableTarget\(\s*name: "([\w-]+)"/
        let programs = Set(manifest.matches(of: pattern).map { String($0.1) })
        #expect(programs.isSuperset(of: Self.programs), "the manifest was not understood")
        for name in try Self.targets().keys where name.hasSuffix("Tests") {
            #expect(try Self.closure(of: name).isDisjoint(with: programs), "\(name)")
        }
    }

    /// A bridge speaks with a daemon; it runs no session itself.
    @Test func theBridgesLinkNothingOfTheEngine() throws {
        let engine: Set = ["Dynamics", "Interactions", "Sessions", "Codec", "Simulation", "Store"]
        #expect(try Self.closure(of: "gesturectl-bridges").isDisjoint(with: engine))
    }

    /// The database of several daemons is the store's alone; its tool copies a file into it.
    @Test func theStoreAloneLinksDatabases() throws {
        let databases: Set = ["CPostgres", "CSQLite"]
        let linking = try Self.targets().filter { !$0.value.isDisjoint(with: databases) }
        #expect(Set(linking.keys) == ["Store"])
        for program in ["gestured", "gesturectl"] {
            #expect(try Self.closure(of: program).isSuperset(of: databases))
        }
    }

    @Test func theBridgeForBrowsersLinksNothingOfTheEngine() throws {
        let engine: Set = [
            "Dynamics", "Motion", "Gestures", "Interactions", "Sessions", "Codec", "Store",
            "Daemon", "CPostgres",
        ]
        let closure = try Self.closure(of: "WebServer")
        #expect(closure.isSuperset(of: ["Web", "ZeroMQ", "CWebSockets"]))
        #expect(closure.isDisjoint(with: engine))
    }

    /// The build finds modules that the manifest does not name, if they happen to be built.
    @Test(arguments: [
        "Client", "Protocol", "Notation", "Security", "ZeroMQ", "Supervision", "Web", "WebServer",
    ])
    func theClientImportsNothingOfTheEngine(folder: String) throws {
        let engine = /\bimport (?:Dynamics|Motion|Gestures|Interactions|Sessions|Codec)\b/
        for file in Repository.files(under: "Sources/\(folder)", endings: [".swift"]) {
            let text = try Repository.text(of: file)
            #expect(!text.contains(engine), "\(file) imports the engine")
        }
    }

    /// The thread sanitizer passes over the tests of modules that share nothing between threads.
    @Test func theThreadSanitizerSeesEveryModuleWithThreads() throws {
        let manifest = try Repository.text(of: "Package.swift")
        let list = try #require(manifest.firstMatch(of: /let threadTests[^\[]*\[([^\]]*)\]/))
        let seen = Set(list.1.matches(of: /"(\w+)"/).map { String($0.1) })
        let threads = /\bimport (?:Dispatch|Synchronization)\b|\bpthread_create\b/
        let shared = try Repository.files(under: "Sources", endings: [".swift", ".c", ".cpp"])
            .filter { try Repository.text(of: $0).contains(threads) }
            .map { String($0.split(separator: "/")[1]) }
            .map { $0 == "Client" ? "GesturedClient" : $0 }
        #expect(Set(shared).isSuperset(of: ["Daemon", "GesturedClient", "ZeroMQ", "ToolCommands"]))
        for name in try Self.targets().keys where name.hasSuffix("Tests") && !seen.contains(name) {
            let with = try Self.closure(of: name).intersection(shared)
            #expect(with.isEmpty, "\(name) is not in threadTests, and uses \(with)")
        }
    }
}
