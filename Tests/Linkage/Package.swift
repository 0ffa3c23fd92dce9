// swift-tools-version: 6.2
import PackageDescription

/// Programs of the core alone and with the simulated source; scripts/checks/linkage looks at the libraries in them.
let package = Package(
    name: "linkage",
    dependencies: [.package(name: "track-engine", path: "../..")],
    targets: [
        .executableTarget(
            name: "core-only", dependencies: [.product(name: "TrackEngine", package: "track-engine")], path: "core-only"
        ),
        .executableTarget(
            name: "core-and-simulated",
            dependencies: [
                .product(name: "TrackEngine", package: "track-engine"),
                .product(name: "TrackEngineSimulated", package: "track-engine"),
            ], path: "core-and-simulated"),
    ],
    swiftLanguageModes: [.v6]
)
