// swift-tools-version: 6.1
import PackageDescription

/// Speed, measured beside its yardsticks. A package of its own, so that nobody who uses or tests TrackEngine builds it;
/// `make bench` and `scripts/checks/bench` do.
let package = Package(
    name: "track-engine-benchmarks",
    dependencies: [
        .package(name: "track-engine", path: ".."),
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        // The yardsticks in C and the counter of allocations, which the tests of the engine use too.
        .target(name: "CBaseline", cSettings: [.unsafeFlags(["-O3"])]),
        .target(name: "AllocationProbe"),

        // How things are measured, and the hot path: all that the short form in CI needs.
        .target(name: "Measure", dependencies: ["AllocationProbe"]),
        .target(
            name: "CoreWorkloads",
            dependencies: ["CBaseline", "Measure", .product(name: "TrackEngine", package: "track-engine")]),
        .executableTarget(name: "ratios", dependencies: ["CoreWorkloads"]),
    ],
    swiftLanguageModes: [.v6]
)
