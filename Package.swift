// swift-tools-version: 6.2
import PackageDescription

/// What every target of ours is compiled with: the order of docs/decisions/018-modules.md holds because the compiler checks them.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let tests: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

/// Tests are compiled without debug information, which takes a seventh of their compilation, and without optimisation in the
/// release build, too: what they examine is optimised there, to optimise the tests themselves takes almost as long as all
/// of the engine. `TEST_SYMBOLS=1` gives a debugger what it wants.
let plain: [SwiftSetting] =
    tests + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
    + (Context.environment["TEST_SYMBOLS"] == "1" ? [] : [.unsafeFlags(["-gnone"])])

/// The toolchain's own linker takes a quarter of the system's time, and tests and examples are nineteen programs.
let lld: [LinkerSetting] = [.unsafeFlags(["-use-ld=lld"])]

let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

/// A product of a package that only those resolve who have the trait. There is one trait and no more: SwiftPM 6.3 passes the
/// names of several to the compiler in an order of chance, and then each build compiles everything anew.
func product(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Plugins"]))
}

let nioCore = product("NIOCore", "swift-nio")
let nioPosix = product("NIOPosix", "swift-nio")
let nio = [nioCore, nioPosix, product("NIOHTTP1", "swift-nio"), product("NIOSSL", "swift-nio-ssl")]
let http: [Target.Dependency] = ["TrackEngine", "TrackEngineSettings", "HTTPDelivery", "SealedFiles", logging] + nio
let grdb = product("GRDB", "GRDB.swift")
let sqlite = product("GRDBSQLite", "GRDB.swift")
let coreMetrics = product("CoreMetrics", "swift-metrics")
let metricsTestKit = product("MetricsTestKit", "swift-metrics")
let lifecycle = product("ServiceLifecycle", "swift-service-lifecycle")
let arguments = product("ArgumentParser", "swift-argument-parser")
let yams = product("Yams", "Yams")

/// What speaks OwnTracks.
let ownTracks: [Target.Dependency] = ["OwnTracksFormat", "Sealing"]

/// What the agent is made of.
let agent: [Target.Dependency] = [
    "TrackEngine", "TrackEngineSettings", "TrackEngineFormats", "TrackEngineTune", "TrackEnginePlaces",
    "TrackEngineGPSD", "TrackEngineReplay", "TrackEngineSimulated", "TrackEngineFiles", "TrackEngineHTTP",
    "TrackEngineMQTT", "TrackEngineMiataru", "TrackEngineSQLite", "TrackEngineHistory", "TrackEngineServer",
    "TrackEngineLifecycle", "QRCodes", "SealedFiles", logging, arguments, lifecycle,
    product("UnixSignals", "swift-service-lifecycle"), yams, nioCore, nioPosix,
]

/// What the fuzz targets take bytes into.
let fuzzed: [Target.Dependency] =
    [
        "GPSDProtocol", "TrackEngineGPSD", "TrackEngineReplay", "HTTPDelivery", "TrackEngineHTTP", "TrackEngineMQTT",
        "TrackEngineAgent", "TrackEngineSettings", "TrackEngineFormats", "SenderFormats", "OwnTracksFormat",
        "TrackEngineMiataru", "TrackEnginePlaces", product("NIOEmbedded", "swift-nio"),
    ] + nio

