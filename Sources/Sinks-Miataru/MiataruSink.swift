import HTTPDelivery
public import TrackEngine
public import TrackEngineSettings

/// Shares the place of one device through a Miataru server with those who know its id.
///
/// With a history the server gets every record, oldest first. Without one, the default, it gets the newest alone and forgets
/// it after the retention; while the device rests, the same place is sent again before that.
///
/// Servers do not tell repetitions: where a reply is lost, a history has the batch twice.
public final class MiataruSink: FixSink, AgentAttachable {
    /// The sink's name, under which the store keeps its cursor.
    public let id: SinkID

    let configuration: Configuration
    private let endpoint: Endpoint
    private let update: UpdateLocation
    private let exchange: HTTPExchange
    let keeper: IdentityKeeper
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Timestamp
    private let renewal = PlaceRenewal()
    let visitors: VisitorWatch?
    let mark: SharingMarkFile
    let deletion: Endpoint
    /// What the sink itself has had deleted again.
    let repetition = PthreadMutex(RepeatedDeletion())
    private let agent = PthreadMutex((any AgentServices)?.none)

    /// Makes a sink; the files that the configuration names are read here.
    ///
    /// - Parameters:
    ///   - id: the sink's name.
    ///   - configuration: where places go, and what is kept of them there.
    ///   - identity: is asked for each request, so that a key which was changed is used at once. Default: what the
    ///     configuration says, for good.
    ///   - clock: times the exchange and the renewals.
    ///   - now: the wall clock, against which a `Retry-After` date is taken.
    /// - Throws: everything that is wrong with the configuration; nothing has been started then.
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

    /// - Parameter mark: where it is kept what the server has; `nil` for nowhere.
    package convenience init(
        id: SinkID, configuration: Configuration, keeper: IdentityKeeper, mark: SharingMarkFile,
        clock: any Clock<Duration>
    ) throws(ConfigurationError) {
        try self.init(id: id, configuration: configuration, keeper: keeper, visitors: nil, mark: mark, clock: clock)
    }

    init(
        id: SinkID, configuration: Configuration, keeper: IdentityKeeper, visitors: VisitorWatch? = nil,
        mark: SharingMarkFile? = nil, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) throws(ConfigurationError) {
        let destination = try Destination(of: id, configuration.tls) { $0.endpoint(of: configuration) }
        self.id = id
        self.configuration = configuration
        endpoint = destination.endpoint
        var check = ConfigurationCheck()  // everything in it has been looked at
        deletion = check.endpoint(of: configuration.address, call: "DeleteLocation") ?? destination.endpoint
        update = UpdateLocation(configuration)
        exchange = HTTPExchange(method: "POST", tls: destination.tls)
        self.keeper = keeper
        self.visitors = visitors
        self.mark = mark ?? SharingMarkFile(of: id, in: nil)
        self.clock = clock
        self.now = now
    }

    /// Sends the batch in one request, or its newest record where no history is wanted.
    ///
    /// Records without a valid position or from before 1970 are left out and named in ``/TrackEngine/Receipt/refused``. What is older
    /// than the last deletion at the server is settled and not sent.
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
            // In a search for a bad record a newer one came first, and servers take what comes last for the newest.
            if !batch.isBacklog, let newer = renewal.newest, newer.sequence > newest.sequence,
                !kept.covers(newer.fix.time)
            {
                try? await send([newer])
            }
        }
        return Receipt(settled: batch.records.count, refused: Dictionary(problems) { first, _ in first })
    }

    /// Keeps that the server has a place, for a sink that is made after this one has ended.
    private func noteDelivery() {
        // It may have been taken back meanwhile, by a command.
        guard mark.read()?.isShared != true else { return }
        try? mark.change { $0.isShared = true }  // where it fails the same is tried with the next delivery
    }

    /// The records of a batch that the server gets. What waits behind the batch is newer, and without a history only that
    /// matters.
    private func shown(of batch: RecordBatch, after mark: SharingMark = SharingMark()) -> [TrackRecord] {
        func isSound(_ record: TrackRecord) -> Bool { record.problemForMiataru == nil && !mark.covers(record.fix.time) }
        let sound = batch.records.filter(isSound)
        guard !configuration.history, let newest = sound.last else { return sound }
        return [batch.current.flatMap { isSound($0) ? $0 : nil } ?? newest]
    }

    /// The bytes that a delivery of the batch sends, for tools that count or show them; nothing is sent.
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
        // A change of the key that was interrupted: the server may have the new one.
        if reply.status == 403, let pending = keeper.pending {
            let second = try await post(body(pending), endpoint)
            if second.status != 403 {
                try judge(second, pending)  // anything else than a yes says nothing of the key
                try? keeper.confirm(pending)  // where it fails the same is tried with the next request
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
        try ReplyVerdict.of(
            reply, endpoint: endpoint, now: now(), hiding: (identity.secrets + endpoint.secrets).hidingOrder,
            clientError: ReplyVerdict.refusedKey, success: ReplyVerdict.acknowledgement
        ).get()
    }

    static let headers = [
        (name: "Content-Type", value: "application/json"), (name: "Accept", value: "application/json"),
        (name: "User-Agent", value: HTTPExchange.userAgent),
    ]

    /// Sends the newest place again before the server forgets it, and looks who has asked for it if that is wished, until
    /// cancelled.
    public func run() async throws {
        guard let visitors else { return try await keepPlace() }
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await self.keepPlace() }
            group.addTask { try await visitors.run { self.agent.withLock { $0 } } }
        }
    }

    /// A server that keeps a history keeps the newest place of it, too.
    private func keepPlace() async throws {
        // After a delivery it is seen in the second period that nothing has come since, with a third of the time left.
        let period = Duration.seconds(configuration.retention * 60 / 3)
        // What an earlier run has delivered may be near its end already.
        var wait = mark.read()?.isShared == true ? min(period, Self.pauseAfterFailure) : period
        while true {
            let count = renewal.deliveries
            try await clock.sleep(for: wait)
            let isFresh = configuration.history || renewal.deliveries != count
            wait = if isFresh { period } else { await renew() ? period : Self.pauseAfterFailure }
        }
    }

    /// How soon a renewal that failed is tried again. It is less than a third of every retention.
    private static let pauseAfterFailure = Duration.seconds(60)

    /// Returns whether there is nothing to try again. In a pause the server may forget the place.
    private func renew() async -> Bool {
        let agent = agent.withLock { $0 }
        guard agent?.isPaused != true else { return false }
        do throws(DeliveryError) { try await repeatOwedDeletion() } catch { return false }
        if let mark = mark.read() {
            if renewal.newest == nil, mark.isShared, let place = await agent?.newestPlace { renewal.adopt(place) }
            // What somebody wanted deleted does not come back by itself.
            guard renewal.newest.map({ mark.permits($0.fix.time) }) ?? true else { return true }
        }
        return await renewal.renew { [self] record in
            do throws(DeliveryError) {
                try await send([record])
                try await repeatDeletion(thatCovers: [record])
                return true
            } catch { return false }  // the next delivery says what is wrong
        }
    }

    /// Has nothing sent again in a pause of the agent, and asks it whom it follows.
    public func attach(to agent: any AgentServices) { self.agent.withLock { $0 = agent } }

    /// Ends the connections and the threads behind them.
    public func close() async {
        await exchange.close()
        await visitors?.close()
    }
}

extension AgentServices {
    /// Where the tracked object is, as a record that is none of the store's; `nil` where no source knows.
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
