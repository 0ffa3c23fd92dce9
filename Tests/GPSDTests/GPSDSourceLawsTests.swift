import TestSupport
import Testing
import TrackEngine
import TrackEngineGPSD
import TrackEngineTestKit

@Suite("The laws of sources, kept by the gpsd source", .timeLimit(.minutes(30)))
struct GPSDSourceLawsTests {
    @Test
    func `against a scripted gpsd, on good and on bad lines`() async throws {
        let good = try FakeGPSD(FakeGPSD.Script(stream: { Line.position($0) }))
        let bad = try FakeGPSD(FakeGPSD.Script(stream: { "not JSON\r\n" + Line.position($0) + "{\"class\":\r\n" }))
        defer {
            good.stop()
            bad.stop()
        }
        let laws = SourceLaws(
            fixes: 5, badInput: { try GPSDSource(configuration: quickConfiguration(port: bad.port)) },
            make: { try GPSDSource(configuration: quickConfiguration(port: good.port)) })
        let report = try await laws.report()
        #expect(report.violations == [], "\(report)")
    }

    @Test
    func `a gpsd that is missing does not keep it from ending`() async throws {
        let hole = try BlackHole()
        let laws = SourceLaws(fixes: 0, patience: .milliseconds(500)) {
            try GPSDSource(configuration: quickConfiguration(port: UInt16(hole.port)))
        }
        let violations = try await laws.violations()
        #expect(violations.map(\.law) == ["a source calls emit"])
    }
}
