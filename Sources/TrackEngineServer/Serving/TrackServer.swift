public import Hummingbird
public import Logging
import OwnTracksFormat
package import TrackEngine
public import TrackEngineHistory
import TrackEnginePlaces
package import TrackEngineSettings

/// Receives the points of phones and other trackers, and shows them: routes for a Hummingbird application, or a
/// server by itself.
///
/// All requests for data need a secret: a sender shows its token, a reader the key or a session. `/status`,
/// `/healthz`, Dawarich's health check and the page's own files need none.
///
/// Its metrics are on its page `/metrics`, and also go to the backend of swift-metrics that the program has when the
/// server is made.
public struct TrackServer: Sendable {
    let configuration: ServerConfiguration
    let access: AccessFile
    let receiver: Receiver
    let reader: HistoryReader
    let trace: TraceReader
    private(set) var receiving: SenderRoutes
    let map: TileFile?
    let logger: Logger
    let clock: any Clock<Duration>
    /// The status of the agent that the server belongs to, as JSON; `nil` where it belongs to none.
    package var status: (@Sendable () async throws -> [UInt8])?
    /// The same as a value, for `/metrics`.
    package var trackerStatus: (@Sendable () async -> TrackerStatus)?
    /// The device of the agent that the server belongs to.
    package var ownDevice: DeviceID?
    /// Returns the status of the devices that the agent follows.
    package var followed: (@Sendable () -> [FollowedDevice])?
    /// The links by which others find the place that the agent shares.
    package var sharedLinks: (@Sendable () async -> [(sink: SinkID, link: Secret)])?
    /// The keeper of the agent's places and corrections; `nil` where there is none.
    package var places: (any PlaceEditor)?
    /// Begins and ends trips of the agent; returns JSON.
    package var trips: (@Sendable (RemoteRequest) async throws -> [UInt8])?
    let metrics = ServerMetrics()
    /// Live events for observers.
    let feed: LivePublisher
    /// The fixes that were lately not recorded, for later observers.
    let rejectedFixes: FixRejectionList

    /// A server that keeps points in a history, which stays open when the server ends.
    public init(
        _ configuration: ServerConfiguration, history: TrackHistory, access: AccessFile,
        logger: Logger = Logger(label: "track-engine.server")
    ) {
        self.init(configuration, history: history, access: access, logger: logger, wallClock: .system)
    }

    /// A server with a clock of its own, a number of rejected fixes that it keeps in memory, and the list of
    /// gateways' devices that its history is pruned by.
    package init(
        _ configuration: ServerConfiguration, history: TrackHistory, access: AccessFile, logger: Logger,
        clock: any Clock<Duration> = ContinuousClock(), wallClock: ServerClock = .system,
        rejectedFixLimit: Int = 10_000, gateways: GatewayTable? = nil
    ) {
        self.configuration = configuration
        self.access = access
        self.logger = logger
        self.clock = clock
        feed = LivePublisher(clock: clock)
        let newest = NewestPoints()
        receiver = Receiver(
            history: history, gateways: gateways ?? GatewayTable(in: access.directory),
            rejections: RejectionList(counter: metrics.unusablePoints), newest: newest, feed: feed, clock: wallClock,
            metrics: metrics, logger: logger)
        receiving = SenderRoutes(configuration: configuration, access: access, receiver: receiver)
        // This fails only without a source of random numbers; encrypted messages are refused then.
        receiving.secrets = configuration.ownTracksSecrets.compactMapValues { try? OwnTracksSecret($0) }
        map = Self.map(configuration, logger)
        rejectedFixes = FixRejectionList(limit: rejectedFixLimit)
        reader = HistoryReader(history: history, newest: newest, rejectedFixes: rejectedFixes)
        trace = TraceReader(history: history, wallClock: wallClock.now)
    }

    /// The map under the tracks. Without it the tracks are shown anyway.
    private static func map(_ configuration: ServerConfiguration, _ logger: Logger) -> TileFile? {
        do throws(ServerError) {
            return try configuration.map.map { path throws(ServerError) in try TileFile(path: path) }
        } catch {
            logger.warning("the map is not shown", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// Lets Miataru's apps use the server; its routes are to be added afterwards.
    package mutating func serve(_ miataru: MiataruService) { receiving.miataru = miataru }

    /// Adds the routes to a router of an application, under its root.
    ///
    /// The information of ``ServerConfiguration/trustedProxies`` is available only where the application's context
    /// has the remote address (`RemoteAddressRequestContext`).
    public func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        addRoutes(inside: router.group())
    }

    /// Adds the routes and what is common to them; in a router of its own, also to replies for unknown paths.
    func addRoutes<Context: RequestContext>(inside router: some RouterMethods<Context>) {
        let group = router.add(middleware: RequestCount<Context>(metrics: metrics))
            .add(middleware: security()).add(middleware: ReplyPace<Context>())
            .add(middleware: ReplyCompression<Context>())
            .add(middleware: failureAudit())
        let hasTLS = configuration.tls.certificate != nil
        receivingForAgent.add(to: group)
        StatusRoutes(access: access, metrics: metrics, status: status, trackerStatus: trackerStatus).add(to: group)
        LiveRoutes(access: access, feed: feed, clock: clock, viewers: metrics.viewers).add(to: group)
        PageRoutes(access: access, hasTLS: hasTLS, proxies: ProxyList(configuration)).add(to: group)
        BaseMapRoutes(access: access, tiles: configuration.tiles, map: map).add(to: group)
        SharingRoutes(access: access, links: sharedLinks).add(to: group)
        let gate = EditorAccess(
            access: access, pages: OwnPages(proxies: ProxyList(configuration), hasTLS: hasTLS), device: ownDevice)
        EditorRoutes(
            gate: gate, keeping: places, device: ownDevice, admission: receiving.admission,
            feed: feed
        ).add(to: group)
        TripRoutes(gate: gate, admission: receiving.admission, command: trips).add(to: group)
        ReadingRoutes(
            access: access, reader: reader, events: events, trace: trace, rejections: receiver.rejections, gate: gate,
            followed: { followedView }
        ).add(to: group)
    }

    /// The routes of senders, which know the agent's own device.
    private var receivingForAgent: SenderRoutes {
        var routes = receiving
        routes.receiver.ownDevice = ownDevice
        return routes
    }

    private var events: EventReader {
        EventReader(history: reader.history, now: receiver.clock.now) { device in
            guard device == ownDevice, let keeping = places else { return CorrectionLog() }
            // Without readable corrections, events are shown as found.
            return (try? CorrectionLog(json: await keeping.corrections())) ?? CorrectionLog()
        }
    }

    /// Adds the routes of Traccar's clients and OsmAnd, at the root of a port that has no others.
    public func addOsmAndRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        addOsmAndRoutes(inside: router.group())
    }

    func addOsmAndRoutes<Context: RequestContext>(inside router: some RouterMethods<Context>) {
        receivingForAgent.addOsmAnd(
            to: router.add(middleware: RequestCount<Context>(metrics: metrics)).add(middleware: security())
                .add(middleware: failureAudit(forTraccar: true)))
    }

    private func failureAudit<Context: RequestContext>(forTraccar: Bool = false) -> FailureAudit<Context> {
        FailureAudit(audit: access.audit, proxies: ProxyList(configuration), isForTraccar: forTraccar)
    }

    private func security<Context: RequestContext>() -> HeaderGuard<Context> {
        HeaderGuard(
            names: HostNameList(configuration.names, listeningOn: configuration.host),
            proxies: ProxyList(configuration),
            pictures: configuration.tiles?.origin, hasTLS: configuration.tls.certificate != nil)
    }
}
