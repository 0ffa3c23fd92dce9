import Testing
import TrackEngine
import TrackEngineTestKit

/// A queue of records that one sink delivers, on a manual clock, until it is empty.
struct QueueRun {
    let harness: TrackerHarness
    let sink: ScriptedSink

    init(_ count: Int, to sink: ScriptedSink, batchSize: Int = 250) async throws {
        self.sink = sink
        let store = InMemoryFixStore()
        _ = try await store.append(SampleRecords.records(count: count).map(\.draft), checkpoint: nil)
        harness = try TrackerHarness(
            store: store, sinks: [SinkBinding(sink, sync: SyncConfiguration(syncThreshold: 1, maxBatchSize: batchSize))]
        )
    }

    /// How many deliveries there were, and how many records they carried.
    var cost: (requests: Int, uploads: Int) {
        (sink.deliveries.count, sink.deliveries.reduce(0) { $0 + $1.records.count })
    }

    /// Delivers until the queue is empty; the last records may wait when each of them is rejected.
    func untilDelivered(but waiting: Int = 0) async throws {
        try await harness.run {
            try await goOn("nothing waits") { try await harness.store.backlog(of: sink.id).count <= waiting }
        }
    }

    /// Runs until a condition holds.
    func until(_ description: String, _ condition: @Sendable @escaping () async throws -> Bool) async throws {
        try await harness.run { try await goOn(description, until: condition) }
    }

    /// Lets so much time pass.
    func forTime(_ time: Duration) async throws {
        let end = harness.clock.now.advanced(by: time)
        try await harness.run { try await goOn("the time is over") { harness.clock.now >= end } }
    }

    /// Moves the clock from one attempt of the delivery to the next, until a condition holds. While the delivery is at work, or
    /// has said until when it waits and does not sleep yet, the clock stands, however long the machine takes.
    ///
    /// It is the attempts that are bounded, and the real time in which nothing happens: a machine may be slow.
    private func goOn(_ description: String, until condition: () async throws -> Bool) async throws {
        var progress = (deliveries: 0, time: ContinuousClock.now)
        var looksInVain = 0
        while try await !condition() {
            let deliveries = sink.deliveries.count
            if deliveries > progress.deliveries { progress = (deliveries, .now) }
            guard deliveries < 20_000, ContinuousClock.now < progress.time + .seconds(120) else {
                Issue.record("did not come about: \(description), after \(deliveries) deliveries")
                return
            }
            let state = await harness.sync(sink.id)
            looksInVain += 1
            let deadlines = harness.clock.deadlines
            // The delivery and housekeeping: whoever were not asleep yet would sleep beyond its time.
            if state.nextDue != nil, deadlines.count == 2, let next = deadlines.first {
                harness.clock.advance(by: next)
                looksInVain = 0
            } else if state.activity != .sending, looksInVain >= 250 {
                // The queue is empty, or the delivery fell asleep just after the clock had moved, and sleeps beyond its time.
                harness.clock.advance(by: harness.clock.nextDeadline ?? .seconds(2))
                looksInVain = 0
            }
            try await Task.sleep(for: .microseconds(200))  // the delivery's turn
        }
    }

    func dead() async throws -> [DeadLetter] { try await harness.store.deadLetters(of: sink.id) }
}
