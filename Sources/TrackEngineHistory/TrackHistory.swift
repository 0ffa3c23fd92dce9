import SQLiteAccess
public import TrackEngine

/// The tracks of many devices over years: an SQLite database in a directory of its own.
///
/// Once ``add(_:events:of:)`` has returned, a point survives `kill -9`, and power loss on storage that honours fsync.
/// Points may come in any order and repeatedly: the same device and id, or the same device, time and place, are one
/// point. One process at a time may have a directory open; only the owner of its files can read them.
///
/// Drawings and sums are answered from chunks of time that are stored next to the points, so a query about years
/// costs about as much as one about a day. Chunks are made when they are first needed, a few at a time, between which
/// other callers have their turn: after millions of points were added, the first answer takes seconds.
public actor TrackHistory {
    private enum State {
        /// Accepts every call. `close()` leads to `closed`.
        case open(HistoryEngine)
        /// Refuses every call, for good.
        case closed
    }

    private let executor = DatabaseThread("TrackEngine.history")
    private let pending = GroupCommitQueue<HistoryEngine.Addition, HistoryAddition> {
        $0.points.count + $0.events.count
    }
    private var state = State.closed
    /// The time limit of a query.
    private var patience = Duration.zero
    /// The most bytes that data which can be made again may take.
    private var cacheLimit = HistoryRetention.largestCache
    /// The health of the history, readable without waiting for its thread.
    package nonisolated let health = HistoryHealth()

    /// The thread of the history; blocking calls never run on the cooperative pool.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init() {}

    /// Opens the history in a directory. Both are made if they do not exist; the directory's parent must exist.
    ///
    /// With a key, places and names are encrypted: a reader of the disk without the key sees the number of devices
    /// and points, and the points' times. A plain history is encrypted first, which takes its size again on the disk.
    ///
    /// - Parameters:
    ///   - directory: the directory of the history.
    ///   - key: the key of an encrypted history; `nil` for a plain history.
    /// - Throws: ``/TrackEngine/StoreError/Code/locked`` when another process has it open,
    ///   ``/TrackEngine/StoreError/Code/newerSchema`` when a newer release wrote it,
    ///   ``/TrackEngine/StoreError/Code/foreignDatabase`` when another program's database is in its place,
    ///   ``/TrackEngine/StoreError/Code/wrongKey`` when it is encrypted under another key, or no key was given, and
    ///   ``/TrackEngine/StoreError/Code/inputOutput`` or ``/TrackEngine/StoreError/Code/full`` when the disk refuses.
    public static func open(directory: String, key: StoreKey? = nil) async throws(StoreError) -> TrackHistory {
        try await open(directory: directory, key: key, environment: HistoryEnvironment())
    }

    /// Opens a history for tests, which end the opening after a step.
    package static func open(
        directory: String, key: StoreKey?, environment: HistoryEnvironment
    ) async throws(StoreError) -> TrackHistory {
        let history = TrackHistory()
        try await history.begin(directory, key, environment)
        return history
    }

    private func begin(_ directory: String, _ key: StoreKey?, _ environment: HistoryEnvironment) throws(StoreError) {
        patience = environment.patience
        state = .open(try HistoryEngine(directory: directory, key: key, environment: environment, health: health))
    }

    /// Runs a blocking call on the thread of a history that is not open.
    static func perform<Result: Sendable>(
        _ body: @Sendable () throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        try await TrackHistory().perform(body)
    }

    private func perform<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result { try body() }

    private func engine() throws(StoreError) -> HistoryEngine {
        switch state {
        case .open(let engine): return engine
        case .closed: throw StoreError(.closed, "the history has been closed")
        }
    }

    /// Adds points and events of a device, in any order, in one transaction, through to the disk. Additions that
    /// arrive during a commit share the next one.
    ///
    /// An event with a known id replaces the earlier one, but an open event never replaces a complete one.
    ///
    /// - Returns: the numbers of points and events that were new, were already known, or have no valid coordinate.
    /// - Throws: when none of them was added; trying again is harmless.
    public nonisolated func add(
        _ points: [HistoryPoint], events: [HistoryEvent] = [], of device: DeviceID
    ) async throws(StoreError) -> HistoryAddition {
        let addition = PendingCommit<_, HistoryAddition>(
            HistoryEngine.Addition(device: device, points: points, events: events))
        _ = pending.enqueue(addition)  // there is no interval
        await commitPending()
        return try addition.result()
    }

    /// The executor is first come, first served: when a caller's turn comes, this commit or an earlier one includes
    /// its points.
    private func commitPending() {
        let additions = pending.takeAll()
        guard !additions.isEmpty else { return }
        do throws(StoreError) {
            let results = try repairing { engine throws(StoreError) in try engine.add(additions.map(\.request)) }
            for (addition, result) in zip(additions, results) { addition.settle(.success(result)) }
        } catch {
            for addition in additions {
                health.countRefusal(error)
                addition.settle(.failure(error))
            }
        }
    }

    /// Makes a change; when damage prevents it, the history is rewritten before.
    private func repairing<Result>(
        _ change: (HistoryEngine) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        var engine = try engine()
        do throws(StoreError) { return try change(engine) } catch {
            guard error.code == .damaged else { throw error }
            defer { state = .open(engine) }  // after a failure, too: its connection is another one
            try engine.salvage(error)
            return try change(engine)
        }
    }

    /// Closes the database and releases the directory; every later call throws.
    public func close() {
        guard case .open(let engine) = state else { return }
        commitPending()
        try? engine.close()  // all commits are on the disk, and the directory is released anyway
        state = .closed
    }

    /// Whether the history is encrypted, so that its files without the key reveal no places and names.
    public var isEncrypted: Bool {
        get throws(StoreError) { try engine().isEncrypted }
    }

    /// A notice for the operator about the opening; `nil` when there is none.
    package func notice() throws(StoreError) -> String? { try engine().notice }

    /// The rows that were read and did not open; `nil` in a plain history.
    package func unopenedRows() throws(StoreError) -> UnreadableRowList? { try engine().unopened }

    /// A small file next to the history that holds names, encrypted when the history is.
    package func companion(at path: String) throws(StoreError) -> EncryptedHistoryFile {
        try engine().companion(at: path)
    }

    /// All devices that have points, by name.
    public func devices() throws(StoreError) -> [HistoryDevice] { try engine().devices() }

    /// The newest point of a device; `nil` for a device without points.
    package func newest(of device: DeviceID) throws(StoreError) -> HistoryPoint? { try engine().newest(of: device) }

    /// Returns at most `limit` points of a device from one time to before another, by time.
    ///
    /// For further points, request pages: ``points(of:during:after:limit:)``. Points that cannot be read because the
    /// file is damaged are left out.
    public func points(
        of device: DeviceID, during times: Range<Timestamp>, limit: Int
    ) async throws(StoreError) -> [HistoryPoint] {
        try await answer(device) {
            try $0.tables.points.points(of: $0.device, in: times.inMilliseconds, limit: max(0, limit))
        } ?? []
    }

    /// Returns a page of the points of a device from one time to before another, by time. Points of one millisecond
    /// may be split between two pages.
    ///
    /// - Parameters:
    ///   - device: the device of the points.
    ///   - times: from one time to before another.
    ///   - position: the end of the previous page; `nil` for the first page.
    ///   - limit: the most points of a page.
    public func points(
        of device: DeviceID, during times: Range<Timestamp>, after position: HistoryPointPosition?, limit: Int
    ) async throws(StoreError) -> HistoryPointPage {
        try await answer(device) {
            try $0.tables.points.page(of: $0.device, in: times.inMilliseconds, after: position, limit: limit)
        } ?? HistoryPointPage(points: [], next: nil)
    }

    /// Returns at most `limit` points of a device within an area, by time.
    public func points(
        of device: DeviceID, during times: Range<Timestamp>, in area: HistoryArea, limit: Int
    ) async throws(StoreError) -> [HistoryPoint] {
        try await answer(device) { tree in
            var found: [HistoryPoint] = []
            for times in try tree.visits(to: area.box, in: times.inMilliseconds) {
                let points = try tree.tables.points.points(of: tree.device, in: times, limit: .max)
                found += points.filter { GridPosition($0.fix.coordinate).map(area.box.contains) ?? false }
                if found.count >= limit { break }
            }
            return Array(found.prefix(max(0, limit)))
        } ?? []
    }

    /// Returns the track of a device as lines to be drawn, nowhere farther than a tolerance in metres over ground
    /// from its points; below 1 m all points are returned. A new line begins after ten minutes without a point. A
    /// line that continues beyond the requested time ends at the device's position at that time.
    ///
    /// The answer is made at once and in memory: for years, use a tolerance of about a pixel.
    ///
    /// - Throws: when there would be more than 200,000 corners, or when it takes more than three minutes.
    /// - Returns: the lines' corners, with the values that colour a path: speed, altitude and activity of the
    ///   remaining points.
    public func path(
        of device: DeviceID, during times: Range<Timestamp>, within tolerance: Double
    ) async throws(StoreError) -> [[Fix]] {
        try await answer(device) {
            try $0.path(in: times.inMilliseconds, tolerance: tolerance).lines.map { $0.map { $0.fix() } }
        } ?? []
    }

    /// Returns the track of a device as a screen shows it at a zoom, nowhere more than a pixel from its points; for
    /// more than two days nowhere more than that or a metre. Years cost about as much as a day, once they have been
    /// requested. A zoom outside ``MapDrawing/zooms`` is replaced by the nearest one, and a drawing that would be too
    /// large is made at a smaller zoom; the drawing has the zoom that was used.
    ///
    /// - Throws: when it takes more than three minutes.
    public func drawing(
        of device: DeviceID, during times: Range<Timestamp>, zoom: Int
    ) async throws(StoreError) -> MapDrawing {
        let zoom = min(max(zoom, MapDrawing.zooms.lowerBound), MapDrawing.zooms.upperBound)
        return try await answer(device) { try $0.drawing(in: times.inMilliseconds, zoom: zoom) }
            ?? MapDrawing(zoom: zoom, lines: [])
    }

    /// Returns the summary of a device's track; `nil` without a point in that time.
    public func summary(of device: DeviceID, during times: Range<Timestamp>) async throws(StoreError) -> TrackSummary? {
        try await answer(device) { try $0.sum(in: times.inMilliseconds).map(TrackSummary.init) } ?? nil
    }

    /// Returns the events of a device that overlap a range of time, ordered by their beginnings.
    ///
    /// - Parameters:
    ///   - device: the device of the events.
    ///   - times: from one time to before another; an event that lasts reaches beyond every time.
    ///   - position: the end of the previous page; `nil` for the first page.
    ///   - limit: the most events of a page.
    public func events(
        of device: DeviceID, during times: Range<Timestamp>, after position: HistoryEventPosition? = nil, limit: Int
    ) async throws(StoreError) -> HistoryEventPage {
        try await answer(device) {
            try $0.tables.events.events(of: $0.device, in: times.inMilliseconds, after: position, limit: limit)
        } ?? HistoryEventPage(events: [], next: nil)
    }

    /// Returns the event of an id; `nil` when the device has no such event.
    public func event(_ id: EventID, of device: DeviceID) async throws(StoreError) -> HistoryEvent? {
        try await answer(device) { try $0.tables.events.event(id, of: $0.device) } ?? nil
    }

    /// Removes for good the points of a device from one time to before another, and the events that overlap it. The
    /// oldest are removed first, in small steps, between which other callers have their turn. When its task is
    /// cancelled, the removal stops after a step.
    ///
    /// - Returns: the number of removed points.
    /// - Throws: an error with the code `damaged` if the history is damaged, and readable points remain because it
    ///   cannot be written anew.
    @discardableResult
    public func remove(_ device: DeviceID, during times: Range<Timestamp>) async throws(StoreError) -> Int {
        let removed = try await remove(device, during: times, events: .overlapping(times.inMilliseconds))
        let isStuck = try !engine().canBeSalvaged  // also because of the copies
        try engine().forgetCopies()
        // Points also remain when the task was cancelled. None come in between the last step and this check: there is
        // no suspension.
        if isStuck, !Task.isCancelled, try engine().holdsPoints(of: device, in: times.inMilliseconds), health.hasDamage
        {
            throw StoreError(
                .damaged,
                "\(removed) points are removed; others next to a damaged page remain until the history can be written anew, for which it needs room on the disk"
            )
        }
        return removed
    }

    /// Removes the damaged copies next to a rewritten history that are older than a time.
    func removeDamagedCopies(olderThan time: Timestamp) throws(StoreError) {
        try engine().removeDamagedCopies(olderThan: time)
    }

    /// Removes the points of a device in a range of time, and the events that had ended by its end.
    func removeEnded(_ device: DeviceID, during times: Range<Timestamp>) async throws(StoreError) -> Int {
        try await remove(device, during: times, events: .ended(before: times.inMilliseconds.upperBound))
    }

    private func remove(
        _ device: DeviceID, during times: Range<Timestamp>, events: EventTable.Choice
    ) async throws(StoreError) -> Int {
        var removed = 0
        while true {
            let step = try repairing { engine throws(StoreError) in
                try engine.remove(of: device, in: times.inMilliseconds, events: events)
            }
            removed += step.points
            guard !step.isEmpty, !Task.isCancelled else { return removed }
            await Task.yield()
        }
    }

    /// Runs a query about a device, repeatedly while data for the answer has to be made; `nil` for an unknown device.
    private func answer<Value>(
        _ device: DeviceID, _ question: (ChunkTree) throws -> Value
    ) async throws(StoreError) -> Value? {
        let deadline = ContinuousClock.now + patience
        while true {
            guard ContinuousClock.now <= deadline else { throw StoreError.late }
            let answer = try engine().ask(device, until: deadline, question)
            // Not only at the end: a first query about years could fill the disk before.
            if try engine().cacheGrowth > cacheLimit / 8 { try await boundCache(to: cacheLimit) }
            switch answer {
            case .complete(let value): return value
            case .unknownDevice: return nil
            case .tooMuch: throw StoreError(.tooMuch, "expected a shorter time, or less detail: the answer is too long")
            case .unfinished where Task.isCancelled: throw StoreError(.cancelled, "the question was cancelled")
            case .unfinished: await Task.yield()  // lets other callers have their turn
            }
        }
    }
}

