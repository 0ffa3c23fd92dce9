import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

@Suite("The OsmAnd sink keeps the laws of sinks")
struct OsmAndSinkLawsTests {
    @Test(arguments: OsmAndSink.Configuration.Format.allCases, ["422", "500"])
    func `against a real receiver`(_ format: OsmAndSink.Configuration.Format, _ refusal: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let receiver = try await ReceiverProcess(log: directory + "/log")
            let report = try await SinkLaws(bench(receiver, format, refusal)).report()
            receiver.stop()
            #expect(report.violations == [], "\(report)")
        }
    }

    /// The records that the laws may use, by the names that they have at the receiver.
    private func names(_ format: OsmAndSink.Configuration.Format) -> [String: RecordID] {
        let records = SampleRecords.records(count: 100).map { (OsmAndSamples.name(of: $0, format), $0.id) }
        return Dictionary(uniqueKeysWithValues: records)
    }

    private func bench(
        _ receiver: ReceiverProcess, _ format: OsmAndSink.Configuration.Format, _ refusal: String
    ) -> SinkBench {
        let names = names(format)
        return SinkBench(
            makeSink: { mood in
                let path =
                    switch mood {
                    case .willing: "/ok"
                    case .silent: "/silent"
                    case .refusing(let id): "/poison:\(refusal):\(names.first { $0.value == id }?.key ?? "")"
                    }
                return try OsmAndSink(
                    id: "fleet", configuration: OsmAndSamples.configuration(receiver.url(path)) { $0.format = format })
            },
            received: {
                try receiver.records().map { record in
                    ReceivedRecord(id: try #require(names[record.id]), payload: record.json)
                }
            },
            attempts: { try receiver.requests().count },
            takeDown: { receiver.stop() },
            bringUp: { try await receiver.restart() })
    }
}
