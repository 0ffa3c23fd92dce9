import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

@Suite("The OsmAnd sink and a real receiver", .serialized)
struct OsmAndSinkTests {
    typealias Format = OsmAndSink.Configuration.Format

    private func withReceiver(_ body: (ReceiverProcess) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let receiver = try await ReceiverProcess(log: directory + "/log")
            try await body(receiver)
            receiver.stop()
        }
    }

    private func outcome(
        _ url: String, _ records: [TrackRecord] = SampleRecords.records(count: 3), in format: Format = .json,
        _ change: (inout OsmAndSink.Configuration) -> Void = { _ in },
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> Result<Receipt, DeliveryError> {
        let configuration = OsmAndSamples.configuration(url) {
            $0.format = format
            change(&$0)
        }
        let sink = try OsmAndSink(id: "fleet", configuration: configuration)
        let result: Result<Receipt, DeliveryError>
        do throws(DeliveryError) {
            result = .success(try await sink.deliver(RecordBatch(records: records), reporting: progress))
        } catch {
            result = .failure(error)
        }
        await sink.close()
        return result
    }

    // MARK: Delivery

    @Test(arguments: Format.allCases)
    func `the records of a batch come one by one, in order, over one connection`(_ format: Format) async throws {
        try await withReceiver { receiver in
            let records = SampleRecords.records(count: 20)
            #expect(try await outcome(receiver.url("/ok"), records, in: format) == .success(Receipt(settled: 20)))
            let received = try receiver.records()
            #expect(received.map(\.id) == records.map { OsmAndSamples.name(of: $0, format) })
            #expect(received.map(\.request) == Array(1...20))
            #expect(Set(try receiver.requests().map(\.client)).count == 1)
        }
    }

    @Test func `parameters go in a POST without a body, JSON in one with its type`() async throws {
        try await withReceiver { receiver in
            for format in Format.allCases {
                _ = try await outcome(receiver.url("/ok"), [SampleRecords.record(1)], in: format)
            }
            let requests = try receiver.requests()
            #expect(requests.map(\.method) == ["POST", "POST"])
            #expect(requests.map { $0.headers["content-type"] } == [nil, "application/json"])
            #expect(requests.map { $0.bodyBytes > 0 } == [false, true])
            #expect(requests.map { $0.headers["user-agent"] } == ["TrackEngine/0.1", "TrackEngine/0.1"])
            #expect(requests[0].target.hasPrefix("/ok?id=van-7&timestamp=1772359201&lat=53.5503321&lon="))
            #expect(requests[1].target == "/ok")
        }
    }

    @Test func `what was confirmed is reported at once`() async throws {
        try await withReceiver { receiver in
            let reported = Mutex<[Int]>([])
            let progress = { @Sendable (count: Int) in reported.withLock { $0.append(count) } }
            _ = try await outcome(receiver.url("/ok,ok,status:500"), progress: progress)
            #expect(reported.withLock { $0 } == [1, 2])
        }
    }

    // MARK: Records that are not sent

    @Test func `records without a position or from before 1970 are refused by name, and the others delivered`()
        async throws
    {
        try await withReceiver { receiver in
            let reported = Mutex<[Int]>([])
            let progress = { @Sendable (count: Int) in reported.withLock { $0.append(count) } }
            let bad = [Samples.invalid.fix, Samples.nullIsland.fix].enumerated().map { index, fix in
                Samples.record(fix, id: RecordID(rawValue: UInt128(index)))
            }
            let early = Samples.record(
                Fix(time: Timestamp(nanosecondsSince1970: -1), coordinate: Coordinate(latitude: 1, longitude: 2)),
                id: RecordID(rawValue: 7))
            let records = [SampleRecords.record(1), bad[0], early, SampleRecords.record(2), bad[1]]
            let receipt = try await outcome(receiver.url("/ok"), records, progress: progress).get()
            #expect(receipt.settled == 5)
            #expect(
                receipt.refused == [
                    bad[0].id: "the record has no valid position", bad[1].id: "the record has no valid position",
                    early.id: "the record is from before 1970",
                ])
            #expect(try receiver.records().map(\.id) == [1, 2].map { SampleRecords.record($0).id.description })
            #expect(reported.withLock { $0 } == [1], "a report would say that the refused records were taken")
        }
    }

    @Test func `a batch of nothing but records that cannot be sent makes no request`() async throws {
        let receipt = try await outcome("http://127.0.0.1:9", [Samples.invalid]).get()
        #expect(receipt.settled == 1 && receipt.refused.count == 1)
    }

    // MARK: Failures

    @Test(arguments: Format.allCases)
    func `a failure in the middle settles the records before it and sends none after it`(_ format: Format) async throws
    {
        try await withReceiver { receiver in
            let records = SampleRecords.records(count: 5)
            let names = records.map { OsmAndSamples.name(of: $0, format) }
            let url = receiver.url("/poison:500:\(names[2])")
            let receipt = try await outcome(url, records, in: format).get()
            #expect(receipt == Receipt(settled: 2))
            #expect(try receiver.requests().count == 3)
            #expect(try receiver.records().map(\.id) == Array(names.prefix(2)))
        }
    }

    @Test func `refused records before a failure are settled with what was confirmed`() async throws {
        try await withReceiver { receiver in
            let records = [Samples.invalid, SampleRecords.record(1), SampleRecords.record(2)]
            let receipt = try await outcome(receiver.url("/ok,status:500"), records).get()
            #expect(receipt.settled == 2)
            #expect(Array(receipt.refused.keys) == [Samples.invalid.id])
        }
    }

    /// A receipt would tell the drain that the server takes records.
    @Test func `a failure before anything was confirmed is an error, whatever was refused`() async throws {
        try await withReceiver { receiver in
            let result = try await outcome(receiver.url("/status:503"), [Samples.invalid, SampleRecords.record(1)])
            #expect(
                result
                    == .failure(DeliveryError(.retry(evidence: .silence), "HTTP 503; reply: {\"error\":\"as asked\"}")))
            #expect(try receiver.requests().count == 1)
        }
    }

    @Test(arguments: [(400, Format.query), (400, .json), (404, .json)])
    func `a server that does not know the device pauses the sink and says so`(_ status: Int, _ format: Format)
        async throws
    {
        try await withReceiver { receiver in
            let result = try await outcome(receiver.url("/status:\(status)"), in: format)
            guard case .failure(let error) = result else { return #expect(Bool(false), "\(result)") }
            #expect(error.recovery == .needsOperator)
            #expect(
                error.reason.hasPrefix("HTTP \(status): the server does not know the device 'van-7'; add it there"))
        }
    }

    @Test(arguments: [
        BehaviourCase("/ok:201", nil),
        BehaviourCase("/ok-empty", nil),
        BehaviourCase("/ok-text", nil),
        BehaviourCase("/html", .retry(evidence: .silence)),
        BehaviourCase("/status:401", .needsOperator),
        BehaviourCase("/status:404", .needsOperator),
        BehaviourCase("/status:422", .rejected),
        BehaviourCase("/status:500", .retry(evidence: .failure)),
        BehaviourCase("/status:503", .retry(evidence: .silence)),
        BehaviourCase("/retry-after:7", .retry(after: .seconds(7))),
        BehaviourCase("/reset", .retry(evidence: .silence)),
        BehaviourCase("/redirect:301:%2Fok", .needsOperator),
        BehaviourCase("/silent", .retry(evidence: .timeout), timeout: .milliseconds(400)),
    ])
    func `any other reply means what it means to every sink`(_ row: BehaviourCase) async throws {
        try await withReceiver { receiver in
            let result = try await outcome(receiver.url(row.path), in: .query) { $0.httpTimeout = row.timeout }
            switch (result, row.expected) {
            case (.success(let receipt), nil): #expect(receipt == Receipt(settled: 3))
            case (.failure(let error), let expected?):
                #expect(error.recovery == expected, "\(error)")
                #expect(!error.reason.contains("does not know"), "\(error)")
            default: Issue.record("\(result)")
            }
        }
    }

    @Test func `a delivery that is cancelled in the middle is an error`() async throws {
        try await withReceiver { receiver in
            let url = receiver.url("/ok,silent")
            let delivery = Task { try await outcome(url) }
            await eventually("the receiver sees the second request") { (try? receiver.requests().count) == 2 }
            delivery.cancel()
            guard case .failure(let error) = try await delivery.value else { return #expect(Bool(false)) }
            #expect(error.recovery == .retry())
        }
    }
}

extension OsmAndSinkTests {
    @Test func `once the server has taken a record of the device, a 400 is about a record`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let receiver = try await ReceiverProcess(log: directory + "/log")
            let sink = try OsmAndSink(
                configuration: OsmAndSink.Configuration(
                    url: receiver.url("/input"), deviceID: "van-7"))
            var outcomes: [DeliveryError.Recovery?] = []
            for number in 1...3 {
                try receiver.setInput(number == 1 ? "ok" : "status:400")
                do throws(DeliveryError) {
                    _ = try await sink.deliver(RecordBatch(records: [SampleRecords.record(number)]))
                    outcomes.append(nil)
                } catch { outcomes.append(error.recovery) }
            }
            #expect(outcomes == [nil, .rejected, .rejected])
            await sink.close()
            receiver.stop()
        }
    }
}
