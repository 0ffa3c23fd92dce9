import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

/// A row of the table: how the receiver behaves, and what the drain shall do.
struct BehaviourCase: Sendable, CustomTestStringConvertible {
    let path: String
    let expected: DeliveryError.Recovery?
    let timeout: Duration

    init(_ path: String, _ expected: DeliveryError.Recovery?, timeout: Duration = .seconds(30)) {
        self.path = path
        self.expected = expected
        self.timeout = timeout
    }

    var testDescription: String { path }
}

@Suite("The Overland sink and a real receiver", .serialized)
struct OverlandSinkTests {
    static let canary = "c4n4ry-t0k3n"

    private func withReceiver(_ body: (ReceiverProcess) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let receiver = try await ReceiverProcess(log: directory + "/log")
            try await body(receiver)
            receiver.stop()
        }
    }

    private func outcome(
        _ url: String, _ batch: RecordBatch = RecordBatch(records: SampleRecords.records(count: 3)),
        clock: any Clock<Duration> = ContinuousClock(),
        _ change: (inout OverlandSink.Configuration) -> Void = { _ in }
    ) async throws -> Result<Receipt, DeliveryError> {
        let sink = try OverlandSink(id: "home", configuration: Samples.configuration(url, change), clock: clock)
        let result: Result<Receipt, DeliveryError>
        do throws(DeliveryError) { result = .success(try await sink.deliver(batch)) } catch { result = .failure(error) }
        await sink.close()
        return result
    }

    /// What a failed delivery asks for; `nil` when it succeeds.
    private func recovery(_ url: String) async throws -> DeliveryError.Recovery? {
        switch try await outcome(url) {
        case .success: nil
        case .failure(let error): error.recovery
        }
    }

    // MARK: Delivery

    @Test func `credentials are asked for with each delivery, and what is wrong with them is a pause`() async throws {
        try await withReceiver { receiver in
            let token = Mutex("old")
            let url = receiver.url("/bearer:new")
            let sink = try OverlandSink(
                id: "home", configuration: Samples.configuration(url) { $0.token = Secret("old") },
                credentials: { OverlandSink.Credentials(token: Secret(token.withLock { $0 })) })
            func recovery() async -> DeliveryError.Recovery? {
                do throws(DeliveryError) {
                    _ = try await sink.deliver(RecordBatch(records: SampleRecords.records(count: 1)))
                    return nil
                } catch { return error.recovery }
            }
            #expect(await recovery() == .needsOperator)
            token.withLock { $0 = "new" }
            #expect(await recovery() == nil)
            token.withLock { $0 = "two words" }
            #expect(await recovery() == .needsOperator)
            #expect(try receiver.records().count == 1)
            await sink.close()
        }
    }

    @Test func `a secret that was renewed is hidden in a receiver's words, as the first one is`() async throws {
        try await withReceiver { receiver in
            let url = receiver.url("/body:%7B%22result%22%3A%22renewed-secret%20first-secret%22%7D")
            let sink = try OverlandSink(
                id: "home", configuration: Samples.configuration(url) { $0.token = Secret("first-secret") },
                credentials: { OverlandSink.Credentials(token: Secret("renewed-secret")) })
            let error = await #expect(throws: DeliveryError.self) {
                try await sink.deliver(RecordBatch(records: SampleRecords.records(count: 1)))
            }
            #expect(error?.reason.contains("***") == true, "\(error?.reason ?? "")")
            #expect(error?.reason.contains("secret") == false, "\(error?.reason ?? "")")
            await sink.close()
        }
    }

    @Test func `all records of a batch are at the receiver once it is settled`() async throws {
        try await withReceiver { receiver in
            let batch = RecordBatch(records: SampleRecords.records(count: 250))
            let result = try await outcome(receiver.url("/ok"), batch)
            #expect(result == .success(Receipt(settled: 250)))
            #expect(try receiver.records().map(\.id) == batch.records.map(\.id.description))
        }
    }

    @Test func `a request carries our fields, the configured ones and the query`() async throws {
        try await withReceiver { receiver in
            _ = try await outcome(receiver.url("/ok?api_key=k%2B1")) {
                $0.token = Secret("t0k3n")
                $0.headers = [HeaderField(name: "CF-Access-Client-Id", value: Secret("id"))]
                $0.method = .put
            }
            let request = try #require(try receiver.requests().first)
            #expect(request.method == "PUT")
            #expect(request.target == "/ok?api_key=k%2B1")
            #expect(request.headers["authorization"] == "Bearer t0k3n")
            #expect(request.headers["cf-access-client-id"] == "id")
            #expect(request.headers["content-type"] == "application/json")
            #expect(request.headers["accept"] == "application/json")
            #expect(request.headers["user-agent"] == "TrackEngine/0.1")
            #expect(request.headers["content-length"] == "\(request.bodyBytes)")
        }
    }

    @Test func `records without a position are refused by name and do not spoil the batch`() async throws {
        try await withReceiver { receiver in
            let good = SampleRecords.record(1)
            let bad = Samples.record(Samples.invalid.fix, id: RecordID(rawValue: 1))
            let nowhere = Samples.record(Samples.nullIsland.fix, id: RecordID(rawValue: 2))
            let receipt = try await outcome(receiver.url("/ok"), RecordBatch(records: [bad, good, nowhere])).get()
            #expect(receipt.settled == 3)
            #expect(Set(receipt.refused.keys) == [bad.id, nowhere.id])
            #expect(try receiver.records().map(\.id) == [good.id.description])
        }
    }

    @Test func `a batch of nothing but records without a position makes no request`() async throws {
        let receipt = try await outcome("http://127.0.0.1:9/ok", RecordBatch(records: [Samples.invalid])).get()
        #expect(receipt.settled == 1 && receipt.refused.count == 1)
    }

    @Test func `a delivery whose reply is lost goes out again with the same bytes`() async throws {
        try await withReceiver { receiver in
            let url = receiver.url("/lost-reply,ok")
            #expect(try await recovery(url) == .retry(evidence: .silence))
            #expect(try await outcome(url) == .success(Receipt(settled: 3)))
            let requests = try receiver.requests()
            #expect(requests.count == 2 && Set(requests.map(\.bodyHash)).count == 1)
            #expect(try receiver.records().count == 6)
        }
    }

    @Test func `deliveries share a connection and survive the receiver's restart`() async throws {
        try await withReceiver { receiver in
            let sink = try OverlandSink(id: "home", configuration: Samples.configuration(receiver.url("/ok")))
            _ = try await sink.deliver(RecordBatch(records: SampleRecords.records(count: 2)))
            try await receiver.restart()
            // The old connection may be found dead only by using it; the drain would try again just so.
            let second = RecordBatch(records: SampleRecords.records(from: 3, count: 2))
            if (try? await sink.deliver(second)) == nil { _ = try await sink.deliver(second) }
            await sink.close()
            #expect(try receiver.records().map(\.id).suffix(2) == second.records.map(\.id.description))
        }
    }

    // MARK: Bad behaviour

    @Test(arguments: [
        BehaviourCase("/ok:201", nil),
        BehaviourCase("/failed", .retry(evidence: .failure)),
        BehaviourCase("/html", .retry(evidence: .silence)),
        BehaviourCase("/array", .retry(evidence: .silence)),
        BehaviourCase("/empty", .retry(evidence: .silence)),
        BehaviourCase("/status:400", .rejected),
        BehaviourCase("/status:401", .needsOperator),
        BehaviourCase("/status:404", .needsOperator),
        BehaviourCase("/status:500", .retry(evidence: .failure)),
        BehaviourCase("/status:503", .retry(evidence: .silence)),
        BehaviourCase("/retry-after:7", .retry(after: .seconds(7))),
        BehaviourCase("/limit:2", .smaller),
        BehaviourCase("/limit:3", nil),
        BehaviourCase("/silent", .retry(evidence: .timeout), timeout: .milliseconds(400)),
        BehaviourCase("/drip", .retry(evidence: .timeout), timeout: .milliseconds(400)),
        BehaviourCase("/huge", .retry(evidence: .silence)),
        BehaviourCase("/garbage", .retry(evidence: .silence)),
        BehaviourCase("/truncated", .retry(evidence: .silence)),
        BehaviourCase("/reset", .retry(evidence: .silence)),
        BehaviourCase("/redirect:301:%2Fok", .needsOperator),
        BehaviourCase("/redirect:302:%2Fok", .needsOperator),
        BehaviourCase("/redirect:307:%2Fok", nil),
        BehaviourCase("/redirect:308:%2Fok", nil),
    ])
    func `bad behaviour ends in one classified error, in time and without secrets`(_ row: BehaviourCase) async throws {
        try await withReceiver { receiver in
            let start = ContinuousClock.now
            let result = try await outcome(receiver.url("\(row.path)?token=\(Self.canary)")) {
                $0.token = Secret(Self.canary)
                $0.httpTimeout = row.timeout
            }
            // The rest is for a machine that is busy; without a deadline it would be for ever.
            #expect(ContinuousClock.now - start < row.timeout + .seconds(600))
            switch (result, row.expected) {
            case (.success(let receipt), nil): #expect(receipt == Receipt(settled: 3))
            case (.failure(let error), let expected?):
                #expect(error.recovery == expected, "\(error)")
                #expect(!error.reason.contains(Self.canary))
            default: Issue.record("\(result)")
            }
        }
    }

    @Test func `the deadline stands on the injected clock and covers the body`() async throws {
        try await withReceiver { receiver in
            let clock = ManualClock()
            let sink = try OverlandSink(
                id: "home", configuration: Samples.configuration(receiver.url("/drip")), clock: clock)
            async let delivery: Result<Receipt, DeliveryError> = {
                do throws(DeliveryError) {
                    return .success(try await sink.deliver(RecordBatch(records: [SampleRecords.record(1)])))
                } catch {
                    return .failure(error)
                }
            }()
            await clock.sleepers(atLeast: 1)
            await eventually("the receiver sees the request") { (try? receiver.requests().count) == 1 }
            clock.advance(by: .seconds(10))
            let result = await delivery
            await sink.close()
            #expect(
                result
                    == .failure(
                        DeliveryError(
                            .retry(evidence: .timeout),
                            "no complete reply from http://127.0.0.1:\(receiver.port) within 10 s")))
        }
    }

    @Test func `nobody at the address is a retry, at once`() async throws {
        let place = try RefusingPort()
        let origin = "http://127.0.0.1:\(place.number)"
        // On this clock no time passes: whoever waited for any would wait for ever.
        let result = try await outcome(origin + "/ok", clock: ManualClock())
        #expect(result == .failure(DeliveryError(.retry(), "no connection to \(origin)")))
        withExtendedLifetime(place) {}
    }

    @Test func `closing during a delivery ends it`() async throws {
        try await withReceiver { receiver in
            let sink = try OverlandSink(id: "home", configuration: Samples.configuration(receiver.url("/silent")))
            async let receipt = try? sink.deliver(RecordBatch(records: [SampleRecords.record(1)]))  // nil is the point
            await eventually("the receiver sees the request") { (try? receiver.requests().count) == 1 }
            await sink.close()
            #expect(await receipt == nil)
        }
    }

    // MARK: Redirects

    @Test func `nothing goes to another origin`() async throws {
        try await withReceiver { other in
            try await withReceiver { receiver in
                for status in [301, 302, 307, 308] {
                    let target = other.url("/ok").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                    let result = try await outcome(receiver.url("/redirect:\(status):\(target)")) {
                        $0.token = Secret(Self.canary)
                    }
                    let expected = "HTTP \(status) redirect to http://127.0.0.1:\(other.port), not followed"
                    #expect(result == .failure(DeliveryError(.needsOperator, expected)))
                }
                #expect(try receiver.requests().count == 4)
                #expect(try other.requests().isEmpty)
            }
        }
    }

    @Test func `a redirect on the same origin keeps method, credentials and body`() async throws {
        try await withReceiver { receiver in
            _ = try await outcome(receiver.url("/redirect:307:%2Fok")) { $0.token = Secret("t") }
            let requests = try receiver.requests()
            #expect(requests.map(\.target) == ["/redirect:307:%2Fok", "/ok"])
            #expect(requests.map(\.method) == ["POST", "POST"])
            #expect(requests.map { $0.headers["authorization"] } == ["Bearer t", "Bearer t"])
            #expect(Set(requests.map(\.bodyHash)).count == 1)
        }
    }

    @Test func `a circle of redirects ends`() async throws {
        try await withReceiver { receiver in
            try receiver.setInput("redirect:307:%2Finput")
            #expect(try await recovery(receiver.url("/input")) == .needsOperator)
            #expect(try receiver.requests().count == 4)
        }
    }
}
