extension Tracker {
    // MARK: Counterparts of CalmGeo's service

    /// Returns the object's present position, as far as any source knows.
    ///
    /// - Parameter recording: also makes a record of it, without moving the filter's reference.
    /// - Returns: the newest fix that passed the gates, `nil` before the first.
    /// - Throws: `CancellationError` when the tracker is stopping, ``TrackerError/paused`` in a pause; no record was
    ///   made.
    public func currentFix(recording: Bool = false) async throws -> Fix? {
        guard !pauses.isClosed else { throw TrackerError.paused }
        let known = processors.filter { $0.log.current.latest != nil }
        guard let processor = known.max(by: { $0.latestTime < $1.latestTime }) else { return nil }
        return recording ? try await processor.recordLatest() : processor.log.current.latest
    }

    /// Returns records in the store, oldest first, a page at a time.
    ///
    /// - Parameters:
    ///   - sequence: the sequence after which the page begins, that of the last record of the previous page.
    ///   - limit: the maximum number of records in the page, 1 to 10 000.
    public nonisolated func storedRecords(
        after sequence: RecordSequence = .zero, limit: Int = 1000
    ) async throws(StoreError) -> [TrackRecord] {
        try await store.records(after: sequence, limit: min(max(limit, 1), 10_000))
    }

    /// Returns the number of records in the store.
    public nonisolated func storedCount() async throws(StoreError) -> Int {
        try await store.status().count
    }

    /// Removes every stored record and dead letter.
    public func clear() async throws(StoreError) {
        try await store.clear()
        for delivery in deliveries { await delivery.cleared() }
    }

    /// Sends all records to every sink now, regardless of threshold and back-off. Returns when each sink has no record
    /// left or has failed, as ``status()`` then shows.
    ///
    /// With the rule `deviation`, undecided fixes are decided first, so the records sent reach up to the newest fix.
    ///
    /// In a pause it has no effect and returns at once.
    ///
    /// - Parameter sink: the only sink to send to; absent for all.
    public func sync(_ sink: SinkID? = nil) async {
        guard !pauses.isClosed else { return }
        await beginHurry()
        for processor in processors { await processor.perform(.decideAll) }
        await endHurry()
        await withTaskGroup(of: Void.self) { group in
            for delivery in deliveries where sink == nil || delivery.sink.id == sink {
                group.addTask { await delivery.sync() }
            }
        }
    }

    /// Returns the status of a sink's deliveries; `nil` for a sink that this tracker does not have, or before the first
    /// run.
    public func syncState(of sink: SinkID) async -> SyncState? {
        await deliveries.first { $0.sink.id == sink }?.state
    }

    // MARK: Events

    /// Replaces the event detector of each source's track. The new detector continues from the state of the present
    /// one.
    public func replaceDetector(_ detector: (any EventDetector)?) async {
        configuration.detector = detector
        for processor in processors {
            await processor.change { $0.state.replaceDetector(detector, of: processor.source) }
        }
    }

    /// Sets the kinds of events about the tracker and its machine in live sources' tracks from now on: actions, the
    /// power supply, both or none.
    public func tell(_ kinds: RecordKinds) async {
        configuration.ownEvents = kinds
        for processor in processors { await processor.change { $0.state.recordOwnEvents(kinds) } }
    }

    /// Applies a change of the hidden areas; call it after the ``PrivacyFilter`` has changed. Forgets the newest
    /// position of each source if it is hidden now, and the unfinished events found by it. Stored records stay.
    public func coverChanged() async {
        for processor in processors {
            await processor.change { [configuration] in $0.hideCovered(under: configuration, processor.environment) }
        }
    }

    /// Passes a request, such as beginning a trip, to the detectors.
    ///
    /// - Returns: whether one of them fulfilled it.
    /// - Throws: `CancellationError` when the tracker is stopping, ``TrackerError/paused`` in a pause,
    ///   ``TrackerError/off`` if none fulfilled it because tracking is off.
    public func perform(_ request: EventRequest) async throws -> Bool {
        guard !pauses.isClosed else { throw TrackerError.paused }
        var isDone = false
        for processor in processors where try await processor.perform(request) { isDone = true }
        if !isDone, await isOff() { throw TrackerError.off }
        return isDone
    }

    // MARK: Dead letters

    /// Returns the records that servers will never accept.
    public nonisolated func deadLetters(of sink: SinkID? = nil) async throws(StoreError) -> [DeadLetter] {
        try await store.deadLetters(of: sink)
    }

    /// Puts dead letters back in front of their sink's queue. Returns their number.
    public func requeueDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int {
        let count = try await store.requeueDeadLetters(selection)
        for delivery in deliveries { await delivery.refresh() }
        return count
    }

    /// Removes dead letters permanently. Returns their number.
    public nonisolated func dropDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int {
        try await store.dropDeadLetters(selection)
    }
}

extension SourceProcessor {
    fileprivate nonisolated var latestTime: Timestamp {
        log.current.latest?.time ?? Timestamp(nanosecondsSince1970: .min)
    }
}
