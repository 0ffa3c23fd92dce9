import TrackEngine

/// Decides whether what a store shows after a fault is what it promised before.
///
/// It knows the ledger up to the fault and nothing of the store's insides:
///
/// - (a) every accepted record is in the store, or every sink has had it, or it is a dead letter, or a drop is counted;
/// - (b) no sequence number means two records, and the next one is new;
/// - (c) no sink's queue leaves out what its receiver has not had.
package struct StoreOracle: Sendable {
    /// What the fault may undo.
    package enum Fault: Sendable, Hashable {
        /// The power went: settlements without refusals and prunings may be undone, which repeats work.
        case powerCut
        /// The process died, or a call failed: whatever has returned stands.
        case process
    }

    private let fault: Fault
    private let sinks: [SinkID]
    private var accepted: [Int64: Int] = [:]
    private var intended: Set<Int> = []
    private var failed: Set<Int> = []
    private var delivered: [SinkID: Int64] = [:]
    private var settled: [SinkID: Int64] = [:]
    private var refusing: [SinkID: Set<Int64>] = [:]
    private var refused: [SinkID: Set<Int64>] = [:]
    private var contradictions: [String] = []

    package init(_ entries: [LedgerEntry], sinks: [SinkID], fault: Fault) {
        self.fault = fault
        self.sinks = sinks
        for entry in entries { note(entry) }
    }

    /// How many records were accepted.
    package var acceptedCount: Int { accepted.count }
    package var highestAccepted: Int64 { accepted.keys.max() ?? 0 }

    private mutating func note(_ entry: LedgerEntry) {
        switch entry {
        case .intent(let number): intended.insert(number)
        case .accepted(let number, let sequence):
            if let other = accepted.updateValue(number, forKey: sequence), other != number {
                contradictions.append("(b) sequence \(sequence) was given to \(other) and to \(number)")
            }
        case .failed(let number): failed.insert(number)
        case .unsure: failed.removeAll()
        case .delivered(let sink, let place): delivered[sink] = max(delivered[sink] ?? 0, place)
        case .settled(let sink, let place): settled[sink] = max(settled[sink] ?? 0, place)
        case .refusing(let sink, let place): refusing[sink, default: []].insert(place)
        case .refused(let sink, let place): refused[sink, default: []].insert(place)
        case .phase, .opened, .error, .gaveUp, .ended: break
        }
    }

    /// What the store shows and must not.
    ///
    /// - Parameter allowedLosses: how many records the damage itself may have cost.
    package func violations(in seen: StoreObservation, allowedLosses: Int = 0) -> [String] {
        contradictions + losses(in: seen, allowed: allowedLosses) + reuse(in: seen) + inventions(in: seen)
            + cursors(in: seen)
    }

    /// How many accepted records and dead letters are gone that somebody still needed, whether counted as drops or not.
    package func lossCount(in seen: StoreObservation) -> Int { lostPlaces(in: seen).count }

    private func lostPlaces(in seen: StoreObservation) -> [Int64] {
        let gone = accepted.keys.filter { seen.records[$0] == nil }
        let lost = gone.filter { place in sinks.contains { place > delivered[$0] ?? 0 } }
        let letters = sinks.flatMap { sink in (refused[sink] ?? []).filter { seen.dead[sink]?.contains($0) != true } }
        return (lost + letters).sorted()
    }

    private func losses(in seen: StoreObservation, allowed: Int) -> [String] {
        let lost = lostPlaces(in: seen)
        guard lost.count > Int(clamping: seen.dropped) + allowed else { return [] }
        let places = lost.prefix(5).map(String.init).joined(separator: ", ")
        return [
            "(a) \(lost.count) of \(accepted.count) accepted records or their dead letters are gone, \(allowed) may be, "
                + "\(seen.dropped) drops are counted; first: \(places)"
        ]
    }

    private func reuse(in seen: StoreObservation) -> [String] {
        var violations = seen.records.compactMap { place, number -> String? in
            guard let other = accepted[place], other != number else { return nil }
            return "(b) sequence \(place) was accepted for record \(other) and is now record \(number)"
        }
        if seen.fresh <= highestAccepted {
            violations.append("(b) the next record gets \(seen.fresh), but \(highestAccepted) has been given")
        }
        return violations
    }

    private func inventions(in seen: StoreObservation) -> [String] {
        let known = Set(accepted.values).union(intended)
        let invented = seen.records.filter { !known.contains($0.value) }
        let undead = seen.dead.flatMap { sink, places in places.filter { refusing[sink]?.contains($0) != true } }
        let zombies = fault == .process ? seen.records.filter { failed.contains($0.value) } : [:]
        return [
            invented.isEmpty ? nil : "\(invented.count) records were never offered",
            undead.isEmpty ? nil : "\(undead.count) dead letters were never refused",
            zombies.isEmpty ? nil : "\(zombies.count) records are there whose append threw",
        ].compactMap { $0 }
    }

    private func cursors(in seen: StoreObservation) -> [String] {
        sinks.flatMap { sink -> [String] in
            let waiting = seen.waiting[sink] ?? []
            let skipped = Set(seen.records.keys.filter { $0 > delivered[sink] ?? 0 }).subtracting(waiting)
            let again = fault == .process ? waiting.filter { $0 <= settled[sink] ?? 0 } : []
            return [
                skipped.isEmpty ? nil : "(c) \(skipped.count) records wait for nobody but \(sink) has not had them",
                again.isEmpty ? nil : "(c) \(again.count) records wait for \(sink) again, which had been settled",
                waiting == waiting.sorted() ? nil : "(c) \(sink) gets records out of order",
            ].compactMap { $0 }
        }
    }
}
