// swift-tools-version: 6.2
import PackageDescription

/// An engine inside a program of one's own, with no trait: what only other libraries of it need is not even resolved.
/// Elsewhere the dependency is a URL instead of a path.
let package = Package(
    name: "embed",
    dependencies: [.package(name: "track-engine", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "Embed",
            dependencies: [
                .product(name: "TrackEngine", package: "track-engine"),
                .product(name: "TrackEngineSimulated", package: "track-engine"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
