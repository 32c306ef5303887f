// swift-tools-version: 6.2
import PackageDescription

// The arrows point down: the core knows nothing of the world, the edge knows all of the core.
let core: [Target] = [
    // The standard library calls libm to round and to take roots; nothing else here links it.
    .target(name: "Geometry", linkerSettings: [.linkedLibrary("m")]),
    .target(name: "Notation", dependencies: ["Geometry"]),
    .target(name: "Dynamics", dependencies: ["Geometry"]),
    .target(name: "Motion", dependencies: ["Geometry"]),
    .target(name: "Gestures", dependencies: ["Geometry"]),
    .target(
        name: "Interactions",
        dependencies: ["Geometry", "Notation", "Dynamics", "Motion", "Gestures"]),
    .target(
        name: "Sessions", dependencies: ["Geometry", "Notation", "Gestures", "Interactions"]),
    .target(
        name: "Scenes",
        dependencies: ["Geometry", "Notation", "Gestures", "Interactions", "Sessions"]),
    // Several daemons on one database: who owns which sessions.
    .target(name: "Membership"),
    // The name is long because it is what other packages import.
    .target(
        name: "GesturedCore",
        dependencies: [
            "Geometry", "Notation", "Motion", "Gestures", "Interactions", "Sessions", "Scenes",
        ],
        path: "Sources/Core"),
]

/// Puts Swift's libraries into the optimised programs, which then run without a toolchain: `make
/// build` asks for it. Objects are the same either way, so that tests share them; the tests' own
/// bundle cannot, for the testing library is a shared one. The linker leaves out what nothing
/// calls, keeps one of equal functions, packs relocations, and takes the names of all characters
/// from CSystem, which has none.
let programSettings: [LinkerSetting] =
    Context.environment["SWIFT_INSIDE"] == nil
    ? []
    : [
        .unsafeFlags(
            [
                "-static-stdlib", "-use-ld=lld", "-Xlinker", "--gc-sections", "-Xlinker",
                "--icf=all", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-z", "-Xlinker",
                "pack-relative-relocs", "-Xlinker", "--wrap=_swift_stdlib_getScalarName",
            ], .when(configuration: .release))
    ]

