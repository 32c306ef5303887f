import Foundation
import Platform
import Testing

@testable import Daemon

struct ClusterOptionsTests {
    private static let url = "[store]\nurl = \"postgresql://db1/gestured\"\n"
    private static let wide = "updates = [\"tcp://10.0.0.11:7412\"]\n"

    /// A file with that text, beside an empty folder of scenes.
    private func read(_ text: String, _ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "gestured-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(
            atPath: folder + "/scenes", withIntermediateDirectories: true)
        let file = folder + "/gestured.toml"
        try "auto_open = \"\"\n\(text)".write(toFile: file, atomically: true, encoding: .utf8)
        try body(file)
    }

    private func options(_ text: String) throws -> ClusterOptions {
        var options = ClusterOptions()
        try read(text) { options = try Configuration(file: $0).cluster }
        return options
    }

    @Test func withoutAURLThereIsNoCluster() throws {
        #expect(try options("") == ClusterOptions())
        #expect(try options("[store]\nurl = \"\"\n[cluster]\nlease = 1.5") == ClusterOptions())
    }

    @Test func everyKeyIsTaken() throws {
        let text =
            Self.url + """
                [cluster]
                name = "left"
                advertise = "10.0.0.11"
                shards = 64
                lease = 3
                weight = 0
                """
        try read(
            "events = [\"tcp://10.0.0.11:7411\"]\ncontrol = [\"tcp://*:7413\"]\n" + Self.wide + text
        ) { file in
            let error = #expect(throws: StartError.self) { try Configuration(file: file) }
            #expect(error?.message.contains("needs security.server_key") == true, "\(error as Any)")
        }
        let found = try options(text.replacing("10.0.0.11", with: "localhost"))
        #expect(
            found
                == ClusterOptions(
                    url: "postgresql://db1/gestured", name: "left", advertise: "localhost",
                    shards: 64, leaseSeconds: 3, weight: 0, passFile: nil))
    }

    @Test(arguments: [
        ("[cluster]\nname = \"left\"", ":3: cluster, key name: needs url in [store]"),
        ("[cluster]\nadvertise = \"h\"", ":3: cluster, key advertise: needs url in [store]"),
        ("[cluster]\nshards = 1", ":3: cluster, key shards: needs url in [store]"),
        ("[cluster]\nlease = 2", ":3: cluster, key lease: needs url in [store]"),
        ("[cluster]\nweight = 2", ":3: cluster, key weight: needs url in [store]"),
        ("[cluster]\nlaese = 2", ":3: cluster: unknown key \"laese\", did you mean \"lease\"?"),
        ("cluster = 7", ":2: key cluster: must be a table"),
        ("[store]\nurl = 7", ":3: store, key url: must be a string"),
        ("[store]\nurl = \"gestured\"", ":3: store, key url: missing \"=\" after \"gestured\""),
        ("[store]\nurl = \"postgresql://db1/a?nonsense=1\"", ":3: store, key url: invalid URI"),
        ("[store]\nurl = \"postgresql://[db1\"", ":3: store, key url: "),
        ("[store]\nurl = \"mysql://db1/a\"", ":3: store, key url: "),
        (
            "[store]\ndurability = \"off\"\nurl = \"host=db1\"",
            ":3: store, key durability: must be \"full\" or \"normal\": url names a database"
        ),
    ])
    func anErrorNamesFileLineAndKey(text: String, message: String) throws {
        try read(text) { file in
            let error = #expect(throws: StartError.self) { try Configuration(file: file) }
            #expect(error?.message.hasPrefix(file + message) == true, "\(error as Any)")
            #expect(error?.message.contains("\n") == false)
        }
    }

    @Test(arguments: [
        ("name = \"a/b\"", "name: must be a name of 1 to 64"),
        ("name = \"\(String(repeating: "a", count: 65))\"", "name"),
        ("advertise = \"*\"", "advertise: must be the address"),
        ("advertise = \"0.0.0.0\"", "advertise: must be the address"),
        ("advertise = \"[::]\"", "advertise: must be the address"),
        ("advertise = \"10.0.0.11:7411\"", "advertise: must be the host of an endpoint"),
        ("advertise = \"tcp://10.0.0.11\"", "advertise: must be the host of an endpoint"),
        ("advertise = \"2001:db8::7\"", "advertise: must be the host of an endpoint"),
        ("advertise = \"[]\"", "advertise: must be the host of an endpoint"),
        ("advertise = \"a b\"", "advertise: must be the host of an endpoint"),
        ("advertise = \"\(String(repeating: "a", count: 254))\"", "advertise"),
        ("shards = 0", "shards: must be a whole number from 1 to 4096"),
        ("shards = 4097", "shards: must be a whole number from 1 to 4096"),
        ("lease = 0.9", "lease: must be a number from 1 to 60"),
        ("lease = 60.1", "lease: must be a number from 1 to 60"),
        ("lease = nan", "lease: must be"), ("weight = -1", "weight: must be a whole number"),
        ("weight = 1001", "weight: must be a whole number from 0 to 1000"),
        ("weight = 1.5", "weight: must be a whole number"),
    ])
    func whatIsOutOfRangeIsRefused(text: String, message: String) throws {
        try read("\(Self.url)[cluster]\n\(text)") { file in
            let error = #expect(throws: StartError.self) { try Configuration(file: file) }
            #expect(
                error?.message.hasPrefix("\(file):5: cluster, key \(message)") == true,
                "\(error as Any)")
        }
    }

    @Test func othersMustReachWhatIsAdvertised() throws {
        // The keys come later: without them another error would be there.
        try read(Self.wide + Self.url + "[cluster]\nweight = 1") { file in
            let error = #expect(throws: StartError.self) { try Configuration(file: file) }
            let first =
                "\(file):5: cluster, key advertise: is needed, since key updates has "
                + "\"tcp://10.0.0.11:7412\": the host under which others reach it"
            // The second error is that keys are missing.
            #expect(error?.message.hasPrefix("\(first) (and 1 more") == true, "\(error as Any)")
        }
        try read(Self.wide + Self.url + "[cluster]\nadvertise = \"10.0.0.11\"") { file in
            let error = #expect(throws: StartError.self) { try Configuration(file: file) }
            #expect(
                error?.message.hasPrefix("\(file): key events: no endpoint is reached from other")
                    == true, "\(error as Any)")
        }
    }

    @Test func endpointsAreToldWithTheHostThatIsAdvertised() {
        let bound = [
            "tcp://127.0.0.1:40001", "ipc:///run/events", "tcp://0.0.0.0:40002", "tcp://[::]:40002",
            "tcp://192.0.2.7:40003",
        ]
        #expect(ClusterOptions().advertised(bound) == bound)
        #expect(
            ClusterOptions(advertise: "left.example.org").advertised(bound) == [
                "tcp://left.example.org:40002", "tcp://left.example.org:40003",
            ])
        #expect(
            ClusterOptions(advertise: "[2001:db8::7]").advertised(bound) == [
                "tcp://[2001:db8::7]:40002", "tcp://[2001:db8::7]:40003",
            ])
        // All members are on this machine.
        #expect(
            ClusterOptions(advertise: "127.0.0.2").advertised(bound) == [
                "tcp://127.0.0.2:40001", "ipc:///run/events", "tcp://127.0.0.2:40002",
                "tcp://127.0.0.2:40003",
            ])
        #expect(ClusterOptions(advertise: "left").advertised(["ipc:///run/events"]).isEmpty)
    }

    @Test func theNameIsTheHostsByDefault() throws {
        var configuration = Configuration()
        #expect(configuration.memberName == Platform.Host.name)
        configuration.cluster.name = "left"
        #expect(configuration.memberName == "left")
    }

    @Test func aRestartAloneChangesAnyOfIt() {
        let running = Configuration()
        var other = running
        other.cluster = ClusterOptions(
            url: "host=db1", name: "left", advertise: "left", shards: 1, leaseSeconds: 2, weight: 3)
        #expect(
            other.keepFixed(of: running) == [
                "store.url", "cluster.name", "cluster.advertise", "cluster.shards", "cluster.lease",
                "cluster.weight",
            ])
        #expect(other.cluster == running.cluster)
    }
}
