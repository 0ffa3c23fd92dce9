import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("How deliveries go, as a value")
struct DeliveryStateTests {
    private typealias Flow = DeliveryState<String>

    private let ids = SampleRecords.records(count: 3).map(\.id)

    /// A flow with a delivery of three records under way, of which some messages are sent.
    private func flow(sent: Int, confirmed needsConfirmation: Bool = false) -> Flow {
        var flow = Flow(needsConfirmation: needsConfirmation)
        flow.begin("first", ids: ids, recordCounts: [1, 1, 1])
        for _ in 0..<sent { _ = flow.sent() }
        return flow
    }

    @Test
    func `Without a delivery there is nothing to send, and nothing has an owner`() {
        var flow = Flow(needsConfirmation: false)
        #expect(flow.upcoming(isListening: true) == nil)
        #expect(flow.owner == nil)
        #expect(flow.conclude(0, .taken, at: .zero) == nil)
        #expect(flow.end(DeliveryError(.retry(), "closed")) == nil)
        #expect(flow.connectionLost() == nil)
    }

    @Test
    func `Messages go in their order, and none while confirmations could not arrive`() {
        var flow = flow(sent: 0)
        #expect(flow.upcoming(isListening: false) == nil)
        #expect(flow.upcoming(isListening: true) == 0)
        #expect(flow.sent() == 1, "the first delivery")
        #expect(flow.upcoming(isListening: true) == 1)
    }

    @Test
    func `Each acknowledgement tells the owner how far it has come, and the last one the end`() throws {
        var flow = flow(sent: 3)
        #expect(flow.conclude(1, .taken, at: .zero)?.confirmed == 0)
        #expect(flow.conclude(0, .taken, at: .zero)?.confirmed == 2)
        let change = flow.conclude(2, .taken, at: .zero)
        let end = try #require(change)
        #expect(end.owner == "first")
        #expect(end.result == DeliveryProgress.Result(settled: 3, dead: [], failure: nil))
        #expect(flow.owner == nil)
    }

    @Test
    func `A message of a delivery that was given up carries nothing any more`() {
        var flow = flow(sent: 2)
        flow.begin("second", ids: ids, recordCounts: [2])
        #expect(flow.recordCount(of: 0, in: 1) == nil)
        #expect(flow.recordCount(of: 0, in: 2) == 2)
        flow.forget()
        #expect(flow.owner == nil)
        #expect(flow.recordCount(of: 0, in: 2) == nil)
    }

    @Test
    func `After a failure with others in flight messages go one by one, until a delivery succeeds`() {
        let refusal = DeliveryError(.retry(), "quota exceeded")
        var flow = flow(sent: 2)
        #expect(flow.conclude(0, .failed(refusal), at: .zero)?.result?.failure == refusal)
        flow.begin("second", ids: ids, recordCounts: [1, 1])
        #expect(flow.upcoming(isListening: true) == 0)
        _ = flow.sent()
        #expect(flow.upcoming(isListening: true) == nil, "the one before is not settled")
        _ = flow.conclude(0, .taken, at: .zero)
        #expect(flow.upcoming(isListening: true) == 1)
        _ = flow.sent()
        #expect(flow.conclude(1, .taken, at: .zero)?.result?.failure == nil)
        flow.begin("third", ids: ids, recordCounts: [1, 1])
        _ = flow.sent()
        #expect(flow.upcoming(isListening: true) == 1)
    }

    @Test
    func `Where a consumer confirms, broker and consumer both have to, in whichever order`() {
        var flow = flow(sent: 3, confirmed: true)
        #expect(flow.conclude(0, .taken, at: .zero) == nil)
        #expect(flow.confirm([ids[1], ids[0]]) == 2)
        #expect(flow.settleConfirmed(at: .zero)?.confirmed == 1)
        #expect(flow.conclude(1, .taken, at: .zero)?.confirmed == 2)
        #expect(flow.conclude(2, .taken, at: .zero) == nil)
        #expect(flow.confirm([ids[2]]) == 1)
        #expect(flow.settleConfirmed(at: .zero)?.result?.settled == 3)
    }

    @Test
    func `Where a consumer confirms, a denial ends the delivery at once`() {
        let denial = DeliveryError(.needsOperator, "not authorized")
        var flow = flow(sent: 2, confirmed: true)
        #expect(flow.conclude(0, .denied(denial), at: .zero)?.result?.failure == denial)
    }

    @Test
    func `A delivery whose consumer is silent ends when the time is over, and not before`() {
        var flow = flow(sent: 1, confirmed: true)
        #expect(flow.endUnconfirmed(after: .seconds(5), at: .seconds(60), "silent") == nil, "the broker is silent, too")
        _ = flow.conclude(0, .taken, at: .seconds(60))
        #expect(flow.endUnconfirmed(after: .seconds(5), at: .seconds(65), "silent") == nil)
        let change = flow.endUnconfirmed(after: .seconds(5), at: .seconds(66), "silent")
        #expect(change?.result?.failure == DeliveryError(.retry(), "silent"))
    }

    @Test
    func `A connection lost before anything was confirmed makes the next messages go one by one`() {
        var flow = flow(sent: 2, confirmed: true)
        #expect(flow.connectionLost() == nil)
        _ = flow.interrupt(MQTTFailure(.connectionLost, "gone"), next: .seconds(1))
        flow.begin("second", ids: ids, recordCounts: [1, 1])
        _ = flow.sent()
        #expect(flow.upcoming(isListening: true) == nil)
    }

    @Test
    func `A refusal that waits for the message ahead of it is told when the connection is lost`() {
        var flow = flow(sent: 2, confirmed: true)
        _ = flow.conclude(1, .dead("too large"), at: .zero)
        #expect(flow.connectionLost()?.result?.failure == DeliveryError(.rejected, "too large"))
        #expect(flow.owner == nil)
    }

    @Test
    func `Without a connection the drain is told when to come again, and whether records were under way`() {
        let failure = MQTTFailure(.connectionLost, "gone")
        var idle = flow(sent: 0)
        #expect(idle.interrupt(failure, next: .seconds(3))?.result?.failure?.recovery == .retry(after: .seconds(3)))
        var busy = flow(sent: 1)
        let error = busy.interrupt(failure, next: .seconds(3))?.result?.failure
        #expect(error?.recovery == .retry(after: .seconds(3), evidence: .silence))
    }
}

@Suite("What waits to be sent and what is told of it, as values")
struct ControlQueueTests {
    @Test
    func `Messages leave in the order of their arrival, and those beyond the capacity are dropped`() {
        var queue = ControlQueue()
        let messages = (0..<ControlQueue.capacity + 2).map { MQTTMessage(topic: "t/\($0)", payload: []) }
        queue.post(Array(messages.prefix(1)))
        queue.post(Array(messages.dropFirst()))
        var topics: [String] = []
        while let message = queue.take() { topics.append(message.topic) }
        #expect(topics == messages.prefix(ControlQueue.capacity).map(\.topic))
        #expect(queue.isEmpty)
    }

    @Test
    func `Only what has changed is told, and each message sent once`() {
        var report = TransferReport()
        #expect(report.take(inFlight: 0) == nil)
        report.noteSent()
        report.noteSent()
        let first = report.take(inFlight: 2)
        #expect(first?.sent == 2)
        #expect(first?.inFlight == 2)
        #expect(report.take(inFlight: 2) == nil)
        #expect(report.take(inFlight: 0)?.sent == 0)
    }
}
