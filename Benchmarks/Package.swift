// swift-tools-version: 6.1
import PackageDescription

/// Speed, measured beside its yardsticks. A package of its own, so that nobody who uses or tests TrackEngine builds it;
/// `make bench` and `scripts/checks/bench` do.
let package = Package(
    name: "track-engine-benchmarks",
    products: [.library(name: "CoreWorkloads", targets: ["CoreWorkloads", "Measure"])],
    dependencies: [
        .package(name: "track-engine", path: ".."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // The yardsticks in C and the counter of allocations, which the tests of the engine use too.
        .target(name: "CBaseline", cSettings: [.unsafeFlags(["-O3"])]),
        .target(name: "AllocationProbe"),

        // How things are measured, and the hot path.
        .target(name: "Measure", dependencies: ["AllocationProbe"]),
        .target(
            name: "CoreWorkloads",
            dependencies: ["CBaseline", "Measure", .product(name: "TrackEngine", package: "track-engine")]),
        // Readers and encoders, and yardsticks that need libraries of the system.
        .target(
            name: "CYardsticks", cSettings: [.unsafeFlags(["-O3"])],
            linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("gps")]),
        .target(
            name: "WireSuites",
            dependencies: [
                "CoreWorkloads", "CYardsticks", "Measure", .product(name: "TrackEngine", package: "track-engine"),
                .product(name: "TrackEngineFiles", package: "track-engine"),
                .product(name: "TrackEngineHTTP", package: "track-engine"),
                .product(name: "TrackEngineMQTT", package: "track-engine"),
            ]),
        .target(
            name: "PlaceSuites",
            dependencies: [
                "Measure", .product(name: "TrackEngine", package: "track-engine"),
                .product(name: "TrackEnginePlaces", package: "track-engine"),
            ]),
        .executableTarget(
            name: "ratios",
            dependencies: ["CoreWorkloads", "Measure", "WireSuites", .product(name: "Logging", package: "swift-log")]),

        // The whole table.
        .executableTarget(
            name: "table",
            dependencies: [
                "CoreWorkloads", "CYardsticks", "Measure", "PlaceSuites", "WireSuites",
                .product(name: "TrackEngine", package: "track-engine"),
                .product(name: "TrackEngineHTTP", package: "track-engine"),
                .product(name: "TrackEngineMQTT", package: "track-engine"),
                .product(name: "TrackEngineSQLite", package: "track-engine"),
                .product(name: "TrackEngineHistory", package: "track-engine"),
                .product(name: "TrackEngineServer", package: "track-engine"),
                .product(name: "trackd", package: "track-engine"),  // run as a process, to see what it takes
                .product(name: "Logging", package: "swift-log"),
            ]),

        // How well stays and trips are found, beside others' rules: `make bench-stops`.
        .executableTarget(
            name: "stops",
            dependencies: [
                .product(name: "TrackEngine", package: "track-engine"),
                .product(name: "TrackEnginePlaces", package: "track-engine"),
                .product(name: "TrackEngineFiles", package: "track-engine"),
                .product(name: "TrackEngineSimulated", package: "track-engine"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
