public import TrackEngine
public import TrackEngineSettings

/// Shares the position of one device through a Miataru server with all holders of its id.
///
/// With a history the server receives every record, oldest first. Without one, the default, it receives only the
/// newest and deletes it after the retention. While the device rests, the same position is sent again before that.
///
/// Servers do not recognize repetitions: after a lost reply, a history contains the batch twice.
public final class MiataruSink: FixSink, AgentClient {
    /// The sink's name, under which the store keeps its cursor.
    public let id: SinkID

    let configuration: Configuration
    private let endpoint: Endpoint
    private let update: UpdateLocation
    private let exchange: DeliveryClient
    let keeper: IdentityReader
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Timestamp
    private let renewal = PositionUpdate()
    let visitors: VisitorMonitor?
    let mark: SharingMarkFile
    let deletion: Endpoint
    /// The deletions that the sink itself has requested again.
    let repetition = SystemMutex(DeleteLog())
    private let agent = SystemMutex((any TrackerReader & SharingReader)?.none)

    /// Creates a sink; the files of the configuration are read here.
    ///
    /// - Parameters:
    ///   - id: the sink's name.
    ///   - configuration: the server, the device's identity and the retention.
    ///   - identity: called for each request, so a changed key is used at once. Default: always the identity of the
    ///     configuration.
    ///   - clock: times the exchange and the renewals.
    ///   - now: the wall clock, the reference for a `Retry-After` date.
    /// - Throws: all problems of the configuration; the sink has started no work then.
    public convenience init(
        id: SinkID = "miataru", configuration: Configuration,
        identity: (@Sendable () async -> MiataruIdentity)? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) throws(ConfigurationError) {
        try self.init(
            id: id, configuration: configuration,
            keeper: .configuration(identity ?? { configuration.identity }), clock: clock, now: now)
    }

    /// - Parameter mark: the file for the state of the position at the server; `nil` to keep none.
    package convenience init(
        id: SinkID, configuration: Configuration, keeper: IdentityReader, mark: SharingMarkFile,
        clock: any Clock<Duration>
    ) throws(ConfigurationError) {
        try self.init(id: id, configuration: configuration, keeper: keeper, visitors: nil, mark: mark, clock: clock)
    }

    init(
        id: SinkID, configuration: Configuration, keeper: IdentityReader, visitors: VisitorMonitor? = nil,
        mark: SharingMarkFile? = nil, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) throws(ConfigurationError) {
        let destination = try SinkEndpoint(of: id, configuration.tls) { $0.endpoint(of: configuration) }
        self.id = id
        self.configuration = configuration
        endpoint = destination.endpoint
        var check = ConfigurationCheck()  // the configuration was checked above
        deletion = check.endpoint(of: configuration.address, call: "DeleteLocation") ?? destination.endpoint
        update = UpdateLocation(configuration)
        exchange = DeliveryClient(method: "POST", tls: destination.tls)
        self.keeper = keeper
        self.visitors = visitors
        self.mark = mark ?? SharingMarkFile(of: id, in: nil)
        self.clock = clock
        self.now = now
    }

