import Logging
import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles
import TrackEngineSettings
import TrackEngineTestKit

@Suite("The replay source keeps the laws of sources")
struct ReplaySourceLawsTests {
    private static let good = (0..<600).map { "\(1_772_359_200 + $0),1,\(Double($0) / 100)" }

    private func check(pace: ReplayPace) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let (whole, broken) = (directory + "/whole.csv", directory + "/broken.csv")
            let header = "time,lat,lon\n"
            try write(Array((header + Self.good.joined(separator: "\n")).utf8), to: whole)
            try write(Array((header + Self.good.joined(separator: "\nnonsense,,\n")).utf8), to: broken)
            let laws = SourceLaws(
                fixes: 600, badInput: { try ReplaySource(configuration: .init(path: broken, pace: pace)) },
                make: { try ReplaySource(configuration: .init(path: whole, pace: pace)) })
            let report = try await laws.report()
            #expect(report.violations == [], "\(report)")
        }
    }

    @Test
    func `as fast as possible`() async throws {
        try await check(pace: .asFastAsPossible)
    }

    @Test
    func `paced`() async throws {
        try await check(pace: .speed(100_000))
    }

    @Test
    func `the laws of recorded sources, in a file of one chunk, of many, packed, and of several files`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            // More than one piece of 64 KiB, and more than one batch.
            let rows = (0..<4000).map { "\(1_772_359_200 + $0),1,\(Double($0) / 100)\n" }
            let header = "time,lat,lon\n"
            try write(Array((header + rows.prefix(3).joined()).utf8), to: directory + "/small.csv")
            try write(Array((header + rows.joined()).utf8), to: directory + "/large.csv")
            try write(try await gzip(directory + "/large.csv"), to: directory + "/packed")
            try write(Array((header + rows.prefix(2000).joined()).utf8), to: directory + "/first.csv")
            try write(Array((header + rows.dropFirst(2000).joined()).utf8), to: directory + "/second.csv")
            for files in [["small.csv"], ["large.csv"], ["packed"], ["first.csv", "second.csv"]] {
                let report = try await RecordedSourceLaws {
                    try Self.recording(files.map { directory + "/" + $0 })
                }.report()
                #expect(report.violations == [], "\(files): \(report)")
            }
        }
    }

    /// What the plugin makes of some files.
    private static func recording(_ paths: [String]) throws -> any RecordedSource {
        var settings = ReplaySettings()
        settings.paths = paths
        settings.speed = .maximum
        let context = PluginContext(
            device: "van-7", secrets: NoSecrets(), logger: Logger(label: "test"), programVersion: "0")
        return try #require(try settings.makeSources(named: "replay", context).first as? any RecordedSource)
    }
}

/// A program without secrets, of which a recording needs none.
private struct NoSecrets: SecretProvider {
    func take(_ key: String, _ reference: SecretReference) throws(SecretFailure) -> Secret { throw failure(key) }

    func current(_ key: String) async -> Secret? { nil }

    func path(ofCredential name: String) throws(SecretFailure) -> String { throw failure(name) }

    private func failure(_ key: String) -> SecretFailure { SecretFailure(expectation: "no secret of \(key)") }
}
