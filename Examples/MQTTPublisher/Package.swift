// swift-tools-version: 6.2
import PackageDescription

/// A vehicle that publishes where it is over MQTT. Elsewhere the dependency is a URL instead of a path.
let package = Package(
    name: "mqtt-publisher",
    dependencies: [.package(name: "track-engine", path: "../..")],
    targets: [
        .executableTarget(
            name: "MQTTPublisher",
            dependencies: [
                .product(name: "TrackEngine", package: "track-engine"),
                .product(name: "TrackEngineMQTT", package: "track-engine"),
                .product(name: "TrackEngineSimulated", package: "track-engine"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
