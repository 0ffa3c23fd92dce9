// swift-tools-version: 6.1
import PackageDescription

/// The hot path under ordo-one/benchmark, for percentiles and comparisons of two commits. A package of its own, because no
/// other benchmark needs that tool: swift package --package-path Benchmarks/Percentiles benchmark
let package = Package(
    name: "track-engine-percentiles",
    dependencies: [
        .package(name: "track-engine-benchmarks", path: ".."),
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "HotPath",
            dependencies: [
                .product(name: "CoreWorkloads", package: "track-engine-benchmarks"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
    ],
    swiftLanguageModes: [.v6]
)
