import Testing
import TrackEngine
import TrackEngineSimulated
import TrackEngineTestKit

@Suite("The simulated source keeps the laws of sources")
struct SimulatedSourceLawsTests {
    @Test
    func `as fast as possible`() async throws {
        let configuration = SimulatedSource.Configuration(seed: 3, duration: .seconds(900), pace: .asFastAsPossible)
        let laws = SourceLaws(fixes: 700) { try SimulatedSource(configuration: configuration) }
        let report = try await laws.report()
        #expect(report.violations == [], "\(report)")
    }

    @Test
    func `in real time`() async throws {
        let configuration = SimulatedSource.Configuration(seed: 3, rate: 10, pace: .realTime)
        let laws = SourceLaws(fixes: 3) { try SimulatedSource(configuration: configuration) }
        let report = try await laws.report()
        #expect(report.violations == [], "\(report)")
    }
}
