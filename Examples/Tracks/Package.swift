// swift-tools-version: 6.2
import PackageDescription

/// Programs for recorded tracks: filter a file, tune a track, write GPX. Elsewhere the dependency is a URL instead of a path.
let package = Package(
    name: "tracks",
    dependencies: [.package(name: "track-engine", path: "../..")],
    targets: [
        .executableTarget(
            name: "FilterTrack",
            dependencies: [
                .product(name: "TrackEngine", package: "track-engine"),
                .product(name: "TrackEngineFiles", package: "track-engine"),
            ]),
        .executableTarget(
            name: "TuneTrack",
            dependencies: [
                .product(name: "TrackEngine", package: "track-engine"),
                .product(name: "TrackEngineFiles", package: "track-engine"),
                .product(name: "TrackEnginePlaces", package: "track-engine"),
            ]),
        .executableTarget(
            name: "WriteGPX",
            dependencies: [
                .product(name: "TrackEngine", package: "track-engine"),
                .product(name: "TrackEngineFiles", package: "track-engine"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
