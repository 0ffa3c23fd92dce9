// swift-tools-version: 6.2
import PackageDescription

/// Programs as an embedder would link them; `scripts/checks/linkage` looks at what they drag in.
let package = Package(
    name: "linkage",
    dependencies: [.package(name: "track-engine", path: "../..")],
    targets: [
        .executableTarget(
            name: "core-only", dependencies: [.product(name: "TrackEngine", package: "track-engine")]),
        .executableTarget(
            name: "core-and-simulated",
            dependencies: [
                .product(name: "TrackEngine", package: "track-engine"),
                .product(name: "TrackEngineSimulated", package: "track-engine"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
