// swift-tools-version: 6.2
import PackageDescription

/// A vehicle's agent: gpsd, a store on disk, two sinks. Elsewhere the dependency is a URL instead of a path.
let package = Package(
    name: "fleet-agent",
    dependencies: [
        .package(name: "track-engine", path: "../.."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .executableTarget(
            name: "FleetAgent",
            dependencies: [
                .product(name: "TrackEngine", package: "track-engine"),
                .product(name: "TrackEngineGPSD", package: "track-engine"),
                .product(name: "TrackEngineSQLite", package: "track-engine"),
                .product(name: "TrackEngineHTTP", package: "track-engine"),
                .product(name: "TrackEngineMQTT", package: "track-engine"),
                .product(name: "TrackEngineIntegrations", package: "track-engine"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