// MARK: - Steps of a retention

extension TrackHistory {
    /// Bytes of the database that points and events take. Data made from them that can be made again is not counted.
    public func bytes() throws(StoreError) -> Int64 { try bytesInUse() - cacheBytes() }

    /// The bytes of the database in use.
    func bytesInUse() throws(StoreError) -> Int64 { try engine().bytesInUse() }

    /// Bytes of the data that is made from points and can be made again.
    package func cacheBytes() throws(StoreError) -> Int64 { try engine().cacheBytes() }

    /// Limits the data that can be made again, now and whenever some of it is made.
    package func boundCache(to limit: Int64) async throws(StoreError) {
        cacheLimit = limit
        var surplus = try cacheBytes() - limit
        while surplus > 0, !Task.isCancelled, let freed = try engine().shrinkCache() {
            surplus -= freed
            await Task.yield()
        }
    }

    /// All devices, including those that have only events, each with its newest time.
    func ages() throws(StoreError) -> [(device: DeviceID, newest: Timestamp)] { try engine().ages() }

    /// The names of all devices.
    package func deviceNames() throws(StoreError) -> [DeviceID] { try engine().deviceNames() }

    /// The number of rows of a device: points, the names that its sender gave them, and events.
    func rowCount(of device: DeviceID) throws(StoreError) -> Int { try engine().rowCount(of: device) }

