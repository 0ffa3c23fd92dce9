import Logging
public import TrackEngine
public import TrackEngineSettings

/// Follows devices that share their position through a Miataru server. The positions go to histories and pages, and
/// are never fixes of the tracked object.
public final class MiataruSource: FixSource, AgentClient {
    /// The source's name.
    public let id: SourceID

    private let server: MiataruServer
    private let list: any FollowList
    private let keeper: IdentityReader
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private let agent = SystemMutex((any TrackerReader & FollowReporter)?.none)
    private let state: SystemMutex<State>

    private struct State: Sendable {
        var places: FollowedPositions
        /// The status that was last reported.
        var status = SourceStatus.connecting
    }

    /// The number of devices in one request. It keeps the reply below the limit for replies, with some margin.
    private static let devicesAtOnce = 50

    init(
        id: SourceID, server: MiataruServer, list: any FollowList, keeper: IdentityReader, places: [NamedPlace],
        interval: Duration, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = Timestamp.now,
        logger: Logger = Logger(label: "track-engine.miataru")
    ) {
        self.id = id
        self.server = server
        self.list = list
        self.keeper = keeper
        self.interval = interval
        self.clock = clock
        self.now = now
        self.logger = logger
        state = SystemMutex(State(places: FollowedPositions(source: id, places: places)))
    }

    /// A source for a server at an address; its TLS files are read here.
    package convenience init(
        id: SourceID, address: ServerAddress, list: any FollowList, keeper: IdentityReader, interval: Duration,
        clock: any Clock<Duration>
    ) throws(ConfigurationError) {
        self.init(
            id: id, server: try MiataruServer(address, clock: clock), list: list, keeper: keeper, places: [],
            interval: interval, clock: clock)
    }

    /// Sets the agent that receives reports from now on.
    public func attach(to agent: any TrackerReader & FollowReporter) { self.agent.withLock { $0 = agent } }

    /// Requests the positions repeatedly until cancelled, less often while the server does not respond. It emits no
    /// fixes.
    public func run(_ output: FixOutput) async throws {
        let backoff = Backoff(maximum: .seconds(600), jitter: true)
        var generator = SystemRandomNumberGenerator()
        var failures = 0
        while true {
            // A request reveals the requester's presence, so a pause stops all requests.
            if agent.withLock({ $0 })?.isPaused == true {
                try await clock.sleep(for: interval)
                continue
            }
            do {
                try await ask()
                failures = 0
                say(.receiving, output)
            } catch {
                try Task.checkCancellation()
                failures += 1
                say(.unavailable(reason: (error as? DeliveryError)?.reason ?? "\(error)"), output)
            }
            try await clock.sleep(for: max(interval, backoff.wait(tried: failures, using: &generator)))
        }
    }

    /// Requests the positions of all devices once.
    private func ask() async throws {
        let entries = try list.entries()
        let gone = state.withLock { $0.places.keep(entries) }
        if let agent = agent.withLock({ $0 }) { for device in gone { agent.forget(device) } }
        guard !entries.isEmpty else { return }
        do throws(DeliveryError) { try await ask(for: entries) } catch {
            try Task.checkCancellation()
            tell(state.withLock { $0.places.fail(error.reason, about: entries) })
            throw error
        }
    }

    /// Requests devices in portions. If the request for a single device fails, the device counts as one without
    /// data. If the requests for all devices fail, the first error is thrown.
    private func ask(for entries: [FollowEntry]) async throws(DeliveryError) {
        var failures: [(entry: FollowEntry, error: DeliveryError)] = []
        for start in stride(from: 0, to: entries.count, by: Self.devicesAtOnce) {
            failures += try await ask(forAtOnce: Array(entries[start...].prefix(Self.devicesAtOnce)))
        }
        if failures.count == entries.count, let first = failures.first { throw first.error }
        for (entry, error) in failures {
            logger.notice(
                "the server gives no place of a device",
                metadata: ["device": "\(entry.name)", "error": "\(error.reason)"])
            take([:], about: [entry])
        }
    }