let edge: [Target] = [
    // Both by Glibc alone: Foundation would bring 34 MB of tables of languages into each program.
    .target(name: "Platform", dependencies: ["CSystem"]),
    .target(name: "Threads", dependencies: ["CSystem"]),
    .target(name: "Manual", dependencies: ["Notation"]),
    .target(name: "Security"),
    .target(name: "Protocol", dependencies: ["Geometry", "Notation", "CDocument"]),
    .target(
        name: "Codec",
        dependencies: [
            "Geometry", "Notation", "Motion", "Gestures", "Interactions", "Sessions", "Scenes",
            "Platform", "Protocol", "CDocument", "CSystem",
        ]),
    .target(name: "ZeroMQ", dependencies: ["CZeroMQ"]),
    .target(name: "Supervision", dependencies: ["Notation", "Platform", "CSystem"]),
    .target(
        name: "Store",
        dependencies: [
            "Membership", "Notation", "Threads", "CPostgres", "CSQLite", "CSodium", "CSystem",
        ]),
    .target(
        name: "Daemon",
        dependencies: [
            "Geometry", "Notation", "Gestures", "Interactions", "Sessions", "Scenes", "Manual",
            "Membership", "Platform", "Store", "Protocol", "Codec", "Security", "Supervision",
            "Threads", "ZeroMQ", "CSystem",
        ]),
    .target(name: "Recordings", dependencies: ["Motion", "Notation", "Protocol"]),
    .target(
        name: "Simulation",
        dependencies: [
            "Geometry", "Notation", "Gestures", "Interactions", "Membership", "Recordings",
            "Sessions", "Protocol", "Codec",
        ]),
    .target(
        name: "Pictures",
        dependencies: [
            "Geometry", "Notation", "Interactions", "Recordings", "Sessions", "Simulation",
            "Protocol", "Codec", "CPictures",
        ]),
    .target(
        name: "Schemas",
        dependencies: [
            "Geometry", "Notation", "Motion", "Gestures", "Interactions", "Sessions", "Protocol",
        ]),
    // The name is long because it is what other packages import.
    .target(
        name: "GesturedClient",
        dependencies: ["Geometry", "Notation", "Protocol", "Security", "ZeroMQ"],
        path: "Sources/Client"),
    .target(
        name: "Bridges",
        dependencies: ["Geometry", "Notation", "Protocol", "Recordings", "CLiblo"]),
    .target(name: "Web", dependencies: ["Notation", "Protocol"]),
    .target(
        name: "WebServer",
        dependencies: [
            "GesturedClient", "Manual", "Notation", "Platform", "Protocol", "Supervision", "Web",
            "ZeroMQ", "CSystem", "CWebSockets",
        ]),
    .executableTarget(
        name: "gestured", dependencies: ["Daemon"], linkerSettings: programSettings),
    .executableTarget(
        name: "gesture-web", dependencies: ["WebServer"], linkerSettings: programSettings),
    // gesturectl and its parts share these: the command line, the terminal, files, the connection.
    .target(
        name: "Commands",
        dependencies: [
            "GesturedClient", "Manual", "Notation", "Platform", "Protocol", "Recordings", "ZeroMQ",
        ]),
    // The recordings and scenes that commands name.
    .target(
        name: "RecordingFiles",
        dependencies: [
            "Geometry", "Notation", "Interactions", "Sessions", "Platform", "Protocol", "Codec",
            "Recordings", "Simulation", "Commands",
        ]),
    .target(
        name: "ToolCommands",
        dependencies: [
            "GesturedClient", "Geometry", "Interactions", "Manual", "Notation", "Platform",
            "Recordings", "Schemas", "Security", "Sessions", "Simulation", "Store", "Protocol",
            "Codec", "ZeroMQ", "Commands", "RecordingFiles",
        ]),
    .executableTarget(
        name: "gesturectl", dependencies: ["Commands", "ToolCommands"],
        linkerSettings: programSettings),
    // The parts of gesturectl that link what it is to run without: it starts them.
    .target(
        name: "PictureCommands",
        dependencies: [
            "GesturedClient", "Geometry", "Interactions", "Manual", "Notation", "Platform",
            "Recordings", "Sessions", "Pictures", "Commands", "RecordingFiles",
        ]),
    .executableTarget(
        name: "gesturectl-pictures", dependencies: ["Commands", "PictureCommands"],
        linkerSettings: programSettings),
    .target(
        name: "BridgeCommands",
        dependencies: [
            "GesturedClient", "Geometry", "Manual", "Notation", "Platform", "Recordings",
            "Protocol", "Supervision", "Threads", "Bridges", "Commands", "CEvdev", "CMosquitto",
            "CSystem",
        ]),
    .executableTarget(
        name: "gesturectl-bridges", dependencies: ["BridgeCommands", "Commands"],
        linkerSettings: programSettings),
]

/// Debian's folders of the headers of cairo, pango and chafa. The compiler passes over those of
/// other machines.
let pictureHeaders =
    [
        "include/cairo", "include/pango-1.0", "include/harfbuzz", "include/glib-2.0",
        "include/chafa",
    ]
    + ["x86_64", "aarch64"].flatMap {
        ["lib/\($0)-linux-gnu/glib-2.0/include", "lib/\($0)-linux-gnu/chafa/include"]
    }

