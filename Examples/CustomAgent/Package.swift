// swift-tools-version: 6.2
import PackageDescription

/// An agent with a source and a sink of its own. Elsewhere the dependency is a URL instead of a path.
let package = Package(
    name: "custom-agent",
    dependencies: [.package(name: "track-engine", path: "../..")],
    targets: [
        .executableTarget(
            name: "CustomAgent",
            dependencies: [
                .product(name: "TrackEngine", package: "track-engine"),
                .product(name: "TrackEngineAgent", package: "track-engine"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
