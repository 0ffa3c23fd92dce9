package import Logging
public import TrackEngine
public import TrackEngineSettings

/// Stores records in a ``TrackHistory``, together with those of other devices: positions as points; visits, trips and
/// transitions as events.
///
/// A repeated record is recognized by its device, time and place. The history in a directory is opened with the first
/// delivery, or at the start when there is a key, and closed by ``close()``; a history that is passed in stays open.
public actor HistorySink: FixSink, AgentClient {
    private enum State {
        /// The history has not been needed. The first caller that needs it leads to `opening`.
        case waiting(HistoryPlace)
        /// The history is being opened. Leads to `open`, or back to `waiting` when that fails.
        case opening(Task<Result<TrackHistory, StoreError>, Never>)
        /// Accepts records. `close()` closes the history if it was opened here.
        case open(TrackHistory, isOurs: Bool)
        /// Closed for good.
        case closed
    }

    /// The senders of the devices (see ``TrackHistory/prune(_:owners:now:)``).
    package typealias Owners = @Sendable (TrackHistory) async throws(StoreError) -> [DeviceID: DeviceID]

    /// No owners: every device sends for itself.
    static let noOwners: Owners = { (_) throws(StoreError) in [:] }

    /// The parameters for opening a history.
    private struct HistoryPlace {
        let directory: String
        let key: StoreKey?
    }

    /// The sink's name, under which the store keeps its cursor.
    public nonisolated let id: SinkID
    /// Positions, and the events that a history keeps.
    public nonisolated let kinds: RecordKinds = HistoryEvent.kinds.union(.location)
    /// Whether the history that the sink opens is encrypted.
    private nonisolated let isEncrypted: Bool
    private let device: DeviceID
    private let retention: HistoryRetention
    private let owners: Owners
    private let clock: any Clock<Duration>
    private let logger: Logger
    private var state: State
    private nonisolated let agent = SystemMutex((any FollowReader)?.none)
    /// The health of the history, once it is open.
    private nonisolated let health = SystemMutex(HistoryHealth?.none)
    private nonisolated let unopened = SystemMutex(UnreadableRowList?.none)
    /// The reason why the senders of devices were unknown when the history was pruned last.
    private nonisolated let unknownOwners = SystemMutex(StoreError?.none)

    /// A sink into a history that the caller closes and prunes.
    public init(id: SinkID = "history", history: TrackHistory, device: DeviceID) {
        let logger = Logger(label: "track-engine.history")
        self.init(id, device, .open(history, isOurs: false), HistoryRetention(), Self.noOwners, logger)
    }

    /// A sink that opens the history in a directory, and prunes it once an hour.
    package init(
        id: SinkID, directory: String, device: DeviceID, key: StoreKey? = nil,
        retention: HistoryRetention = HistoryRetention(),
        owners: @escaping Owners = noOwners,
        logger: Logger = Logger(label: "track-engine.history"), clock: any Clock<Duration> = ContinuousClock()
    ) {
        let place = HistoryPlace(directory: directory, key: key)
        self.init(id, device, .waiting(place), retention, owners, logger, clock)
    }

    private init(
        _ id: SinkID, _ device: DeviceID, _ state: State, _ retention: HistoryRetention,
        _ owners: @escaping Owners, _ logger: Logger, _ clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.id = id
        self.device = device
        self.state = state
        isEncrypted = if case .waiting(let place) = state { place.key != nil } else { false }
        self.retention = retention
        self.owners = owners
        self.logger = logger
        self.clock = clock
        if case .open(let history, isOurs: _) = state { health.withLock { $0 = history.health } }
    }

    /// Lets the sink also store the positions of the devices that the agent follows.
    public nonisolated func attach(to agent: any FollowReader) { self.agent.withLock { $0 = agent } }

    /// Encrypts a plain history, prunes it, and adds the positions of followed devices, until the sink ends.
    public func run() async throws {
        let agent = agent.withLock { $0 }
        let reports = agent?.followedReports()
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Not with the first record: the history of a device at rest for a week would stay in plain for a week.
            if isEncrypted { group.addTask { _ = try? await self.openHistory() } }  // a delivery reports the error
            if let agent, let reports {
                group.addTask {
                    for report in agent.followedDevices() { await self.take(report) }  // reports from before the start
                    for await report in reports { await self.take(report) }
                }
            }
            defer { group.cancelAll() }
            try await prune()
        }
    }

    private func take(_ report: FollowedDevice) async {
        guard let fix = report.fix, report.device != device else { return }
        let point = HistoryPoint(fix: fix, host: report.host, source: report.source)
        do throws(StoreError) { _ = try await openHistory().add([point], of: report.device) } catch {
            logger.warning("a followed device's place is not kept", metadata: ["error": "\(error)"])
        }
    }

    /// Removes points and events outside the retention: soon after the start, because a vehicle's agent may never run
    /// for an hour, and then once an hour.
    private func prune() async throws {
        while retention.isLimited {
            try await clock.sleep(for: .seconds(60))
            guard case .open(let history, isOurs: true) = state else { continue }
            do throws(StoreError) {
                let removed = try await history.prune(retention, owners: knownOwners(history))
                if removed > 0 { logger.info("history pruned", metadata: ["points": "\(removed)"]) }
            } catch {
                logger.warning("history not pruned", metadata: ["error": "\(error)"])  // again in an hour
            }
            try await clock.sleep(for: .seconds(3540))
        }
        try await clock.sleep(for: .seconds(Int64.max / 2))  // until the sink ends
    }

    /// The senders of the devices; `nil` if they cannot be read.
    private func knownOwners(_ history: TrackHistory) async -> [DeviceID: DeviceID]? {
        do throws(StoreError) {
            let known = try await owners(history)
            unknownOwners.withLock { $0 = nil }
            return known
        } catch {
            unknownOwners.withLock { $0 = error }
            logger.warning("the senders of devices are unknown", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// Stores the batch in one transaction, through to the disk. Records without a valid position are refused.
    public func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        do throws(StoreError) {
            let records = batch.records
            _ = try await openHistory().add(
                records.filter { $0.kind == .location }.map(HistoryPoint.init),
                events: records.compactMap(HistoryEvent.init), of: device)
        } catch {
            throw DeliveryError(error)
        }
        let refused = batch.records.filter { !$0.canBeKept }.map { ($0.id, "its position is not valid") }
        return Receipt(settled: batch.records.count, refused: Dictionary(refused) { first, _ in first })
    }

    /// Returns the history, which is opened if necessary.
    package func openHistory() async throws(StoreError) -> TrackHistory {
        switch state {
        case .open(let history, _): return history
        case .opening(let opening): return try await opening.value.get()
        case .waiting(let place):
            // A separate task: the first caller opens the history for all callers, so its cancellation must not
            // affect them.
            let opening = Task { await opened(place) }
            state = .opening(opening)
            return try await opening.value.get()
        case .closed: throw StoreError(.closed, "the sink has been closed")
        }
    }

    private func opened(_ place: HistoryPlace) async -> Result<TrackHistory, StoreError> {
        do throws(StoreError) {
            let history = try await TrackHistory.open(directory: place.directory, key: place.key)
            guard case .opening = state else {
                await history.close()
                throw StoreError(.closed, "the sink has been closed")
            }
            state = .open(history, isOurs: true)
            health.withLock { $0 = history.health }
            let unopened = try await history.unopenedRows()
            self.unopened.withLock { $0 = unopened }
            unopened?.report { [logger] summary in
                logger.error(
                    "rows of an encrypted history do not open",
                    metadata: ["reason": "\(summary.text)", "directory": "\(place.directory)"])
            }
            if let notice = try await history.notice() {
                logger.warning(
                    "a history was damaged", metadata: ["reason": "\(notice)", "directory": "\(place.directory)"])
            }
            return .success(history)
        } catch {
            if case .opening = state { state = .waiting(place) }
            return .failure(error)
        }
    }

    /// Closes the history, if the sink has opened it.
    public func close() async {
        let last = state
        state = .closed
        switch last {
        case .open(let history, isOurs: true): await history.close()
        case .opening(let opening): _ = await opening.value  // closes the history that it opened
        case .open, .waiting, .closed: break
        }
    }
}

extension HistorySink: StatusReporting {
    /// Status items: whether the history is encrypted, how many of its rows did not open, whether its disk is full or
    /// a part of it cannot be read, and why the senders of its devices are unknown.
    public nonisolated func statusItems(now: Timestamp) -> [StatusField] {
        var items = health.withLock { $0 }?.statusItems ?? []
        if let summary = unopened.withLock({ $0 })?.summary, summary.count > 0 {
            items.insert(StatusField("unopened", .count(summary.count), text: summary.text, tone: .bad), at: 0)
        }
        if let error = unknownOwners.withLock({ $0 }) {
            items.append(
                StatusField(
                    "owners", .text("\(error)"),
                    text: "maxBytes holds for devices with more than half of all points only: \(error)", tone: .bad))
        }
        if isEncrypted {
            items.insert(StatusField("encrypted", .flag(true), text: "history encrypted", tone: .faint), at: 0)
        }
        return items
    }
}

extension TrackRecord {
    /// Whether the record can be stored in a history.
    fileprivate var canBeKept: Bool {
        HistoryEvent(self).map { EventCodec.encode($0) != nil } ?? fix.coordinate.isValid
    }
}

extension HistoryPoint {
    /// The point that a history stores for a record.
    package init(_ record: TrackRecord) {
        self.init(
            fix: record.fix.withActivity(record.activity?.activity), isMoving: record.isMoving, host: record.host,
            source: record.source, senderID: .record(record.id))
    }
}

extension Fix {
    /// This fix with an estimated activity if the source reported none.
    package func withActivity(_ estimate: Activity?) -> Fix {
        guard activity == nil, let estimate else { return self }
        return Fix(
            time: time, coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, speed: speed, speedAccuracy: speedAccuracy, course: course,
            courseAccuracy: courseAccuracy, satellitesUsed: satellitesUsed, mode: mode, activity: estimate, flags: flags
        )
    }
}

extension DeliveryError {
    /// The delivery error for a failure of the history: the records stay in the store until the history is repaired.
    fileprivate init(_ error: StoreError) {
        switch error.code {
        case .newerSchema, .foreignDatabase, .damaged, .wrongKey: self.init(.needsOperator, error.description)
        case _: self.init(.retry(), error.description)
        }
    }
}
