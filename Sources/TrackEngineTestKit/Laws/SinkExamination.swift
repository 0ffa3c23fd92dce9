internal import Synchronization
internal import TrackEngine

/// One run of the laws against one bench. Each part uses records of its own.
struct SinkExamination {
    let bench: SinkBench
    let promptness: Duration
    private(set) var findings: [LawReport.Finding] = []
    private var offered: Set<RecordID> = []
    private var nextNumber = 1

    init(bench: SinkBench, promptness: Duration) {
        self.bench = bench
        self.promptness = promptness
    }

    private mutating func violated(_ law: String, _ seen: String) {
        findings.append(LawReport.Finding(law: law, verdict: .violated, seen: seen))
    }

    /// Notes what was seen of a law that has not been violated.
    private mutating func saw(_ law: String, _ seen: String) {
        guard !findings.contains(where: { $0.law == law && $0.verdict == .violated }) else { return }
        findings.append(LawReport.Finding(law: law, verdict: .kept, seen: seen))
    }

    /// Whether laws can be examined that need the receiver to do something; notes it if not.
    mutating func allows(_ capability: SinkBench.Capability, for laws: [String]) -> Bool {
        guard !bench.capabilities.contains(capability) else { return true }
        for law in laws {
            findings.append(
                LawReport.Finding(law: law, verdict: .notExamined, seen: "the receiver knows no \(capability)"))
        }
        return false
    }

    private mutating func batch(_ count: Int) -> RecordBatch {
        let records = SampleRecords.records(from: nextNumber, count: count)
        nextNumber += count
        offered.formUnion(records.map(\.id))
        return RecordBatch(records: records)
    }

    // MARK: The laws

    /// Two batches, one after the other: received, in order, nothing else.
    mutating func delivers() async throws {
        let sink = try await bench.makeSink(.willing)
        var expected: [RecordID] = []
        for size in [5, 3] {
            let batch = batch(size)
            do throws(DeliveryError) {
                let receipt = try await sink.deliver(batch)
                await compare(receipt, batch)
            } catch {
                violated(SinkLaws.settledIsReceived, "a willing receiver, yet it threw: \(error)")
            }
            expected += batch.records.map(\.id)
        }
        await sink.close()
        await checkOrder(of: expected)
        await checkInventions()
        let held = await heldIDs().count
        saw(SinkLaws.settledIsReceived, "batches of 5 and 3 records, and the receiver holds \(held)")
        saw(SinkLaws.orderIsKept, "\(held) records in the batches' order")
        saw(SinkLaws.nothingIsInvented, "\(held) records, all of them offered")
    }

    private mutating func compare(_ receipt: Receipt, _ batch: RecordBatch) async {
        guard (0...batch.records.count).contains(receipt.settled) else {
            return violated(SinkLaws.settledIsReceived, "\(receipt.settled) of \(batch.records.count) settled")
        }
        let held = Set(await heldIDs())
        let missing = batch.records.prefix(receipt.settled).map(\.id).filter {
            !held.contains($0) && receipt.refused[$0] == nil
        }
        if !missing.isEmpty {
            violated(SinkLaws.settledIsReceived, "\(missing.count) of \(receipt.settled) settled records are not there")
        }
    }

    private func heldIDs() async -> [RecordID] {
        // A bench that cannot answer holds nothing: the comparison then fails, which is what a test wants to see.
        ((try? await bench.received()) ?? []).map(\.id)
    }

    private mutating func checkOrder(of expected: [RecordID]) async {
        var seen: Set<RecordID> = []
        let firstArrivals = await heldIDs().filter { expected.contains($0) && seen.insert($0).inserted }
        let wanted = expected.filter(seen.contains)
        if firstArrivals != wanted { violated(SinkLaws.orderIsKept, "another order of \(wanted.count) records") }
    }

    private mutating func checkInventions() async {
        let invented = Set(await heldIDs()).subtracting(offered)
        if !invented.isEmpty { violated(SinkLaws.nothingIsInvented, "\(invented.count) records of nobody") }
    }

    /// The same batch through two sinks, as after a restart: equal payloads.
    mutating func repeats() async throws {
        let batch = batch(4)
        for _ in 0..<2 {
            let sink = try await bench.makeSink(.willing)
            _ = try? await sink.deliver(batch)  // a failure shows below as a missing payload
            await sink.close()
        }
        let received = try await bench.received()
        for record in batch.records {
            let payloads = received.filter { $0.id == record.id }.map(\.payload)
            if Set(payloads).count != 1 {
                return violated(SinkLaws.repetitionIsIdentical, "\(Set(payloads).count) payloads of one record")
            }
        }
        saw(SinkLaws.repetitionIsIdentical, "\(batch.records.count) records through two sinks")
    }