    /// Sends the batch in one request, or only its newest record without a history.
    ///
    /// Records without a valid position or from before 1970 are left out and listed in
    /// ``/TrackEngine/Receipt/refused``. Records up to the last deletion at the server are settled and not sent.
    public func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        let kept = try keptMark()
        let withheld = batch.records.filter { kept.covers($0.fix.time) }
        try await withhold(withheld, kept)
        let others = batch.records.filter { !kept.covers($0.fix.time) }
        let problems = others.compactMap { record in record.problemForMiataru.map { (record.id, $0) } }
        let shown = shown(of: batch, after: kept)
        if let newest = shown.last {
            await renewal.beginDelivery()
            defer { renewal.endDelivery() }
            try await send(shown)
            try await repeatDeletion(thatCovers: shown)
            renewal.delivered(newest)
            noteDelivery()
            // In a search for a bad record a newer one was sent first, and servers take the last one received for
            // the newest.
            if !batch.isBacklog, let newer = renewal.newest, newer.sequence > newest.sequence,
                !kept.covers(newer.fix.time)
            {
                try? await send([newer])
            }
        }
        return Receipt(settled: batch.records.count, refused: Dictionary(problems) { first, _ in first })
    }

    /// Saves that the server has a position, for a sink that is made after this one has ended.
    private func noteDelivery() {
        // A command may have cleared the mark meanwhile.
        guard mark.read()?.isShared != true else { return }
        try? mark.change { $0.isShared = true }  // after a failure it is tried again with the next delivery
    }

    /// The records of a batch that are sent. The record behind the batch is newer, and without a history only that
    /// matters.
    private func shown(of batch: RecordBatch, after mark: SharingMark = SharingMark()) -> [TrackRecord] {
        func isSound(_ record: TrackRecord) -> Bool { record.problemForMiataru == nil && !mark.covers(record.fix.time) }
        let sound = batch.records.filter(isSound)
        guard !configuration.history, let newest = sound.last else { return sound }
        return [batch.current.flatMap { isSound($0) ? $0 : nil } ?? newest]
    }

    /// The body of the request for a batch, for tools that count or show it; it is not sent.
    public func body(for batch: RecordBatch) -> [UInt8] {
        update.body(shown(of: batch), of: configuration.identity)
    }

    private func send(_ records: [TrackRecord]) async throws(DeliveryError) {
        try await send(to: endpoint) { [update] in update.body(records, of: $0) }
    }

    func send(
        to endpoint: Endpoint, _ body: @Sendable (MiataruIdentity) -> [UInt8]
    ) async throws(DeliveryError) {
        let identity = try await keeper.identity()
        let reply = try await post(body(identity), endpoint)
        // After an interrupted change of the key the server may have the new one.
        if reply.status == 403, let pending = keeper.pending {
            let second = try await post(body(pending), endpoint)
            if second.status != 403 {
                try judge(second, pending)  // any reply but an acknowledgement is no evidence about the key
                try? keeper.confirm(pending)  // after a failure it is tried again with the next request
                return
            }
        }
        try judge(reply, identity)
    }

    private func post(_ body: [UInt8], _ endpoint: Endpoint) async throws(DeliveryError) -> Reply {
        try await exchange.send(
            body, headers: Self.headers, to: endpoint, within: configuration.httpTimeout, clock: clock)
    }

    private func judge(_ reply: Reply, _ identity: MiataruIdentity) throws(DeliveryError) {
        try ReplyOutcome.of(
            reply, endpoint: endpoint, now: now(), hiding: (identity.secrets + endpoint.secrets).hidingOrder,
            clientError: ReplyOutcome.refusedKey, success: ReplyOutcome.acknowledgement
        ).get()
    }

    static let headers = [
        (name: "Content-Type", value: "application/json"), (name: "Accept", value: "application/json"),
        (name: "User-Agent", value: DeliveryClient.userAgent),
    ]

    /// Sends the newest position again before the server deletes it, and checks for visitors if that is configured,
    /// until cancelled.
    public func run() async throws {
        guard let visitors else { return try await keepPlace() }
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await self.keepPlace() }
            group.addTask { try await visitors.run { self.agent.withLock { $0 } } }
        }
    }

    /// Renews the position. With a history the server keeps the newest position anyway.
    private func keepPlace() async throws {
        // The second period after a delivery detects that no other has followed, with a third of the retention left.
        let period = Duration.seconds(configuration.retention * 60 / 3)
        // The position of an earlier run may be close to its deletion.
        var wait = mark.read()?.isShared == true ? min(period, Self.pauseAfterFailure) : period
        while true {
            let count = renewal.deliveries
            try await clock.sleep(for: wait)
            let isFresh = configuration.history || renewal.deliveries != count
            wait = if isFresh { period } else { await renew() ? period : Self.pauseAfterFailure }
        }
    }

    /// The time after which a failed renewal is tried again. It is less than a third of every retention.
    private static let pauseAfterFailure = Duration.seconds(60)

    /// Returns `false` if the renewal must be tried again. In a pause the server may delete the position.
    private func renew() async -> Bool {
        let agent = agent.withLock { $0 }
        guard agent?.isPaused != true else { return false }
        do throws(DeliveryError) { try await repeatOwedDeletion() } catch { return false }
        if let mark = mark.read() {
            if renewal.newest == nil, mark.isShared, let place = await agent?.newestPlace { renewal.adopt(place) }
            // A deleted position is not sent again without a new one.
            guard renewal.newest.map({ mark.permits($0.fix.time) }) ?? true else { return true }
        }
        return await renewal.renew { [self] record in
            do throws(DeliveryError) {
                try await send([record])
                try await repeatDeletion(thatCovers: [record])
                return true
            } catch { return false }  // the next delivery reports the error
        }
    }

    /// Sets the agent. Its pause stops renewals, and the devices that it follows are known visitors.
    public func attach(to agent: any TrackerReader & SharingReader) { self.agent.withLock { $0 = agent } }

    /// Closes the connections and ends their threads.
    public func close() async {
        await exchange.close()
        await visitors?.close()
    }
}

extension TrackerReader {
    /// The tracked object's position, as a record outside the store; `nil` if no source has one.
    fileprivate var newestPlace: TrackRecord? {
        get async {
            let sources = await trackerStatus().sources
            guard let source = sources.filter({ $0.latest != nil }).max(by: { $0.latestTime < $1.latestTime }),
                let fix = source.latest
            else { return nil }
            let draft = RecordDraft(
                id: RecordID(rawValue: 0), fix: fix, isMoving: source.isMoving, cause: .requested, source: source.id)
            let record = TrackRecord(sequence: .zero, draft: draft)
            return record.problemForMiataru == nil ? record : nil
        }
    }
}

extension SourceReport {
    fileprivate var latestTime: Timestamp { latest?.time ?? Timestamp(secondsSince1970: 0) }
}
