import TestSupport
import Testing
import TrackEngine
import TrackEngineReplay
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

    @Test("as fast as possible")
    func fast() async throws {
        try await check(pace: .asFastAsPossible)
    }

    @Test("paced")
    func paced() async throws {
        try await check(pace: .speed(100_000))
    }
}