    /// Removes at most `limit` of the oldest points of a device, and the events that had ended by then.
    func removeOldestStep(of device: DeviceID, limit: Int) throws(StoreError) -> RetentionRun.Step {
        try repairing { engine throws(StoreError) in try engine.removeOldest(of: device, limit: limit) }
    }
}

extension StoreError.Code {
    /// The task of the query was cancelled before there was an answer.
    static let cancelled = StoreError.Code(rawValue: "cancelled")
    /// There was no answer within the time limit of a query.
    package static let slow = StoreError.Code(rawValue: "slow")
    /// The answer would have more corners than allowed.
    package static let tooMuch = StoreError.Code(rawValue: "tooMuch")
}

extension Range<Timestamp> {
    /// The milliseconds in this range; points have no finer time. Times before the first one belong to it.
    fileprivate var inMilliseconds: Range<Int64> {
        let isOpen = lowerBound.nanosecondsSince1970 == .min
        let begin = isOpen ? lowerBound.millisecondsSince1970 : lowerBound.nextMillisecond
        return begin..<Swift.max(begin, upperBound.nextMillisecond)
    }
}

extension Timestamp {
    /// Milliseconds since 1970, rounded up.
    fileprivate var nextMillisecond: Int64 {
        millisecondsSince1970 + (nanosecondsInSecond % 1_000_000 == 0 ? 0 : 1)
    }
}
