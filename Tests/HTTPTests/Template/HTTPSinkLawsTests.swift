import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

@Suite("The sink of templates keeps the laws of sinks")
struct HTTPSinkLawsTests {
    enum Form: String, CaseIterable, Sendable { case query, json, batch }

    @Test(arguments: Form.allCases, ["422", "500"])
    func `against a real receiver`(_ form: Form, _ refusal: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let receiver = try await ReceiverProcess(log: directory + "/log")
            let report = try await SinkLaws(bench(receiver, form, refusal)).report()
            receiver.stop()
            #expect(report.violations == [], "\(report)")
        }
    }

    /// A sink of each form; the receiver tells records by `id`, and in parameters by `timestamp`.
    static func configuration(_ url: String, _ form: Form) -> HTTPSink.Configuration {
        let record = #"{"id": "%{id}", "lat": %{latitude}, "lon": %{longitude}, "speed": %{speed?}, "at": "%{time}"}"#
        switch form {
        case .query:
            return TemplateSamples.configuration(
                url + "?timestamp=%{time:epoch}&lat=%{latitude}&lon=%{longitude}&id=%{id}"
            ) { $0.method = .get }
        case .json:
            return TemplateSamples.configuration(url) { $0.body = #"{"location": \#(record)}"# }
        case .batch:
            return TemplateSamples.configuration(url) {
                $0.body = #"{"locations": %{records}}"#
                $0.record = record
                $0.success = .init()
                $0.success?.path = "result"
                $0.success?.value = "ok"
            }
        }
    }

    /// What the receiver calls a record.
    static func name(of record: TrackRecord, _ form: Form) -> String {
        form == .query ? "\(record.fix.time.secondsSince1970)" : "\(record.id)"
    }

    private func bench(_ receiver: ReceiverProcess, _ form: Form, _ refusal: String) -> SinkBench {
        let records = SampleRecords.records(count: 100)
        let names = Dictionary(uniqueKeysWithValues: records.map { (Self.name(of: $0, form), $0.id) })
        return SinkBench(
            makeSink: { mood in
                let path =
                    switch mood {
                    case .willing: "/ok"
                    case .silent: "/silent"
                    case .refusing(let id): "/poison:\(refusal):\(names.first { $0.value == id }?.key ?? "")"
                    }
                return try HTTPSink(id: "own", configuration: Self.configuration(receiver.url(path), form))
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
