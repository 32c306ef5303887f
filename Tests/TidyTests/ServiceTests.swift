import Testing

/// The units and the package that make a service of the programs.
struct ServiceTests {
    private static func directives(_ unit: String) throws -> [Substring] {
        try Repository.lines(of: "systemd/\(unit)").filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }

    @Test func anInstanceIsTheServiceUnderOtherNames() throws {
        let renamed = try Self.directives("gestured.service").map { line in
            line.replacing("gestured/gestured.toml", with: "gestured/%i.toml")
                .replacing("Directory=gestured", with: "Directory=gestured-%i")
                .replacing("User=_gestured", with: "User=_gestured-%i")
                .replacing(
                    "Credential=gestured.key", with: "Credential=gestured.key:gestured-%i.key"
                )
                .replacing(
                    "Credential=gestured.server_key",
                    with: "Credential=gestured.server_key:gestured-%i.server_key"
                )
                .replacing(
                    "Description=Motion server", with: "Description=Motion server (instance %i)")
        }
        #expect(try Self.directives("gestured@.service") == renamed)
    }

    @Test func programsAndConfigurationStandWhereTheyAreInstalled() throws {
        for line in try Self.directives("gestured.service") where line.hasPrefix("Exec") {
            #expect(!line.contains("=/usr") && !line.contains("/etc/"), "\(line)")
        }
    }

    /// The bridges' units are shut in as gesture-web's is; what one of them opens is named here.
    @Test(arguments: [
        ("gesture-mqtt.service", []), ("gesture-badge@.service", []),
        (
            "gesture-tuio@.service",
            ["StartLimitIntervalSec=5min", "StartLimitBurst=20", "RestartSec=1"]
        ),
        ("gesture-evdev@.service", ["PrivateDevices=yes", "ProtectClock=yes"]),
    ])
    func aBridgeIsShutInAsTheWebIs(unit: String, opened: [Substring]) throws {
        let ownNames = [
            "Description", "Documentation", "ExecStart", "User", "MemoryMax", "TasksMax",
            "LimitNOFILE", "TimeoutStopSec", "After",
        ]
        let wanted = try Self.directives("gesture-web.service").filter { line in
            !ownNames.contains { line.hasPrefix($0 + "=") } && !opened.contains(line)
        }
        let found = try Self.directives(unit)
        for line in wanted { #expect(found.contains(line), "\(unit) lacks \(line)") }
        for name in ownNames { #expect(found.contains { $0.hasPrefix(name + "=") }, "\(name)") }
    }

    @Test(arguments: ["gesture-tuio@.service", "gesture-mqtt.service"])
    func aBridgeToOtherMachinesStartsAfterTheNetwork(unit: String) throws {
        let found = try Self.directives(unit)
        #expect(found.contains("Wants=network-online.target"))
        #expect(found.contains { $0.hasPrefix("After=") && $0.contains("network-online.target") })
    }

    /// The address of a table's network may come long after the machine.
    @Test func aTableIsTriedAgainWithoutEnd() throws {
        let found = try Self.directives("gesture-tuio@.service")
        #expect(found.contains("StartLimitIntervalSec=0") && found.contains("Restart=on-failure"))
    }

    @Test func thePackageHasTheVersionOfTheSources() throws {
        let version = try Repository.text(of: "Sources/Manual/Version.swift")
            .firstMatch(of: /text = "([^"]+)"/)
        let package = try Repository.text(of: "systemd/debian/changelog")
            .prefixMatch(of: /gestured \(([^)]+)\)/)
        #expect(version != nil && version?.1 == package?.1)
    }
}
