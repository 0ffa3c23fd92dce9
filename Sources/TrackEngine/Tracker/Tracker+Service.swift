extension Tracker {
    // MARK: What CalmGeo's service offers

    /// Where the object is now, as far as any source knows.
    ///
    /// - Parameter recording: also makes a record of it, without touching the filter's reference.
    /// - Returns: the newest fix that passed the gates, `nil` before the first.
    /// - Throws: `CancellationError` when the tracker is stopping, ``TrackerError/paused`` in a pause; no record was made.
    public func currentFix(recording: Bool = false) async throws -> Fix? {
        guard !pauses.isClosed else { throw TrackerError.paused }
        let known = lanes.filter { $0.log.current.latest != nil }
        guard let lane = known.max(by: { $0.latestTime < $1.latestTime }) else { return nil }
        return recording ? try await lane.recordLatest() : lane.log.current.latest
    }

    /// Records in the store, oldest first, a page at a time.
    ///
    /// - Parameters:
    ///   - sequence: where the page begins; the last record's sequence of the page before.
    ///   - limit: the most records in the page, 1 to 10 000.
    public nonisolated func storedRecords(
        after sequence: RecordSequence = .zero, limit: Int = 1000
    ) async throws(StoreError) -> [TrackRecord] {
        try await store.records(after: sequence, limit: min(max(limit, 1), 10_000))
    }

    /// How many records the store holds.
    public nonisolated func storedCount() async throws(StoreError) -> Int {
        try await store.status().count
    }

    /// Removes every stored record and dead letter.
    public func clear() async throws(StoreError) {
        try await store.clear()
        for drain in drains { await drain.cleared() }
    }

    /// Sends everything to every sink now, whatever threshold and back-off say; returns when each has nothing left or
    /// has failed, as ``status()`` then tells.
    ///
    /// With the rule `deviation` what is undecided is decided first, so that what is sent reaches up to the newest fix.
    ///
    /// In a pause it does nothing and returns at once.
    ///
    /// - Parameter sink: the only sink to send to; absent for all.
    public func sync(_ sink: SinkID? = nil) async {
        guard !pauses.isClosed else { return }
        await beginHurry()
        for lane in lanes { await lane.decideAll() }
        await endHurry()
        await withTaskGroup(of: Void.self) { group in
            for drain in drains where sink == nil || drain.sink.id == sink { group.addTask { await drain.sync() } }
        }
    }

    /// How a sink's deliveries stand; `nil` for a sink that this tracker does not have, or before the first run.
    public func syncState(of sink: SinkID) async -> SyncState? {
        await drains.first { $0.sink.id == sink }?.state
    }

    // MARK: Events

    /// Has another detector find events from now on, in each source's track; it goes on from what the present one knows.
    public func replaceDetector(_ detector: (any EventDetector)?) async {
        self.detector = detector
        for lane in lanes { await lane.replaceDetector(detector) }
    }

    /// Has live sources' tracks tell other things of the tracker and its machine from now on: actions, the power supply, both or
    /// nothing.
    public func tell(_ kinds: RecordKinds) async {
        told = kinds
        for lane in lanes { await lane.tell(kinds) }
    }

    /// Other positions are hidden from now on: forgets the newest one of each source where it is one of them, and what events were
    /// being found by it. Call it after the ``PositionCover`` has changed. What is stored already stays.
    public func coverChanged() async {
        for lane in lanes { await lane.hideCovered(configuration, detector) }
    }

    /// Has the detectors do what somebody asks for, such as beginning a trip.
    ///
    /// - Returns: whether one of them did.
    /// - Throws: `CancellationError` when the tracker is stopping, ``TrackerError/paused`` in a pause, ``TrackerError/off`` where none did
    ///   because tracking is off.
    public func perform(_ request: EventRequest) async throws -> Bool {
        guard !pauses.isClosed else { throw TrackerError.paused }
        var isDone = false
        for lane in lanes where try await lane.perform(request) { isDone = true }
        if !isDone, await isOff() { throw TrackerError.off }
        return isDone
    }

    // MARK: Dead letters

    /// What receivers will never take.
    public nonisolated func deadLetters(of sink: SinkID? = nil) async throws(StoreError) -> [DeadLetter] {
        try await store.deadLetters(of: sink)
    }

    /// Puts dead letters back in front of their sink's queue; returns how many.
    public func requeueDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int {
        let count = try await store.requeueDeadLetters(selection)
        for drain in drains { await drain.refresh() }
        return count
    }

    /// Drops dead letters for good; returns how many.
    public nonisolated func dropDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int {
        try await store.dropDeadLetters(selection)
    }
}

extension SourceLane {
    fileprivate nonisolated var latestTime: Timestamp {
        log.current.latest?.time ?? Timestamp(nanosecondsSince1970: .min)
    }
}
