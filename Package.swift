// swift-tools-version: 6.2
import PackageDescription

let relaxed: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]

/// The settings of modules that ship: the compiler checks the order of docs/decisions/018-modules.md.
let strict =
    relaxed + [.enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility")]

/// Tests are compiled without debug information, which takes a seventh of their compilation, and without optimisation in the
/// release build, too: the engine is optimised there, to optimise the tests themselves takes almost as long as all of it.
let plain = relaxed + [.unsafeFlags(["-Onone"], .when(configuration: .release)), .unsafeFlags(["-gnone"])]

/// The toolchain's own linker takes a quarter of the system's time.
let lld: [LinkerSetting] = [.unsafeFlags(["-use-ld=lld"])]

let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

/// A product of a package that only those resolve who have the trait. There is one trait and no more: SwiftPM 6.3 passes the
/// names of several to the compiler in an order of chance, and then each build compiles everything anew.
func product(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Plugins"]))
}

let nioCore = product("NIOCore", "swift-nio")
let nioPosix = product("NIOPosix", "swift-nio")
let nioEmbedded = product("NIOEmbedded", "swift-nio")
let nio = [nioCore, nioPosix, product("NIOHTTP1", "swift-nio"), product("NIOSSL", "swift-nio-ssl")]
let nioHTTPTypes = product("NIOHTTPTypes", "swift-nio-extras")
let httpTypes = product("HTTPTypes", "swift-http-types")
let hummingbird = product("Hummingbird", "hummingbird")
let network: [Target.Dependency] = ["TrackEngineSettings", "OwnTracksFormat", "Encryption", logging]
let database = ["TrackEngineSettings", "SQLiteAccess", "Encryption", logging]
let coreMetrics = product("CoreMetrics", "swift-metrics")
let metricsTestKit = product("MetricsTestKit", "swift-metrics")
let lifecycle = product("ServiceLifecycle", "swift-service-lifecycle")
let arguments = product("ArgumentParser", "swift-argument-parser")

/// A module that ships, in the folder of its name unless the top level gives another.
func module(
    _ name: String, in folder: String? = nil, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    .target(
        name: name, dependencies: (name == "TrackEngine" ? [] : ["TrackEngine"]) + dependencies,
        path: "Sources/\(folder ?? name)", exclude: exclude, swiftSettings: strict)
}

/// A module map for a library of the system.
func system(_ name: String, _ library: String, _ packages: String...) -> Target {
    .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: library, providers: [.apt(packages)])
}

/// Modules for all tests.
let common: [Target.Dependency] = ["TrackEngine", "TrackEngineSettings", "TrackEngineTestKit", "TestSupport", logging]

/// A folder of tests.
func tests(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: common + dependencies, path: "Tests/\(name)", exclude: exclude, swiftSettings: plain,
        linkerSettings: lld)
}

/// A program that tests start.
func program(_ name: String, in folder: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Tests/\(folder)", exclude: exclude, swiftSettings: relaxed,
        linkerSettings: lld)
}

/// Libraries with sources, sinks and stores, each of them a product.
let plugins = [
    "TrackEngineFiles", "TrackEngineGPSD", "TrackEngineHTTP", "TrackEngineHistory", "TrackEngineMQTT",
    "TrackEngineSQLite", "TrackEngineServer", "TrackEngineSimulated",
]
let anyPlugin = plugins.map { Target.Dependency.byName(name: $0) }

/// The modules that the fuzz targets examine; scripts/fuzz builds them with a manifest that is longer than this one.
let fuzzed =
    anyPlugin + ["GPSDProtocol", "OwnTracksFormat", "TrackEnginePlaces", "TrackEngineAgent", nioEmbedded] + nio