let package = Package(
    name: "track-engine",
    products: [
        .library(name: "TrackEngine", targets: ["TrackEngine"]),
        .library(name: "TrackEngineGPSD", targets: ["TrackEngineGPSD"]),
        .library(name: "TrackEngineReplay", targets: ["TrackEngineReplay"]),
        .library(name: "TrackEngineSimulated", targets: ["TrackEngineSimulated"]),
        .library(name: "TrackEngineHTTP", targets: ["TrackEngineHTTP"]),
        .library(name: "TrackEngineMiataru", targets: ["TrackEngineMiataru"]),
        .library(name: "TrackEngineMQTT", targets: ["TrackEngineMQTT"]),
        .library(name: "TrackEngineFiles", targets: ["TrackEngineFiles"]),
        .library(name: "TrackEngineSQLite", targets: ["TrackEngineSQLite"]),
        .library(name: "TrackEngineHistory", targets: ["TrackEngineHistory"]),
        .library(name: "TrackEngineServer", targets: ["TrackEngineServer"]),
        .library(name: "TrackEngineLifecycle", targets: ["TrackEngineLifecycle"]),
        .library(name: "TrackEngineMetrics", targets: ["TrackEngineMetrics"]),
        .library(name: "TrackEngineSettings", targets: ["TrackEngineSettings"]),
        .library(name: "TrackEngineFormats", targets: ["TrackEngineFormats"]),
        .library(name: "TrackEngineTune", targets: ["TrackEngineTune"]),
        .library(name: "TrackEnginePlaces", targets: ["TrackEnginePlaces"]),
        .library(name: "TrackEngineAgent", targets: ["TrackEngineAgent"]),
        .library(name: "TrackEngineCodable", targets: ["TrackEngineCodable"]),
        .library(name: "TrackEngineTestKit", targets: ["TrackEngineTestKit"]),
        .executable(name: "trackd", targets: ["trackd"]),
    ],
    // What a user of the core alone does not have to resolve. Whoever names no traits has it.
    traits: [
        .trait(
            name: "Plugins",
            description:
                "What others' packages are needed for: TrackEngineHTTP, SQLite, History, Metrics, Lifecycle and Agent"),
        .default(enabledTraits: ["Plugins"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        // The core and what ships with it.
        .target(name: "TrackEngine", dependencies: [logging], swiftSettings: strict),
        .target(name: "TrackEngineTestKit", dependencies: ["TrackEngine"], swiftSettings: strict),
        .target(
            name: "TrackEngineCodable", dependencies: ["TrackEngine"], path: "Sources/Codable", swiftSettings: strict),

        .target(
            name: "TrackEngineSettings", dependencies: ["TrackEngine", logging], path: "Sources/Settings",
            swiftSettings: strict),

        // Sources.
        .target(name: "GPSDProtocol", dependencies: ["TrackEngine"], swiftSettings: strict),
        .systemLibrary(name: "CGPS", pkgConfig: "libgps", providers: [.apt(["libgps-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "Gzip", dependencies: ["CZlib"], swiftSettings: strict),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .target(name: "Sealing", dependencies: ["CSodium"], swiftSettings: strict),
        .target(
            name: "SealedFiles", dependencies: ["TrackEngine", "TrackEngineSettings", "Sealing"],
            swiftSettings: strict),
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .target(name: "QRCodes", dependencies: ["CQREncode"], swiftSettings: strict),
        .target(
            name: "OwnTracksFormat", dependencies: ["TrackEngine", "TrackEngineSettings", "Sealing"],
            swiftSettings: strict),
        .target(
            name: "TrackEngineGPSD",
            dependencies: ["TrackEngine", "TrackEngineSettings", "GPSDProtocol", "CGPS", logging],
            path: "Sources/Sources-GPSD", swiftSettings: strict),
        .target(
            name: "TrackEngineReplay",
            dependencies: [
                "TrackEngine", "TrackEngineSettings", "TrackEngineFormats", "GPSDProtocol", "Gzip", logging,
            ],
            path: "Sources/Sources-Replay", swiftSettings: strict),
        .target(
            name: "TrackEngineSimulated", dependencies: ["TrackEngine", "TrackEngineSettings"],
            path: "Sources/Sources-Simulated", swiftSettings: strict),

        // Sinks and the store.
        .target(
            name: "HTTPDelivery",
            dependencies: ["TrackEngine", "TrackEngineSettings", product("AsyncHTTPClient", "async-http-client")] + nio,
            swiftSettings: strict),
        .target(
            name: "TrackEngineHTTP", dependencies: http + ownTracks, path: "Sources/Sinks-HTTP", swiftSettings: strict),
        .target(
            name: "TrackEngineMiataru", dependencies: http, path: "Sources/Sinks-Miataru", swiftSettings: strict),
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev", "libssl-dev"])]),
        .target(
            name: "TrackEngineMQTT",
            dependencies: ["TrackEngine", "TrackEngineSettings", "CMosquitto", logging] + ownTracks,
            path: "Sources/Sinks-MQTT", swiftSettings: strict),
        .target(
            name: "TrackEngineFiles",
            dependencies: ["TrackEngine", "TrackEngineSettings", "TrackEngineFormats", "Gzip", "CZlib", logging],
            path: "Sources/Sinks-File", swiftSettings: strict),
        .target(name: "SQLiteAccess", dependencies: ["TrackEngine", grdb, sqlite], swiftSettings: strict),
        .target(
            name: "TrackEngineSQLite",
            dependencies: [
                "TrackEngine", "TrackEngineSettings", "SQLiteAccess", "Sealing", "CZlib", logging, grdb, sqlite,
            ],
            path: "Sources/Store-SQLite", swiftSettings: strict),

        // Tracks of many devices, over years.
        .target(
            name: "TrackEngineHistory",
            dependencies: ["TrackEngine", "TrackEngineSettings", "SQLiteAccess", "Sealing", logging, grdb, sqlite],
            path: "Sources/History", swiftSettings: strict),

        // The engine's numbers for a metrics backend.
        .target(
            name: "TrackEngineMetrics", dependencies: ["TrackEngine", coreMetrics, lifecycle], path: "Sources/Metrics",
            swiftSettings: strict),

        // What phones and other programs send to a server.
        .target(
            name: "SenderFormats",
            dependencies: ["TrackEngine", "TrackEngineSettings", "TrackEngineFormats", "TrackEngineHistory"]
                + ownTracks,
            swiftSettings: strict),

        // A receiver of tracks, and what shows them.
        .systemLibrary(name: "CServer", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(
            name: "TrackEngineServer",
            dependencies: [
                "TrackEngine", "TrackEngineSettings", "TrackEngineFormats", "TrackEngineHistory", "TrackEngineMetrics",
                "SenderFormats", "OwnTracksFormat", "TrackEnginePlaces", "Gzip", "QRCodes", "CServer", "SQLiteAccess",
                "SealedFiles", grdb, sqlite, logging, lifecycle, coreMetrics, product("Metrics", "swift-metrics"),
                product("Hummingbird", "hummingbird"), product("HummingbirdCore", "hummingbird"),
                product("HummingbirdTLS", "hummingbird"), product("HTTPTypes", "swift-http-types"),
                product("NIOHTTPTypes", "swift-nio-extras"),
            ] + nio,
            path: "Sources/Server", resources: [.embedInCode("Page/Files")], swiftSettings: strict),

        // The engine as a service among others.
        .target(
            name: "TrackEngineLifecycle", dependencies: ["TrackEngine", lifecycle], path: "Sources/Lifecycle",
            swiftSettings: strict),

        // Tools for recorded tracks.
        .target(
            name: "TrackEngineFormats", dependencies: ["TrackEngine"], path: "Sources/Formats", swiftSettings: strict),
        .target(
            name: "TrackEngineTune",
            dependencies: ["TrackEngine", "TrackEngineSettings", "TrackEngineFormats", "TrackEnginePlaces"],
            path: "Sources/Tune", swiftSettings: strict),

        // What a track means: places, visits and trips, as values.
        .target(
            name: "TrackEnginePlaces", dependencies: ["TrackEngine", "TrackEngineFormats"], path: "Sources/Places",
            swiftSettings: strict),

        // The agent.
        .target(name: "TrackEngineAgent", dependencies: agent, path: "Sources/Agent", swiftSettings: strict),
        .executableTarget(name: "trackd", dependencies: ["TrackEngineAgent"], swiftSettings: strict),

        // Tests. Support is shared; Receiver (HTTP), Subscriber (MQTT) and StoreWriter are processes that tests start.
        .target(name: "Spawning", path: "Tests/Spawning"),
        .target(
            name: "TestSupport", dependencies: ["Spawning", "TrackEngineTestKit"], path: "Tests/Support",
            exclude: ["Messages.golden"], swiftSettings: tests),
        .executableTarget(
            name: "test-receiver", dependencies: nio, path: "Tests/Receiver", swiftSettings: tests, linkerSettings: lld),
        .executableTarget(
            name: "test-subscriber", dependencies: ["CMosquitto"], path: "Tests/Subscriber", swiftSettings: tests,
            linkerSettings: lld),
        .target(name: "AllocationProbe", path: "Tests/AllocationProbe"),
        testTarget("TrackEngineTests", ["AllocationProbe", "TrackEngineReplay", "TrackEngineSimulated"]),
        .executableTarget(
            name: "store-writer", dependencies: ["TrackEngine", "TrackEngineSQLite", logging, sqlite],
            path: "Tests/StoreWriter", swiftSettings: tests, linkerSettings: lld),
        testTarget("CodableTests", ["TrackEngineCodable", "TrackEngineMQTT", "TrackEngineSimulated"]),
        testTarget("SettingsTests", ["TrackEngineSettings"]),
        testTarget("SealingTests", ["Sealing", "SealedFiles", "TrackEngineSettings"]),
        testTarget("OwnTracksTests", ["OwnTracksFormat", "Sealing", "TrackEngineSettings"]),
        testTarget("QRCodesTests", ["QRCodes"]),
        testTarget("GPSDTests", ["GPSDProtocol", "TrackEngineGPSD", "CGPS"]),
        testTarget("FormatsTests", ["TrackEngineFormats"]),
        testTarget(
            "ReplayTests", ["TrackEngineReplay", "TrackEngineSettings", "TrackEngineFormats", logging],
            exclude: ["Golden"]),
        testTarget("SimulatedTests", ["TrackEngineSimulated"]),
        testTarget("PlacesTests", ["TrackEnginePlaces", "TrackEngineTune", "AllocationProbe", "TrackEngineSimulated"]),
        testTarget(
            "HTTPTests",
            ["TrackEngineHTTP", "HTTPDelivery", "OwnTracksFormat", "TrackEngineSettings", "test-receiver"],
            exclude: ["Golden"]),
        testTarget("MiataruTests", ["TrackEngineMiataru", "HTTPDelivery", "TrackEngineSettings", "test-receiver"]),
        testTarget("MQTTFormatTests", ["TrackEngineMQTT", "OwnTracksFormat"], exclude: ["Golden"]),
        testTarget(
            "MQTTTests",
            ["TrackEngineMQTT", "TrackEngineSettings", "OwnTracksFormat", "CMosquitto", "test-subscriber"]),
        testTarget(
            "FilesTests",
            ["TrackEngineFiles", "TrackEngineSettings", "TrackEngineFormats", "TrackEngineReplay", logging]),
        testTarget("LifecycleTests", ["TrackEngineLifecycle", "test-receiver", "test-subscriber", logging, lifecycle]),
        testTarget(
            "TrackerMetricsTests",
            ["TrackEngineMetrics", "TrackEngineLifecycle", logging, lifecycle, coreMetrics, metricsTestKit]),
        testTarget(
            "SQLiteTests", ["TrackEngineSQLite", "SQLiteAccess", "TrackEngineSettings", "store-writer", logging, grdb]),
        testTarget(
            "ServerTests",
            [
                "TrackEngineServer", "TrackEngineHistory", "TrackEngineMetrics", "SenderFormats", "OwnTracksFormat",
                "TrackEngineSettings", "TrackEnginePlaces", "Gzip", logging, grdb, nioCore, coreMetrics, metricsTestKit,
                product("Hummingbird", "hummingbird"), product("NIOEmbedded", "swift-nio"),
                product("NIOHTTPTypes", "swift-nio-extras"), product("HTTPTypes", "swift-http-types"),
            ]),
        testTarget(
            "SenderFormatsTests", ["SenderFormats", "TrackEngineHistory", "TrackEngineHTTP", "TrackEngineSettings"],
            exclude: ["Golden"]),
        testTarget("HistoryTests", ["TrackEngineHistory", "TrackEngineSettings", logging, grdb]),
        testTarget(
            "TrackdTests",
            [
                "trackd", "TrackEngineAgent", "TrackEngineSettings", "TrackEngineFormats", "TrackEngineTune",
                "TrackEngineFiles", "TrackEngineGPSD", "TrackEngineReplay", "TrackEngineSimulated", "TrackEngineHTTP",
                "TrackEngineMQTT", "TrackEngineMiataru", "TrackEngineSQLite", "TrackEngineHistory", "SealedFiles",
                "TortureKit", "TrackEnginePlaces", "test-receiver", "test-subscriber", logging, nioCore, nioPosix,
            ]),
        testTarget("EndToEndTests", ["trackd", "TrackEngineAgent", "test-receiver", "test-subscriber", nioPosix]),
        testTarget("FuzzTests", fuzzed, exclude: ["Corpus", "Driver"]),

        // What `make torture` does at length and the tests do in short. Tests/TortureShims holds C that the kit compiles
        // itself, for LD_PRELOAD.
        .target(
            name: "TortureKit",
            dependencies: [
                "TrackEngine", "TrackEngineTestKit", "TrackEngineSimulated", "TrackEngineSQLite", "TestSupport",
                logging, grdb,
            ],
            path: "Tests/TortureKit", swiftSettings: tests),
        .executableTarget(
            name: "torture", dependencies: ["TortureKit", "trackd", "test-receiver", "test-subscriber", arguments],
            path: "Tests/Torture", exclude: ["RESULTS.md"], swiftSettings: tests, linkerSettings: lld),
        testTarget(
            "TortureTests",
            ["TortureKit", "torture", "trackd", "test-receiver", "TrackEngineSimulated", "TrackEngineSQLite"]),
    ],
    swiftLanguageModes: [.v6]
)

// Programs that `scripts/checks` builds as part of this package, because its other steps have built what they need. They have
// access to what any other package has, the public interface.
if Context.environment["EXAMPLES"] == "1" {
    package.targets += [
        program(
            "FleetAgent", in: "Examples/FleetAgent/Sources",
            [
                "TrackEngine", "TrackEngineGPSD", "TrackEngineHTTP", "TrackEngineMQTT", "TrackEngineSQLite",
                "TrackEngineLifecycle", logging, lifecycle,
            ]),
        program(
            "CustomAgent", in: "Examples/CustomAgent/Sources",
            ["TrackEngine", "TrackEngineAgent", "TrackEngineSettings"]),
        program(
            "MQTTPublisher", in: "Examples/MQTTPublisher/Sources",
            ["TrackEngine", "TrackEngineMQTT", "TrackEngineSimulated"]),
        program("FilterTrack", in: "Examples/Tracks/Sources", ["TrackEngine", "TrackEngineReplay"]),
        program("TuneTrack", in: "Examples/Tracks/Sources", ["TrackEngine", "TrackEngineReplay", "TrackEngineTune"]),
        program("WriteGPX", in: "Examples/Tracks/Sources", ["TrackEngine", "TrackEngineFormats"]),
        program("core-only", in: "Tests/Linkage", ["TrackEngine"]),
        program("core-and-simulated", in: "Tests/Linkage", ["TrackEngine", "TrackEngineSimulated"]),
    ]
}

// The short form of the benchmarks, without the package that the long one needs.
if Context.environment["BENCH"] == "1" {
    package.targets += [
        .target(name: "CBaseline", path: "Benchmarks/Sources/CBaseline", cSettings: [.unsafeFlags(["-O3"])]),
        .target(
            name: "Measure", dependencies: ["AllocationProbe"], path: "Benchmarks/Sources/Measure", packageAccess: false
        ),
        .target(
            name: "CoreWorkloads", dependencies: ["CBaseline", "Measure", "TrackEngine"],
            path: "Benchmarks/Sources/CoreWorkloads", packageAccess: false),
        .target(
            name: "CYardsticks", path: "Benchmarks/Sources/CYardsticks", cSettings: [.unsafeFlags(["-O3"])],
            linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("gps")]),
        .target(
            name: "WireSuites",
            dependencies: [
                "CoreWorkloads", "CYardsticks", "Measure", "TrackEngine", "TrackEngineReplay", "TrackEngineHTTP",
                "TrackEngineMQTT",
            ],
            path: "Benchmarks/Sources/WireSuites", packageAccess: false),
        program("ratios", in: "Benchmarks/Sources", ["CoreWorkloads", "Measure", "WireSuites", logging]),
    ]
}

// `make fuzz` builds the same targets into one program with libFuzzer, which instruments everything of ours and nothing
// of others'. There are no tests then.
if Context.environment["FUZZ"] == "1" {
    package.products = []
    package.targets.removeAll { $0.isTest || $0.type == .executable || $0.name == "TortureKit" }
    package.targets += [
        .executableTarget(
            name: "fuzz", dependencies: ["TrackEngine"] + fuzzed, path: "Tests/FuzzTests",
            exclude: ["Corpus", "CorpusTests.swift"],
            swiftSettings: [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-Xlinker", "--undefined=fuzz_main"])])
    ]
    for target in package.targets where target.type != .system {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=fuzzer"])]
    }
}

/// A program that sees nothing but the public interface.
func program(_ name: String, in folder: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "\(folder)/\(name)", packageAccess: false, swiftSettings: tests,
        linkerSettings: lld)
}

/// A folder of tests; all of them may use the core, the TestKit and what tests share.
func testTarget(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: ["TrackEngine", "TrackEngineTestKit", "TestSupport"] + dependencies,
        path: "Tests/\(name)", exclude: exclude, swiftSettings: plain, linkerSettings: lld)
}