    /// One bad record among good ones.
    mutating func isRefused() async throws {
        let batch = batch(4)
        let bad = batch.records[2].id
        let sink = try await bench.makeSink(.refusing(bad))
        do throws(DeliveryError) {
            let receipt = try await sink.deliver(batch)
            let isTold = receipt.refused[bad] != nil || receipt.settled <= 2
            if !isTold { violated(SinkLaws.refusalIsTold, "settled as if it had been taken") }
            saw(SinkLaws.refusalIsTold, "\(receipt.settled) of 4 settled, \(receipt.refused.count) refused")
            await compare(receipt, batch)
        } catch {
            switch error.recovery {
            case .rejected, .retry(_, evidence: .failure): saw(SinkLaws.refusalIsTold, "threw \(error.recovery)")
            case .retry, .smaller, .needsOperator:
                violated(SinkLaws.refusalIsTold, "taken for \(error.recovery)")
            }
        }
        await sink.close()
    }

    /// A receiver that never answers, and a caller who gives up.
    mutating func isCancelled() async throws {
        let batch = batch(2)
        let sink = try await bench.makeSink(.silent)
        let before = try await bench.attempts()
        let outcome = Outcome()
        // Not structured: a sink that ignores cancellation would hold the examination for ever.
        let delivery = Task {
            await outcome.note { () async throws(DeliveryError) in
                guard let sink = sink as? any ProgressReporting else { return try await sink.deliver(batch) }
                return try await sink.deliver(batch, reporting: { outcome.note(confirmed: $0) })
            }
        }
        let bench = bench
        _ = await comesAbout(within: .seconds(10)) {
            if outcome.value != nil { return true }
            // A bench that fails to answer counts as "not yet"; what follows is then judged without the wait.
            return ((try? await bench.attempts()) ?? 0) > before
        }
        delivery.cancel()
        guard await comesAbout(within: promptness, { outcome.value != nil }) else {
            return violated(SinkLaws.cancellationEndsDelivery, "still delivering after \(promptness)")
        }
        if outcome.confirmed > 0 {
            violated(SinkLaws.progressIsConfirmed, "\(outcome.confirmed) records of a receiver that says nothing")
        }
        if case .success(let receipt) = outcome.value, receipt.settled > 0 {
            violated(SinkLaws.cancellationEndsDelivery, "settled \(receipt.settled) records")
        }
        saw(SinkLaws.cancellationEndsDelivery, "\(outcome.value.map { "\($0)" } ?? "nothing")")
        await sink.close()
    }

    /// Up, down, then up again, with the same sink.
    mutating func losesItsReceiver() async throws {
        let sink = try await bench.makeSink(.willing)
        _ = try? await sink.deliver(batch(1))  // only so that the sink has a connection to lose
        let batch = batch(3)
        try await bench.takeDown()
        do throws(DeliveryError) {
            let receipt = try await sink.deliver(batch)
            violated(SinkLaws.downIsRetry, "settled \(receipt.settled) records of a receiver that was down")
        } catch {
            switch error.recovery {
            case .retry(_, evidence: nil), .retry(_, evidence: .silence): break
            case .retry, .smaller, .rejected, .needsOperator:
                violated(SinkLaws.downIsRetry, "answered \(error.recovery)")
            }
            saw(SinkLaws.downIsRetry, "threw \(error.recovery)")
        }
        try await bench.bringUp()
        let outcome = Outcome()
        let isBack = await comesAbout(within: .seconds(10)) {
            await outcome.note { () async throws(DeliveryError) in try await sink.deliver(batch) }
            if case .success = outcome.value { return true } else { return false }
        }
        if case .success(let receipt) = outcome.value { await compare(receipt, batch) }
        if isBack { saw(SinkLaws.recovers, "\(batch.records.count) records delivered") }
        if !isBack { violated(SinkLaws.recovers, "\(outcome.value.map { "\($0)" } ?? "nothing") for 10 s") }
        await sink.close()
    }
}

/// How a delivery ended, if it has.
private final class Outcome: Sendable {
    private let state = Mutex<Result<Receipt, DeliveryError>?>(nil)
    private let progress = Mutex(0)

    var value: Result<Receipt, DeliveryError>? { state.withLock { $0 } }
    /// The most records that the sink reported as confirmed.
    var confirmed: Int { progress.withLock { $0 } }

    func note(confirmed count: Int) { progress.withLock { $0 = max($0, count) } }

    func note(_ delivery: () async throws(DeliveryError) -> Receipt) async {
        let result: Result<Receipt, DeliveryError>
        do throws(DeliveryError) { result = .success(try await delivery()) } catch { result = .failure(error) }
        state.withLock { $0 = result }
    }
}
