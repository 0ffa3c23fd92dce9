import Foundation
import OwnTracksFormat
import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

@Suite("The OwnTracks sink and a real receiver", .serialized)
struct OwnTracksSinkTests {
    private func withReceiver(_ body: (ReceiverProcess) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let receiver = try await ReceiverProcess(log: directory + "/log")
            try await body(receiver)
            receiver.stop()
        }
    }

    private func outcome(
        _ url: String, _ records: [TrackRecord] = SampleRecords.records(count: 3),
        _ change: (inout OwnTracksSink.Configuration) -> Void = { _ in }
    ) async throws -> Result<Receipt, DeliveryError> {
        let sink = try OwnTracksSink(id: "home", configuration: OwnTracksSamples.configuration(url, change))
        let result: Result<Receipt, DeliveryError>
        do throws(DeliveryError) {
            result = .success(
                try await sink.deliver(RecordBatch(records: records)))
        } catch {
            result = .failure(error)
        }
        await sink.close()
        return result
    }

    @Test func `the records of a batch come one by one, in order, over one connection`() async throws {
        try await withReceiver { receiver in
            let records = SampleRecords.records(count: 20)
            let outcome = try await outcome(receiver.url("/ok"), records)
            #expect(outcome == .success(Receipt(settled: 20)))
            #expect(try receiver.records().map(\.id) == records.map(\.id.description))
            #expect(Set(try receiver.requests().map(\.client)).count == 1)
        }
    }

    @Test func `requests say whose the device is, and carry user and password`() async throws {
        try await withReceiver { receiver in
            _ = try await outcome(receiver.url("/ok"), [SampleRecords.record(1)]) {
                $0.credentials.basicAuthentication = .init(user: "jane", password: Secret("s3cr3t"))
            }
            let headers = try #require(try receiver.requests().first?.headers)
            #expect(headers["x-limit-u"] == "jane" && headers["x-limit-d"] == "van_7")
            #expect(headers["authorization"] == "Basic amFuZTpzM2NyM3Q=")
            #expect(headers["content-type"] == "application/json")
        }
    }

    /// Composed from OwnTracks' description of its JSON: whole km/h, degrees, metres and seconds.
    @Test func `a body is a location as OwnTracks describes it`() throws {
        let sink = try OwnTracksSink(configuration: OwnTracksSamples.configuration("http://127.0.0.1:9"))
        #expect(
            String(decoding: sink.body(for: Samples.full), as: UTF8.self)
                == #"{"_type":"location","_id":"00112233-4455-8677-8899-AABBCCDDEEFF","lat":53.5503322,"#
                + #""lon":9.9871234,"tst":1772359200,"created_at":1772359200,"acc":5,"alt":13,"vac":8,"vel":12,"#
                + #""cog":0,"m":2,"batt":64,"bs":1,"topic":"owntracks/jane/van_7","tid":"n7"}"#)
    }

    @Test func `a failure in the middle settles the records before it`() async throws {
        try await withReceiver { receiver in
            let records = SampleRecords.records(count: 5)
            let outcome = try await outcome(receiver.url("/poison:500:\(records[2].id)"), records)
            #expect(outcome == .success(Receipt(settled: 2)))
            #expect(try receiver.requests().count == 3)
        }
    }

    @Test func `records without a position are refused by name and not sent`() async throws {
        try await withReceiver { receiver in
            let outcome = try await outcome(receiver.url("/ok"), [Samples.invalid, SampleRecords.record(1)])
            let receipt = try outcome.get()
            #expect(receipt.settled == 2)
            #expect(receipt.refused == [Samples.invalid.id: "the record has no valid position"])
            #expect(try receiver.requests().count == 1)
        }
    }

    @Test(arguments: [
        BehaviourCase("/ok-empty", nil), BehaviourCase("/ok-text", nil), BehaviourCase("/array", nil),
        BehaviourCase("/status:400", .rejected), BehaviourCase("/status:401", .needsOperator),
        BehaviourCase("/status:403", .needsOperator), BehaviourCase("/status:500", .retry(evidence: .failure)),
        BehaviourCase("/status:503", .retry(evidence: .silence)),
        BehaviourCase("/retry-after:7", .retry(after: .seconds(7))),
        BehaviourCase("/html", .retry(evidence: .silence)), BehaviourCase("/reset", .retry(evidence: .silence)),
        BehaviourCase("/silent", .retry(evidence: .timeout), timeout: .milliseconds(400)),
    ])
    func `a status means what it means to every sink`(_ row: BehaviourCase) async throws {
        try await withReceiver { receiver in
            let result = try await outcome(receiver.url(row.path)) { $0.httpTimeout = row.timeout }
            switch (result, row.expected) {
            case (.success(let receipt), nil): #expect(receipt == Receipt(settled: 3))
            case (.failure(let error), let expected?): #expect(error.recovery == expected, "\(error)")
            default: Issue.record("\(result)")
            }
        }
    }

    @Test func `with a secret nothing of a position is readable, and the secret opens it`() throws {
        let sink = try OwnTracksSink(
            configuration: OwnTracksSamples.configuration("http://127.0.0.1:9") { $0.secret = Secret("s3cr3t") })
        let body = sink.body(for: Samples.full)
        #expect(!String(decoding: body, as: UTF8.self).contains("\"lat\""))  // three letters may come by chance
        let inner = try OwnTracksSecret(Secret("s3cr3t")).open(JSONValue.parse(body))
        #expect(inner["_type"]?.string == "location" && inner["lat"]?.number == 53.5503322)
        #expect(sink.body(for: Samples.full) != body, "a nonce comes once")
    }

    @Test func `a configuration reports everything that is wrong at once, and shows no secret`() {
        var configuration = OwnTracksSamples.configuration("nonsense") {
            $0.user = "a/b"
            $0.deviceID = ""
            $0.trackerID = "abc"
            $0.secret = Secret("")
            $0.assumedAccuracy = 0
            $0.httpTimeout = .zero
            $0.credentials.headers = [HeaderField(name: "X-Limit-U", value: Secret("x"))]
        }
        do throws(ConfigurationError) {
            _ = try OwnTracksSink(configuration: configuration)
            Issue.record("it was taken")
        } catch {
            #expect(
                error.problems.map(\.key) == [
                    "url", "user", "deviceID", "trackerID", "headers.X-Limit-U", "secret", "assumedAccuracy",
                    "httpTimeout",
                ])
        }
        configuration.secret = Secret("c4n4ry")
        var text = "\(configuration) \(String(reflecting: configuration))"
        dump(configuration, to: &text)
        #expect(!text.contains("c4n4ry"))
    }
}