let shims: [Target] = [
    // `pkgConfig` would pass -isystem, which SwiftPM prohibits; the module map links instead.
    .systemLibrary(name: "CZeroMQ", providers: [.apt(["libzmq3-dev"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"])]),
    .target(name: "CSystem"),
    // libpq's header alone: the library is loaded where a database is named.
    .target(name: "CPostgres"),
    // Its own header has plain types alone, so that Swift needs none of these folders.
    .target(
        name: "CPictures",
        cSettings: [.unsafeFlags(pictureHeaders.map { "-I/usr/\($0)" })],
        linkerSettings: [
            "cairo", "pangocairo-1.0", "pango-1.0", "gobject-2.0", "glib-2.0", "webp", "webpmux",
            "chafa",
        ].map { .linkedLibrary($0) }),
    .target(
        name: "CWebSockets",
        linkerSettings: [.linkedLibrary("websockets"), .linkedLibrary("z")]),
    .target(name: "CLiblo", linkerSettings: [.linkedLibrary("lo")]),
    .target(
        name: "CEvdev", cSettings: [.unsafeFlags(["-I/usr/include/libevdev-1.0"])],
        linkerSettings: [.linkedLibrary("evdev")]),
    .target(name: "CMosquitto", linkerSettings: [.linkedLibrary("mosquitto")]),
    .target(
        name: "CDocument",
        linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("tomlplusplus")]),
]

/// The engine's side of the comparison with Box2D, for `make bench`.
let benchmarks: [Target] = [
    .target(name: "Measure", path: "Benchmarks/Measure"),
    .executableTarget(
        name: "worlds", dependencies: ["Dynamics", "Geometry", "Measure"],
        path: "Benchmarks/Worlds"),
]

let support: [Target] = [
    .target(
        name: "TestSupport",
        dependencies: ["Geometry", "Notation", "Motion", "Gestures", "Interactions", "Sessions"],
        path: "Tests/Support"),
    .target(
        name: "ClientSupport", dependencies: ["GesturedClient", "Notation", "Protocol", "ZeroMQ"],
        path: "Tests/ClientSupport"),
    .target(
        name: "StoreSupport", dependencies: ["Membership", "Store"], path: "Tests/StoreSupport"),
    // The Swift client's adapter to the conformance suite.
    .executableTarget(
        name: "conform", dependencies: ["GesturedClient", "Notation", "Protocol"],
        path: "Tests/Conformance/adapters/swift"),
]

let coreTests: [Target] = [
    .testTarget(name: "GeometryTests", dependencies: ["Geometry", "TestSupport"]),
    .testTarget(
        name: "DynamicsTests", dependencies: ["Dynamics", "TestSupport"],
        exclude: ["Goldens", "Oracle"]),
    .testTarget(name: "MotionTests", dependencies: ["Motion", "TestSupport"]),
    .testTarget(
        name: "GesturesTests", dependencies: ["Gestures", "TestSupport"], exclude: ["Goldens"]),
    .testTarget(
        name: "InteractionsTests", dependencies: ["Interactions", "TestSupport"],
        exclude: ["Tips/Goldens"]),
    .testTarget(
        name: "SessionsTests", dependencies: ["Sessions", "TestSupport"], exclude: ["Goldens"]),
    .testTarget(name: "MembershipTests", dependencies: ["Geometry", "Membership"]),
    .testTarget(name: "GesturedCoreTests", dependencies: ["GesturedCore"]),
    .testTarget(name: "TidyTests"),
]

let edgeTests: [Target] = [
    .testTarget(name: "ProtocolTests", dependencies: ["Protocol", "TestSupport"]),
    .testTarget(name: "CodecTests", dependencies: ["Protocol", "Codec", "TestSupport"]),
    .testTarget(name: "SchemasTests", dependencies: ["Schemas", "TestSupport"]),
    .testTarget(name: "ManualTests", dependencies: ["Manual"]),
    .testTarget(name: "PlatformTests", dependencies: ["Platform"]),
    .testTarget(name: "ThreadsTests", dependencies: ["Threads"]),
    .testTarget(name: "SecurityTests", dependencies: ["Security", "ZeroMQ"]),
    .testTarget(name: "ZeroMQTests", dependencies: ["ZeroMQ"]),
    .testTarget(name: "WebTests", dependencies: ["Geometry", "Notation", "Protocol", "Web"]),
    .testTarget(
        name: "BridgesTests",
        dependencies: ["Bridges", "Geometry", "Notation", "Protocol", "Recordings"]),
    .testTarget(name: "StoreTests", dependencies: ["Membership", "Store", "StoreSupport"]),
    // It runs the documentation's example against the daemon itself.
    .testTarget(
        name: "ClientTests",
        dependencies: [
            "GesturedClient", "Notation", "Protocol", "Security", "ZeroMQ", "ClientSupport",
        ]),
    .testTarget(
        name: "CommandsTests",
        dependencies: [
            "Commands", "Geometry", "GesturedClient", "Notation", "Protocol", "TestSupport",
            "ZeroMQ",
        ]),
    .testTarget(name: "RecordingFilesTests", dependencies: ["Commands", "RecordingFiles"]),
    .testTarget(
        name: "gesturectlTests",
        dependencies: [
            "Geometry", "GesturedClient", "Manual", "Notation", "Pictures", "Recordings",
            "Protocol", "ZeroMQ", "Commands", "ToolCommands", "PictureCommands",
            "ClientSupport", "TestSupport",
        ]),
    .testTarget(
        name: "PicturesTests",
        dependencies: [
            "Codec", "Geometry", "Notation", "Pictures", "Protocol", "Recordings", "Sessions",
            "Simulation",
        ]),
    .testTarget(
        name: "DaemonTests",
        dependencies: [
            "Daemon", "Membership", "Platform", "Security", "Store", "StoreSupport",
            "Supervision", "TestSupport",
        ]),
    .testTarget(
        name: "SimulationTests",
        dependencies: [
            "Geometry", "Membership", "Recordings", "Simulation", "Protocol", "Codec",
            "TestSupport",
        ],
        exclude: ["Goldens", "Reactions/Goldens"]),
    .testTarget(
        name: "RecordingsTests",
        dependencies: ["Geometry", "Notation", "Recordings", "Simulation", "Protocol", "Codec"]),
]

/// The modules whose tests start threads, alone or through a module that they use. The thread
/// sanitizer looks at these: tests of values have nothing that it could find.
let threadTests: Set<String> = [
    "ClientTests", "CommandsTests", "DaemonTests", "RecordingFilesTests", "SecurityTests",
    "StoreTests", "ThreadsTests", "ZeroMQTests", "gesturectlTests",
]

/// The modules whose tests compare goldens, which the optimised build runs again.
let goldenTests: Set<String> = [
    "DynamicsTests", "GesturesTests", "InteractionsTests", "SchemasTests", "SessionsTests",
    "SimulationTests",
]

/// The tests that are built: those of all modules, or the part that TESTS names. The sanitizers
/// look at the edge alone: the core is values only, with no threads and no memory of its own, and
/// its tests would take each of them many minutes.
let tests: [Target]
switch Context.environment["TESTS"] {
case "edge": tests = edgeTests
case "threads": tests = edgeTests.filter { threadTests.contains($0.name) }
case "goldens": tests = (coreTests + edgeTests).filter { goldenTests.contains($0.name) }
// The edge has goldens too.
case "core": tests = coreTests + edgeTests.filter { goldenTests.contains($0.name) }
default: tests = coreTests + edgeTests
}

/// The fuzzer, for `make fuzz`; an ordinary build has no use for it.
let fuzzers: [Target] = [
    .target(
        name: "CFuzz", dependencies: ["CWebSockets"], path: "Tests/Fuzz/CFuzz",
        cSettings: [.headerSearchPath("../../../Sources/CWebSockets")]),
    .executableTarget(
        name: "fuzz",
        dependencies: [
            "Bridges", "Codec", "Daemon", "Geometry", "Interactions", "Notation", "Protocol",
            "Recordings", "Security", "Sessions", "Simulation", "Web", "CFuzz", "CWebSockets",
            "TestSupport",
        ],
        path: "Tests/Fuzz", exclude: ["CFuzz", "Corpus"]),
]

let isFuzzing = Context.environment["GESTURED_FUZZ"] != nil

let package = Package(
    name: "gestured",
    products: [
        .executable(name: "gestured", targets: ["gestured"]),
        .executable(name: "gesturectl", targets: ["gesturectl"]),
        .executable(name: "gesturectl-pictures", targets: ["gesturectl-pictures"]),
        .executable(name: "gesturectl-bridges", targets: ["gesturectl-bridges"]),
        .executable(name: "gesture-web", targets: ["gesture-web"]),
        .library(name: "GesturedClient", targets: ["GesturedClient"]),
        .library(name: "GesturedCore", targets: ["GesturedCore"]),
    ],
    targets: core + edge + shims + benchmarks + support + tests + (isFuzzing ? fuzzers : []),
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

for target in package.targets where target.type != .system {
    let shims: Set = [
        "CEvdev", "CDocument", "CFuzz", "CLiblo", "CMosquitto", "CPictures", "CPostgres", "CSystem",
        "CWebSockets", "Measure",
    ]
    if shims.contains(target.name) { continue }
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
        // Every update passes four modules: without it none of their small functions is inlined,
        // and each access of a lane to its own state is checked, as debug builds do.
        // Swift 6.3 inlines what is `package` across modules only where tests are enabled.
        .unsafeFlags(
            [
                "-cross-module-optimization", "-enable-testing",
                "-enforce-exclusivity=unchecked",
            ],
            .when(configuration: .release)),
    ]
    // The library of regular expressions is a fifteenth of a program: none has it.
    if (core + edge).contains(where: { $0.name == target.name }) {
        target.swiftSettings?.append(
            .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]))
    }
    // The steps are chains of dependent operations, in which each shuffle between lanes costs time:
    // where two numbers go side by side, the source says so.
    if target.name == "Dynamics" {
        target.swiftSettings?.append(
            .unsafeFlags(["-Xllvm", "-vectorize-slp=false"], .when(configuration: .release)))
    }
    // They wait for a person or a database: they are small rather than fast.
    if [
        "Commands", "GesturedClient", "Manual", "Membership", "RecordingFiles", "Recordings",
        "Scenes", "Schemas", "Simulation", "Store", "ToolCommands",
    ].contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-Osize"], .when(configuration: .release)))
    }
    // Tests are not optimised, they would take minutes more to compile; benchmarks are.
    if target.type == .test, Context.environment["BENCHMARK"] == nil {
        target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
    }
}
