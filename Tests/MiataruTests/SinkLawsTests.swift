import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

@Suite("The Miataru sink keeps the laws of sinks")
struct SinkLawsTests {
    @Test(arguments: ["400", "500"])
    func `against a real receiver`(_ refusal: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let receiver = try await ReceiverProcess(log: directory + "/log")
            let violations = try await SinkLaws(bench(receiver, refusal)).violations()
            receiver.stop()
            #expect(violations == [])
        }
    }

    /// Locations have no id; the records of the laws have each a second of its own.
    private static let records = SampleRecords.records(count: 10_000)
    private static let ids = Dictionary(
        records.map { ("\($0.fix.time.secondsSince1970)", $0.id) }, uniquingKeysWith: { first, _ in first })
    private static let seconds = Dictionary(ids.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })

    private func bench(_ receiver: ReceiverProcess, _ refusal: String) -> SinkBench {
        SinkBench(
            makeSink: { mood in
                let path =
                    switch mood {
                    case .willing: "/ok"
                    case .silent: "/silent"
                    case .refusing(let id): "/poison:\(refusal):\(try #require(Self.seconds[id]))"
                    }
                return try MiataruSink(configuration: Samples.configuration(receiver.url(path)) { $0.history = true })
            },
            received: {
                try receiver.records().map { record in
                    ReceivedRecord(id: try #require(Self.ids[record.id]), payload: record.json)
                }
            },
            attempts: { try receiver.requests().count },
            takeDown: { receiver.stop() },
            bringUp: { try await receiver.restart() })
    }
}
