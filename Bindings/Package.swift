// swift-tools-version: 6.2
import PackageDescription

/// The C interface, and programs that compare it with the engine and its laws. A package of its own, so that nobody who
/// uses or tests TrackEngine builds it; `Bindings/build` builds the library, `Bindings/test` tests it.
///
/// Without the trait SQLite the library has the store in memory alone, without Places no detector of events, and with
/// Senders, which is off by default, it sends over MQTT. The engine's
/// own trait is off: what only other libraries of it need is not even resolved.
let package = Package(
    name: "bindings",
    products: [
        .library(name: "trackengine", type: .dynamic, targets: ["TrackEngineC"]),
        .executable(name: "compare", targets: ["compare"]),
        .executable(name: "laws", targets: ["laws"]),
    ],
    traits: [
        .trait(name: "SQLite", description: "The durable store"),
        .trait(name: "Places", description: "Detectors of places, visits and trips"),
        .trait(name: "Senders", description: "The MQTT sink, for libtrackengine-agent"),
        .default(enabledTraits: ["SQLite", "Places"]),
    ],
    dependencies: [
        .package(name: "track-engine", path: "..", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .systemLibrary(name: "CTrackEngine", path: "C"),
        .target(name: "CMessage"),
        .target(
            name: "TrackEngineC",
            dependencies: [
                "CTrackEngine", "CMessage",
                .product(name: "TrackEngine", package: "track-engine"),
                .product(name: "TrackEngineSQLite", package: "track-engine", condition: .when(traits: ["SQLite"])),
                .product(name: "TrackEnginePlaces", package: "track-engine", condition: .when(traits: ["Places"])),
                .product(name: "TrackEngineMQTT", package: "track-engine", condition: .when(traits: ["Senders"])),
                .product(name: "Logging", package: "swift-log"),
            ],
            linkerSettings: [
                // Exports the functions of the header alone: a program may have another Swift runtime.
                // The other linkers export some symbols of Swift nevertheless.
                .unsafeFlags([
                    "-use-ld=lld", "-Xlinker", "--version-script=\(Context.packageDirectory)/C/exports.map",
                    "-Xlinker", "-soname=libtrackengine.so.1",
                    // Half a megabyte less; the loader of glibc 2.36 (Debian 12) reads it.
                    "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
                ])
            ]),
        .executableTarget(
            name: "compare",
            dependencies: [
                "CTrackEngine",
                .product(name: "TrackEngine", package: "track-engine"),
                .product(name: "TrackEngineFiles", package: "track-engine"),
            ]),
        .executableTarget(
            name: "laws",
            dependencies: [
                "CTrackEngine", "TrackEngineC", .product(name: "TrackEngine", package: "track-engine"),
                .product(name: "TrackEngineTestKit", package: "track-engine"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
