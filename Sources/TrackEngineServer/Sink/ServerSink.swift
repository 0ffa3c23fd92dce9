import Glibc
package import Logging
import NIOCore
public import TrackEngine
package import TrackEngineHistory
public import TrackEngineSettings

/// Keeps records in a history and runs a server that shows it together with live events, and receives from other
/// devices.
///
/// The page does not slow the recording down: a record counts as delivered when the history has it, and live events
/// are handed on without waiting for a viewer.
public actor ServerSink: FixSink, AgentClient {
    /// The sink's name, under which the store keeps its cursor.
    public nonisolated let id: SinkID
    /// The kinds of records that a history keeps.
    public nonisolated var kinds: RecordKinds { history.kinds }
    private nonisolated let history: HistorySink
    private nonisolated let gateways: GatewayTable
    private nonisolated let directory: String
    private nonisolated let key: StoreKey?
    private nonisolated let device: DeviceID
    private nonisolated let configuration: ServerConfiguration
    private nonisolated let servesMiataru: Bool
    private nonisolated let logger: Logger
    private nonisolated let agent = SystemMutex(Services?.none)
    private nonisolated let condition = SystemMutex(ServerState())

    /// Makes a sink; history and port are opened when it runs.
    package init(
        id: SinkID = "server", directory: String, device: DeviceID, _ configuration: ServerConfiguration,
        key: StoreKey? = nil,
        retention: HistoryRetention = HistoryRetention(), servesMiataru: Bool = false,
        logger: Logger = Logger(label: "track-engine.server")
    ) {
        self.servesMiataru = servesMiataru
        self.id = id
        self.directory = directory
        self.key = key
        self.device = device
        self.configuration = configuration
        self.logger = logger
        let gateways = GatewayTable(in: directory, besides: device)
        self.gateways = gateways
        history = HistorySink(
            id: id, directory: directory, device: device, key: key, retention: retention,
            owners: { history throws(StoreError) in try await gateways.gateways(in: history) }, logger: logger)
    }

    /// The parts of the agent that the page shows and changes.
    public typealias Services = any RemoteCommandHandler & TrackerReader & FollowReader & SharingReader & PlaceProvider

    /// Shows the agent's decisions live.
    public nonisolated func attach(to agent: Services) { self.agent.withLock { $0 = agent } }

    /// Keeps the batch in the history, through to the disk.
    public func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        try await history.deliver(batch)
    }

    /// Runs the server and prunes the history. When the port is taken it throws, and is run again after a while.
    public func run() async throws {
        do {
            MemoryOptions.giveBack()
            let opened = try await history.openHistory()
            if let problem = await gateways.check(opened) {
                logger.error("the gateways of devices cannot be read", metadata: ["reason": "\(problem)"])
            }
            let access = try AccessFile(path: directory + "/" + AccessFile.name, key: key)
            var server = TrackServer(
                configuration, history: opened, access: access, logger: logger, gateways: gateways)
            if let agent = agent.withLock({ $0 }) {
                server.status = { [id] in try await agent.perform(.status, through: id) }
                server.trackerStatus = { await agent.trackerStatus() }
                server.ownDevice = device
                server.followed = { agent.followedDevices() }
                server.sharedLinks = { await agent.sharedLinks() }
                server.places = agent.places
                server.trips = { [id] request in try await agent.perform(request, through: id) }
            }
            guard servesMiataru else { return try await run(server) }
            try await withMiataru(access) { [server] miataru in
                var server = server
                server.serve(miataru)
                try await withThrowingTaskGroup(of: Void.self) { [server] group in
                    group.addTask { try await miataru.run(clock: server.clock, now: Timestamp.now) }
                    defer { group.cancelAll() }
                    try await self.run(server)
                }
            }
        } catch {
            if !Task.isCancelled { fail(error) }
            throw error
        }
    }

    private nonisolated func run(_ server: TrackServer) async throws {
        let agent = agent.withLock { $0 }
        let decisions = agent?.decisions()
        let reports = agent?.followedReports()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.history.run() }
            if let decisions {
                group.addTask { for await decision in decisions { server.show(decision, of: self.device) } }
            }
            if let agent, let reports {
                group.addTask {
                    for report in agent.followedDevices() { await server.take(report) }  // earlier reports
                    for await report in reports { await server.take(report) }
                }
            }
            defer { group.cancelAll() }
            try await server.run { address in self.condition.withLock { $0.listens(at: address?.port) } }
        }
    }

    /// Opens the places and register of Miataru's devices, next to the history, and closes them in the end.
    private nonisolated func withMiataru(
        _ access: AccessFile, _ body: @Sendable (MiataruService) async throws -> Void
    ) async throws {
        let places = directory + "/miataru"
        let kept = try await TrackHistory.open(directory: places, key: key)
        do {
            let service = try await MiataruService(kept, directory: places, logger: logger) { sender in
                access.readers.senders.contains { $0.name == sender }
            }
            try await body(service)
        } catch {
            await kept.close()
            throw error
        }
        await kept.close()
    }

    private nonisolated func fail(_ error: any Error) {
        let reason = ReceiverText.bounded(words(for: error))
        if condition.withLock({ $0.fails(reason) }) {
            logger.warning("server does not run, trying again", metadata: ["error": "\(reason)"])
        }
    }

    /// Describes an error with a way for a person to resolve it.
    package nonisolated func words(for error: any Error) -> String {
        guard let code = (error as? IOError)?.errnoCode else { return "\(error)" }
        let place = "\(configuration.host), port \(configuration.port)"
        return switch code {
        case EADDRINUSE: "\(place): expected a port that no other program has; the key 'port' names another one"
        case EACCES: "\(place): expected a port that this user may have, from 1024 on"
        case EADDRNOTAVAIL: "\(place): expected an address of this machine in the key 'host'"
        default: "\(place): \(error)"
        }
    }

    /// Closes the history.
    public func close() async { await history.close() }
}

extension ServerSink: StatusReporting {
    /// The server's address, or the reason why it does not run; the part of the gateways that cannot be read; and the
    /// status of its history.
    public nonisolated func statusItems(now: Timestamp) -> [StatusField] {
        let problem = gateways.problem.map { StatusField("gateways", .text($0), text: $0, tone: .bad) }
        return conditionItems + (problem.map { [$0] } ?? []) + history.statusItems(now: now)
    }

    private nonisolated var conditionItems: [StatusField] {
        switch condition.withLock({ $0.state }) {
        case .starting: [StatusField("address", .text(""), text: nil, tone: .faint)]
        case .listening(let port):
            [StatusField("address", .text(address(port)), text: "at \(address(port))", tone: .good)]
        case .failing(let reason): [StatusField("failure", .text(reason), text: reason, tone: .bad)]
        }
    }

    private nonisolated func address(_ port: Int) -> String {
        let scheme = configuration.tls.certificate == nil ? "http" : "https"
        let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        return "\(scheme)://\(host):\(port)/"
    }
}

/// The state of a server.
private struct ServerState: Sendable {
    enum State: Sendable, Hashable {
        /// It has not listened yet.
        case starting
        /// It takes requests.
        case listening(port: Int)
        /// It does not run, and will be tried again.
        case failing(String)
    }

    private(set) var state = State.starting

    mutating func listens(at port: Int?) { state = .listening(port: port ?? 0) }

    /// Returns whether it is news.
    mutating func fails(_ reason: String) -> Bool {
        defer { state = .failing(reason) }
        return state != .failing(reason)
    }
}
