/// The content of a delivery: a portion of the batch, or a control.
extension SinkDelivery {
    /// Returns the delivery for a portion; `nil` when a control is needed and there is none.
    func batch(
        _ portion: RecordIsolation.Portion, of offered: [TrackRecord]
    ) async throws(StoreError) -> RecordBatch? {
        switch portion {
        case .first(let count): return delivery.batch(first: count)
        case .control(let accused, let tried):
            let newest = try await store.backlog(of: sink.id).newest
            let others = Array(offered.dropFirst(accused))
            guard
                let control = try await control(beside: offered[..<min(accused, offered.count)], others, newest, tried)
            else { return nil }
            let isNewest = control.sequence == newest?.sequence
            // Alone: a newest record sent together with it could be the rejected one.
            return RecordBatch(records: [control], isBacklog: !isNewest)
        }
    }

    private func control(
        beside accused: ArraySlice<TrackRecord>, _ others: [TrackRecord], _ newest: TrackRecord?, _ tried: Int
    ) async throws(StoreError) -> TrackRecord? {
        guard !accused.isEmpty else { return nil }
        switch delivery.controlPlace(beside: accused, newest: newest, tried: tried) {
        case .record(let record): return record
        case .taken(let sequence): return try await record(at: sequence)
        case .spread: break
        }
        // For a sink of events one query finds all events nearby.
        for _ in 0..<(takesPositions ? 8 : 1) {
            guard let place = delivery.nextPlace(after: accused, newest: newest) else { break }
            if let record = try await usable(from: place, beside: accused) { return record }
        }
        if let other = others.last(where: { delivery.isUsable($0, beside: accused) }) { return other }
        if let again = delivery.takenAhead(after: accused) { return try await record(at: again) }
        return delivery.isolation.isChecking ? delivery.oneOf(accused) : nil
    }

    private var takesPositions: Bool { sink.kinds.contains(.location) }

    /// Returns the first record from a position on that can be a control. A sink of events does not send most records,
    /// so the control is one of the next events, as far behind the accused as possible.
    private func usable(
        from place: RecordSequence, beside accused: ArraySlice<TrackRecord>
    ) async throws(StoreError) -> TrackRecord? {
        let before = RecordSequence(rawValue: max(0, place.rawValue - 1))
        guard !takesPositions, let suspect = accused.last else {
            return try await store.records(after: before, limit: 1).first { delivery.isUsable($0, beside: accused) }
        }
        let events = try await store.records(after: suspect.sequence, kinds: sink.kinds, limit: 256)
            .filter { delivery.isUsable($0, beside: accused) }
        return events.first { $0.sequence >= place } ?? events.last
    }

    /// Returns the record with a sequence number, or the next one after it.
    private func record(at place: RecordSequence) async throws(StoreError) -> TrackRecord? {
        let before = RecordSequence(rawValue: max(0, place.rawValue - 1))
        return try await store.records(after: before, limit: 1).first
    }
}
