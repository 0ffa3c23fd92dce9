import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

@Suite("Fields in headers of templates", .serialized)
struct HeaderTemplateTests {
    private func configuration(
        _ url: String = "http://127.0.0.1:9/in", device: DeviceID = "van-7", headers: [String: String],
        isBatch: Bool = false
    ) -> HTTPSink.Configuration {
        TemplateSamples.configuration(url, device: device) {
            let point = #"{"a": %{latitude}, "b": %{longitude}}"#
            if isBatch { $0.record = point } else { $0.body = point }
            $0.credentials.headers = headers.sorted { $0.key < $1.key }.map {
                HeaderField(name: $0.key, value: Secret($0.value))
            }
        }
    }

    /// The header fields of a request, but for those of every request.
    private func filled(
        _ headers: [String: String], _ record: TrackRecord = Samples.full, device: DeviceID = "van-7"
    ) throws -> [String] {
        let template = try RequestTemplate(configuration(device: device, headers: headers))
        let request = try #require(template.request(for: record))
        return template.headers(headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, of: request)
            .map { "\($0.name): \($0.value)" }
    }

    @Test func `a field is filled in, and what no header can hold is percent-encoded`() throws {
        #expect(
            try filled(["X-Device": "id=%{device}; %{speed:km/h}", "X-Key": "100%"]) == [
                "X-Device: id=van-7; 12.34", "X-Key: 100%",
            ])
        let odd = DeviceID(rawValue: "van ü%7\r\nX-Evil: 1")
        #expect(try filled(["X-Device": "%{device}"], device: odd) == ["X-Device: van%20%C3%BC%257%0D%0AX-Evil:%201"])
    }

    @Test func `an unknown one is empty, stands for another, or leaves the header out`() throws {
        let headers = ["A": "%{speed}", "B": "%{speed|0}", "C": "%{speed?}", "D": "1"]
        #expect(try filled(headers, Samples.bare) == ["A: ", "B: 0", "D: 1"])
    }

    @Test(
        arguments: [
            ("%{speeed}", false, "headers.X"), ("%{speed", false, "headers.X"), ("%{records}", false, "headers.X"),
            ("%{speed}", true, "headers.X"), ("%{count} of %{device}", true, nil), ("%%{speed}", false, nil),
        ] as [(String, Bool, String?)])
    func `what cannot be filled in is told with its key`(_ value: String, _ isBatch: Bool, _ key: String?) {
        let problems = self.configuration(headers: ["X": value], isBatch: isBatch).problems
        #expect(problems.first?.key == key, "\(problems)")
    }

    @Test func `a real receiver gets them`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let receiver = try await ReceiverProcess(log: directory + "/log")
            let sink = try HTTPSink(
                id: "own", configuration: configuration(receiver.url("/ok"), headers: ["X-Device": "%{device}/%{id}"]))
            let record = SampleRecords.record(1)
            _ = try await sink.deliver(RecordBatch(records: [record]))
            #expect(try receiver.requests().first?.headers["x-device"] == "van-7/\(record.id)")
            await sink.close()
            receiver.stop()
        }
    }
}