let package = Package(
    name: "track-engine",
    products: [
        // With the settings of plugins, which plugins of others need, too.
        .library(name: "TrackEngine", targets: ["TrackEngine", "TrackEngineSettings"]),
        // The analysis of tracks: what they mean, and which rules suit them.
        .library(name: "TrackEnginePlaces", targets: ["TrackEnginePlaces", "TrackEngineTune"]),
        .executable(name: "trackd", targets: ["trackd"]),
    ]
        + (plugins + ["TrackEngineAgent", "TrackEngineIntegrations", "TrackEngineTestKit"]).map {
            .library(name: $0, targets: [$0])
        },
    // What a user of the core alone does not have to resolve. Whoever names no traits has it.
    traits: [
        .trait(name: "Plugins", description: "For TrackEngineHTTP, SQLite, History, Integrations, Server and Agent"),
        .default(enabledTraits: ["Plugins"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
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
        system("CGPS", "libgps", "libgps-dev"),
        system("CMosquitto", "libmosquitto", "libmosquitto-dev", "libssl-dev"),
        system("CQREncode", "libqrencode", "libqrencode-dev"),
        system("CSQLite", "sqlite3", "libsqlite3-dev"),
        system("CSodium", "libsodium", "libsodium-dev"),
        system("CZlib", "zlib", "zlib1g-dev"),

        // The core, and what several plugins need.
        module("TrackEngine", [logging]),
        module("TrackEngineSettings", [logging]),
        module("TrackEngineTestKit"),
        module("Encryption", ["TrackEngineSettings", "CSodium"]),
        module("GPSDProtocol"),
        module("OwnTracksFormat", ["TrackEngineSettings", "Encryption"]),
        module("SQLiteAccess", ["CSQLite"]),

        // Sources, sinks and the store.
        module("TrackEngineFiles", ["TrackEngineSettings", "GPSDProtocol", "CZlib", logging]),
        module("TrackEngineGPSD", in: "Sources-GPSD", ["TrackEngineSettings", "GPSDProtocol", "CGPS", logging]),
        module("TrackEngineSimulated", ["TrackEngineSettings"]),
        module("TrackEngineHTTP", in: "Sinks-HTTP", network + nio + [product("AsyncHTTPClient", "async-http-client")]),
        module("TrackEngineMQTT", in: "Sinks-MQTT", network + ["CMosquitto"]),
        module("TrackEngineSQLite", database + ["CZlib"]),
        module("TrackEngineHistory", database),

        // Places, visits and trips; recording rules compared; the engine in programs of others.
        module("TrackEnginePlaces", ["TrackEngineFiles"]),
        module("TrackEngineTune", ["TrackEngineSettings", "TrackEngineFiles", "TrackEnginePlaces"]),
        module("TrackEngineIntegrations", [coreMetrics, lifecycle]),

        // A receiver of tracks with a page, whose files are in the C module, and the agent.
        .target(name: "CServer"),
        module(
            "TrackEngineServer",
            [
                "TrackEngineSettings", "TrackEngineFiles", "TrackEngineHistory", "TrackEngineIntegrations",
                "TrackEnginePlaces", "OwnTracksFormat", "SQLiteAccess", "Encryption", "CServer", "CQREncode",
                logging, lifecycle, coreMetrics, product("Metrics", "swift-metrics"), hummingbird,
                product("HummingbirdCore", "hummingbird"), product("HummingbirdTLS", "hummingbird"), httpTypes,
                nioHTTPTypes,
            ] + nio, exclude: ["Page/Files"]),
        module(
            "TrackEngineAgent",
            anyPlugin + [
                "TrackEngineSettings", "TrackEnginePlaces", "TrackEngineTune", "TrackEngineIntegrations", "Encryption",
                logging, arguments, lifecycle, nioCore, nioPosix, product("Yams", "Yams"),
                product("UnixSignals", "swift-service-lifecycle"),
            ]),
        .executableTarget(name: "trackd", dependencies: ["TrackEngineAgent"], swiftSettings: strict),

        // Modules that tests share, and the programs that they start.
        .target(name: "AllocationProbe", path: "Tests/AllocationProbe"),
        .target(name: "Spawning", path: "Tests/Spawning"),
        .target(
            name: "TestSupport", dependencies: ["Spawning", "TrackEngine", "TrackEngineTestKit"], path: "Tests/Support",
            swiftSettings: relaxed),
        program("test-receiver", in: "Receiver", nio),
        program("test-subscriber", in: "Subscriber", ["CMosquitto"]),
        program("store-writer", in: "StoreWriter", ["TrackEngine", "TrackEngineSQLite", "CSQLite", logging]),

        tests("TrackEngineTests", ["AllocationProbe", "TrackEngineFiles", "TrackEngineSimulated"]),
        tests("SettingsTests"),
        tests("EncryptionTests", ["Encryption"]),
        tests("OwnTracksTests", ["OwnTracksFormat", "Encryption"]),
        tests("GPSDTests", ["GPSDProtocol", "TrackEngineGPSD", "CGPS"]),
        tests("SimulatedTests", ["TrackEngineSimulated"]),
        tests("FormatsTests", ["TrackEngineFiles"]),
        tests("ReplayTests", ["TrackEngineFiles"], exclude: ["Golden"]),
        tests("FilesTests", ["TrackEngineFiles"]),
        tests("PlacesTests", ["TrackEnginePlaces", "TrackEngineTune", "AllocationProbe", "TrackEngineSimulated"]),
        tests("HTTPTests", ["TrackEngineHTTP", "OwnTracksFormat", "test-receiver"], exclude: ["Golden"]),
        tests("MiataruTests", ["TrackEngineHTTP", "test-receiver"]),
        tests("MQTTFormatTests", ["TrackEngineMQTT", "OwnTracksFormat"], exclude: ["Golden"]),
        tests("MQTTTests", ["TrackEngineMQTT", "OwnTracksFormat", "CMosquitto", "test-subscriber"]),
        tests("SQLiteTests", ["TrackEngineSQLite", "SQLiteAccess", "store-writer"]),
        tests("HistoryTests", ["TrackEngineHistory", "SQLiteAccess"]),
        tests("CodableTests", ["TrackEngineIntegrations", "TrackEngineMQTT", "TrackEngineSimulated"]),
        tests("LifecycleTests", ["TrackEngineIntegrations", "test-receiver", "test-subscriber", lifecycle]),
        tests("TrackerMetricsTests", ["TrackEngineIntegrations", lifecycle, coreMetrics, metricsTestKit]),
        tests("QRCodesTests", ["TrackEngineServer"]),
        tests(
            "SenderFormatsTests", ["TrackEngineServer", "TrackEngineHistory", "TrackEngineHTTP"], exclude: ["Golden"]),
        tests(
            "ServerTests",
            [
                "TrackEngineServer", "TrackEngineHistory", "TrackEngineIntegrations", "TrackEngineFiles",
                "TrackEnginePlaces", "OwnTracksFormat", "SQLiteAccess", nioCore, nioEmbedded, nioHTTPTypes, httpTypes,
                hummingbird, coreMetrics, metricsTestKit,
            ]),
        tests(
            "TrackdTests",
            anyPlugin + [
                "trackd", "TrackEngineAgent", "TrackEnginePlaces", "TrackEngineTune", "Encryption", "TortureKit",
                "test-receiver", "test-subscriber", nioCore, nioPosix,
            ]),
        tests("EndToEndTests", ["trackd", "TrackEngineAgent", "test-receiver", "test-subscriber", nioPosix]),
        tests("FuzzTests", fuzzed, exclude: ["Corpus", "Driver"]),

        // The parts of `make torture`, of which the tests run a short form. Tests/TortureShims holds C that the kit
        // compiles itself, for LD_PRELOAD.
        .target(
            name: "TortureKit",
            dependencies: [
                "TrackEngine", "TrackEngineTestKit", "TrackEngineSimulated", "TrackEngineSQLite", "SQLiteAccess",
                "TestSupport",
                logging,
            ],
            path: "Tests/TortureKit", swiftSettings: relaxed),
        program(
            "torture", in: "Torture", ["TortureKit", "trackd", "test-receiver", "test-subscriber", arguments],
            exclude: ["RESULTS.md"]),
        tests("TortureTests", ["TortureKit", "torture", "TrackEngineSimulated"]),
    ],
    swiftLanguageModes: [.v6]
)
