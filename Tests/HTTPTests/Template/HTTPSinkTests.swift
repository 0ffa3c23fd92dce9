import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

@Suite("The sink of templates and a real receiver", .serialized)
struct HTTPSinkTests {
    typealias Form = HTTPSinkLawsTests.Form

    private func withReceiver(_ body: (ReceiverProcess) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let receiver = try await ReceiverProcess(log: directory + "/log")
            try await body(receiver)
            receiver.stop()
        }
    }

    private func outcome(
        _ url: String, _ records: [TrackRecord] = SampleRecords.records(count: 3), _ form: Form = .json,
        _ change: (inout HTTPSink.Configuration) -> Void = { _ in },
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> Result<Receipt, DeliveryError> {
        var configuration = HTTPSinkLawsTests.configuration(url, form)
        change(&configuration)
        let sink = try HTTPSink(id: "own", configuration: configuration)
        let result: Result<Receipt, DeliveryError>
        do throws(DeliveryError) {
            result = .success(try await sink.deliver(RecordBatch(records: records), reporting: progress))
        } catch {
            result = .failure(error)
        }
        await sink.close()
        return result
    }

    @Test(arguments: Form.allCases)
    func `a batch arrives in order over one connection, in as many requests as the template says`(_ form: Form)
        async throws
    {
        try await withReceiver { receiver in
            let records = SampleRecords.records(count: 20)
            #expect(try await outcome(receiver.url("/ok"), records, form) == .success(Receipt(settled: 20)))
            let received = try receiver.records()
            #expect(received.map(\.id) == records.map { HTTPSinkLawsTests.name(of: $0, form) })
            let requests = try receiver.requests()
            #expect(requests.count == (form == .batch ? 1 : 20))
            #expect(Set(requests.map(\.client)).count == 1)
            #expect(Set(requests.map(\.method)) == [form == .query ? "GET" : "POST"])
            #expect(requests[0].headers["content-type"] == (form == .query ? nil : "application/json"))
        }
    }

    @Test func `what was confirmed is reported at once, and a failure in the middle settles it`() async throws {
        try await withReceiver { receiver in
            let reported = Mutex<[Int]>([])
            let progress = { @Sendable (count: Int) in reported.withLock { $0.append(count) } }
            let result = try await outcome(receiver.url("/ok,ok,status:500"), progress: progress)
            #expect(result == .success(Receipt(settled: 2)))
            #expect(reported.withLock { $0 } == [1, 2])
        }
    }

    @Test(arguments: Form.allCases)
    func `records without a position are refused by name, and the others delivered`(_ form: Form) async throws {
        try await withReceiver { receiver in
            let bad = Samples.record(Samples.nullIsland.fix, id: RecordID(rawValue: 7))
            let records = [SampleRecords.record(1), bad, SampleRecords.record(2)]
            let receipt = try await outcome(receiver.url("/ok"), records, form).get()
            #expect(receipt == Receipt(settled: 3, refused: [bad.id: "the record has no valid position"]))
            #expect(try receiver.records().count == 2)
        }
    }

    @Test func `a record whose address would be too long is refused by name`() async throws {
        let url = "http://127.0.0.1:9/%{latitude}/%{longitude}?" + String(repeating: "%{id}", count: 120)
        let receipt = try await outcome(url, [SampleRecords.record(1)]) { $0.body = nil }.get()
        #expect(receipt.settled == 1 && receipt.refused.count == 1)
    }

    @Test(arguments: [
        BehaviourCase("/ok:201", nil), BehaviourCase("/ok-empty", nil),
        BehaviourCase("/html", .retry(evidence: .silence)),
        BehaviourCase("/status:400", .rejected), BehaviourCase("/status:401", .needsOperator),
        BehaviourCase("/status:403", .needsOperator), BehaviourCase("/status:404", .needsOperator),
        BehaviourCase("/status:413", .smaller), BehaviourCase("/status:422", .rejected),
        BehaviourCase("/status:500", .retry(evidence: .failure)),
        BehaviourCase("/status:503", .retry(evidence: .silence)),
        BehaviourCase("/retry-after:7", .retry(after: .seconds(7))),
        BehaviourCase("/reset", .retry(evidence: .silence)),
        BehaviourCase("/redirect:301:%2Fok", .needsOperator),
        BehaviourCase("/silent", .retry(evidence: .timeout), timeout: .milliseconds(400)),
    ])
    func `a reply means what it means to every sink`(_ row: BehaviourCase) async throws {
        try await withReceiver { receiver in
            let result = try await outcome(receiver.url(row.path)) { $0.httpTimeout = row.timeout }
            switch (result, row.expected) {
            case (.success(let receipt), nil): #expect(receipt == Receipt(settled: 3))
            case (.failure(let error), let expected?): #expect(error.recovery == expected, "\(error)")
            default: Issue.record("\(result)")
            }
        }
    }

    @Test func `each request asks for the credentials as they are now, and an error hides them`() async throws {
        try await withReceiver { receiver in
            let count = Mutex(0)
            let sink = try HTTPSink(
                id: "own",
                configuration: HTTPSinkLawsTests.configuration(receiver.url("/ok,ok,status:422?key=k3y"), .json),
                credentials: {
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    return RequestCredentials(
                        token: Secret("secret-\(number)"), headers: [.init(name: "X-A", value: Secret("b"))])
                })
            let batch = RecordBatch(records: SampleRecords.records(count: 3))
            let receipt = try await sink.deliver(batch)
            #expect(receipt.settled == 2)
            let requests = try receiver.requests()
            #expect(requests.map { $0.headers["authorization"] } == (1...3).map { "Bearer secret-\($0)" })
            #expect(requests.allSatisfy { $0.headers["x-a"] == "b" })
            await sink.close()
        }
    }
}
