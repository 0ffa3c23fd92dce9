import Testing
import TrackEngine
import TrackEngineTestKit

/// A sink for an ``InMemoryReceiver`` that is honest but for one fault.
struct MadeUpSink: FixSink {
    enum Fault: Sendable, CaseIterable {
        case none, acknowledgesEarly, acknowledgesMore, reorders, invents, varies, ignoresCancellation
        case settlesWhenCancelled, swallowsErrors, pausesWhenDown, takesRefusalForOutage, swallowsRefusals
    }

    let id: SinkID = "made-up"
    let receiver: InMemoryReceiver
    let mood: SinkBench.Mood
    let fault: Fault
    /// Ends a delivery that ignores cancellation, when the test is over.
    let end: AsyncStream<Never>
    /// Differs from sink to sink.
    let salt: Int

    func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        let receipt = Receipt(settled: batch.records.count)
        if fault == .acknowledgesEarly { return receipt }
        switch receiver.offer(payload(of: batch), mood) {
        case .taken: return receipt
        case .unreachable:
            if fault == .swallowsErrors { return receipt }
            throw DeliveryError(fault == .pausesWhenDown ? .needsOperator : .retry(), "down")
        case .refused:
            if fault == .swallowsRefusals { return receipt }
            throw DeliveryError(fault == .takesRefusalForOutage ? .retry() : .rejected, "refused")
        case .nothing: return try await wait(receipt)
        }
    }

    private func payload(of batch: RecordBatch) -> [ReceivedRecord] {
        var records = batch.records
        switch fault {
        case .acknowledgesMore: records.removeLast()
        case .reorders: records.reverse()
        case .invents: records.append(SampleRecords.record(1_000_000))
        default: break  // this is no state machine: the other faults show elsewhere
        }
        return records.map {
            ReceivedRecord(id: $0.id, payload: "\($0.sequence)" + (fault == .varies ? " \(salt)" : ""))
        }
    }

    private func wait(_ receipt: Receipt) async throws(DeliveryError) -> Receipt {
        if fault == .ignoresCancellation {
            await Task { [end] in for await _ in end {} }.value  // not structured, to be deaf to cancellation
        }
        try? await run()  // returns on cancellation, its only end
        if fault == .settlesWhenCancelled { return receipt }
        throw DeliveryError(.retry(), "cancelled")
    }
}

/// The made-up sink with reports: of what it is about to send, or of what the receiver has confirmed.
private struct ReportingSink: ProgressReporting {
    let sink: MadeUpSink
    let isHasty: Bool
    var id: SinkID { sink.id }

    func deliver(
        _ batch: RecordBatch, reporting progress: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryError) -> Receipt {
        if isHasty { progress(batch.records.count) }
        let receipt = try await sink.deliver(batch)
        progress(receipt.settled)
        return receipt
    }
}

@Suite("The laws of sinks")
struct SinkLawsMutantTests {
    @Test(arguments: [false, true])
    func `a sink that reports what it has only sent breaks the law about progress`(_ isHasty: Bool) async throws {
        let (end, continuation) = AsyncStream.makeStream(of: Never.self, bufferingPolicy: .bufferingNewest(1))
        defer { continuation.finish() }
        let bench = InMemoryReceiver().bench { receiver, mood in
            let sink = MadeUpSink(receiver: receiver, mood: mood, fault: .none, end: end, salt: 0)
            return ReportingSink(sink: sink, isHasty: isHasty)
        }
        let laws = try await SinkLaws(bench).violations().map(\.law)
        #expect(laws == (isHasty ? [SinkLaws.progressIsConfirmed] : []))
    }

    private func violations(_ fault: MadeUpSink.Fault) async throws -> Set<String> {
        let (end, continuation) = AsyncStream.makeStream(of: Never.self, bufferingPolicy: .bufferingNewest(1))
        defer { continuation.finish() }
        let bench = InMemoryReceiver().bench { receiver, mood in
            MadeUpSink(receiver: receiver, mood: mood, fault: fault, end: end, salt: Int.random(in: .min ... .max))
        }
        // Short only where the law is broken by not coming to an end: a busy machine keeps good sinks waiting, too.
        let promptness = fault == .ignoresCancellation ? Duration.milliseconds(500) : .seconds(10)
        let violations = try await SinkLaws(bench, promptness: promptness).violations()
        return Set(violations.map(\.law))
    }

    @Test func `an honest sink keeps them all`() async throws {
        #expect(try await violations(.none) == [])
    }

    @Test(
        arguments: [
            (.acknowledgesEarly, SinkLaws.settledIsReceived), (.acknowledgesMore, SinkLaws.settledIsReceived),
            (.reorders, SinkLaws.orderIsKept), (.invents, SinkLaws.nothingIsInvented),
            (.varies, SinkLaws.repetitionIsIdentical),
            (.ignoresCancellation, SinkLaws.cancellationEndsDelivery),
            (.settlesWhenCancelled, SinkLaws.cancellationEndsDelivery), (.swallowsErrors, SinkLaws.downIsRetry),
            (.pausesWhenDown, SinkLaws.downIsRetry), (.takesRefusalForOutage, SinkLaws.refusalIsTold),
            (.swallowsRefusals, SinkLaws.refusalIsTold),
        ] as [(MadeUpSink.Fault, String)])
    func `a sink with a fault breaks the law about it`(_ fault: MadeUpSink.Fault, _ law: String) async throws {
        #expect(try await violations(fault).contains(law))
    }
}
