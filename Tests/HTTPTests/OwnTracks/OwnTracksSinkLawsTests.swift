import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

@Suite("The OwnTracks sink keeps the laws of sinks")
struct OwnTracksSinkLawsTests {
    @Test(arguments: ["400", "500"])
    func `against a real receiver`(_ refusal: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let receiver = try await ReceiverProcess(log: directory + "/log")
            let report = try await SinkLaws(bench(receiver, refusal)).report()
            receiver.stop()
            #expect(report.violations == [], "\(report)")
        }
    }

    private func bench(_ receiver: ReceiverProcess, _ refusal: String) -> SinkBench {
        SinkBench(
            makeSink: { mood in
                let path =
                    switch mood {
                    case .willing: "/ok"
                    case .silent: "/silent"
                    case .refusing(let id): "/poison:\(refusal):\(id)"
                    }
                return try OwnTracksSink(
                    id: "home", configuration: OwnTracksSamples.configuration(receiver.url(path)))
            },
            received: {
                try receiver.records().map { record in
                    ReceivedRecord(id: try #require(RecordID(record.id)), payload: record.json)
                }
            },
            attempts: { try receiver.requests().count },
            takeDown: { receiver.stop() },
            bringUp: { try await receiver.restart() })
    }
}