    /// Requests devices at once or, if the server rejects that, one by one; returns those with a failed request.
    private func ask(
        forAtOnce entries: [FollowEntry]
    ) async throws(DeliveryError) -> [(entry: FollowEntry, error: DeliveryError)] {
        do throws(DeliveryError) {
            take(try await question(entries), about: entries)
            return []
        } catch {
            guard error.mayBeAboutOneDevice else { throw error }
            if entries.count == 1 { return entries.map { ($0, error) } }
        }
        var failures: [(entry: FollowEntry, error: DeliveryError)] = []
        for entry in entries {
            do throws(DeliveryError) { take(try await question([entry]), about: [entry]) } catch {
                guard error.mayBeAboutOneDevice else { throw error }
                failures.append((entry, error))
            }
        }
        return failures
    }

    private func question(
        _ entries: [FollowEntry]
    ) async throws(DeliveryError) -> [String: ReportedPosition] {
        let reply = try await server.call("GetLocation", as: keeper, hiding: entries.map(\.id.revealed)) { identity in
            .object([
                .init("MiataruConfig", .asking(as: identity)),
                .init(
                    "MiataruGetLocation",
                    .array(entries.map { .object([.init("Device", .string($0.id.revealed))]) })),
            ])
        }
        return try ReportedPosition.all(in: reply, count: entries.count, now: now())
    }

    private func take(_ reply: [String: ReportedPosition], about entries: [FollowEntry]) {
        tell(state.withLock { $0.places.take(reply, about: entries) })
    }

    private func tell(_ news: [FollowedPositions.Change]) {
        let agent = agent.withLock { $0 }
        for device in news {
            agent?.report(device.report)
            guard let place = device.arrival else { continue }
            logger.notice(
                "a followed device has arrived", metadata: ["device": "\(device.report.device)", "place": "\(place)"])
        }
    }

    /// Reports the status if it has changed.
    private func say(_ status: SourceStatus, _ output: FixOutput) {
        let isNews = state.withLock { state in
            defer { state.status = status }
            return state.status != status
        }
        if isNews { output.status(status) }
    }
}

extension MiataruSource: FollowSource {
    /// The ids of the list; none if it cannot be read, which the source's status reports.
    public func followedIDs() -> [Secret] { ((try? list.entries()) ?? []).map(\.id) }
}

extension MiataruSource: StatusReporting {
    /// The number of followed devices, and the devices without data.
    public func statusItems(now: Timestamp) -> [StatusField] {
        let reports = state.withLock { $0.places.reports }
        let unknown = reports.filter { $0.failure != nil }
        let silent = reports.filter { $0.fix == nil && $0.failure == nil }.map(\.device.rawValue)
        return [
            StatusField(
                "following", .count(reports.count),
                text: "following \(reports.count) device\(reports.count == 1 ? "" : "s")"),
            StatusField(
                "withoutData", .count(silent.count),
                text: silent.isEmpty
                    ? nil : "\(silent.prefix(5).joined(separator: ", ")): no data, expired or not permitted",
                tone: .warning),
            StatusField(
                "notKnown", .count(unknown.count),
                text: unknown.first?.failure.map {
                    "\(unknown.prefix(5).map(\.device.rawValue).joined(separator: ", ")): not known: \($0)"
                }, tone: .warning),
        ]
    }
}

extension DeliveryError {
    /// Whether the server has processed the request, so one device may have caused the error.
    fileprivate var mayBeAboutOneDevice: Bool {
        switch recovery {
        case .rejected, .smaller, .retry(_, evidence: .failure): true
        default: false
        }
    }
}

extension JSONValue {
    /// The identity of the requesting device, in the form for reading calls.
    static func asking(as identity: MiataruIdentity) -> JSONValue {
        .members(
            ("RequestMiataruDeviceID", .string(identity.deviceID.revealed)),
            ("RequestMiataruDeviceKey", identity.deviceKey.map { .string($0.revealed) }))
    }
}
