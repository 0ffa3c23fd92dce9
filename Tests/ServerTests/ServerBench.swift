import Foundation
import Logging
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer
import TrackEngineSettings
import TrackEngineTestKit

/// What an agent would tell its server of other devices, and of the links to its own place.
struct SharingScene: Sendable {
    var ownDevice: DeviceID
    var followed: [FollowedDevice] = []
    var links: [(sink: SinkID, link: Secret)] = []
    var places: (any PlaceEditor)?
    var trips: (@Sendable (RemoteRequest) async throws -> [UInt8])?
}

/// A server on a free port of the loopback address, with a history and a list of devices of its own.
struct ServerBench: Sendable {
    let port: Int
    let history: TrackHistory
    let access: AccessFile
    let server: TrackServer
    fileprivate let ending: WakeSignal

    /// The time that the server takes for now: 2026-03-01T12:00:00Z.
    static let now = Timestamp(secondsSince1970: 1_772_366_400)

    /// Runs a server while `body` runs, or until ``stop()``.
    ///
    /// - Parameters:
    ///   - place: the directory of the history; `nil` for a fresh one.
    ///   - environment: the environment of the history.
    static func with(
        _ configuration: ServerConfiguration = ServerConfiguration(),
        status: (@Sendable () async throws -> [UInt8])? = nil,
        trackerStatus: (@Sendable () async -> TrackerStatus)? = nil,
        wallClock: ServerClock = ServerClock(now: { now }, isSynchronised: { true }),
        rejectedFixLimit: Int = 10_000, servesMiataru: Bool = false, sharing: SharingScene? = nil,
        historyIn place: String? = nil, environment: HistoryEnvironment = HistoryEnvironment(),
        _ body: @Sendable (ServerBench) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let history = try await TrackHistory.open(
                directory: place ?? directory + "/history", key: nil, environment: environment)
            let access = try AccessFile(path: directory + "/access.json")
            var configuration = configuration
            configuration.port = 0
            var made = TrackServer(
                configuration, history: history, access: access, logger: Logger(label: "test"), wallClock: wallClock,
                rejectedFixLimit: rejectedFixLimit)
            (made.status, made.trackerStatus) = (status, trackerStatus)
            made.ownDevice = sharing?.ownDevice
            if let sharing {
                made.followed = { sharing.followed }
                made.sharedLinks = { sharing.links }
                made.places = sharing.places
                made.trips = sharing.trips
            }
            let places = servesMiataru ? try await TrackHistory.open(directory: directory + "/miataru") : nil
            if let places {
                made.serve(
                    try await MiataruService(
                        places, directory: directory + "/miataru", clock: wallClock, logger: Logger(label: "test")
                    ) { sender in access.senders.contains(sender) })
            }
            let server = made
            let ending = WakeSignal()
            let (ports, continuation) = AsyncStream<Int>.makeStream()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { continuation.finish() }
                    try await run(server, until: ending) { continuation.yield($0) }
                }
                var iterator = ports.makeAsyncIterator()
                if let port = await iterator.next() {
                    try await body(
                        ServerBench(port: port, history: history, access: access, server: server, ending: ending))
                }
                ending.raise()
                try await group.waitForAll()
            }
            await history.close()
            await places?.close()
        }
    }

    private static func run(
        _ server: TrackServer, until ending: WakeSignal, _ onListening: @escaping @Sendable (Int) -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run { onListening($0?.port ?? 0) } }
            group.addTask { await ending.wait() }
            do {
                try await group.next()
                group.cancelAll()
                try await group.waitForAll()
            } catch is CancellationError {}  // that is how it ends
        }
    }

    /// Ends the server; returns when nobody listens any more.
    func stop() async {
        ending.raise()
        await eventually("nobody listens") { !LoopbackSocket.accepts(at: .ipv4(port)) }
    }

    /// The token of a new device.
    func token(of device: DeviceID, isGateway: Bool = false) throws -> String {
        try access.add(device, isGateway: isGateway).secret.revealed
    }

    /// The key for reading.
    var key: String { access.readingKey.secret.revealed }

    /// The session of a browser that has opened a link with a key, that for reading unless another is named.
    func session(of key: String? = nil) async throws -> PageSession {
        try #require(
            await PageSession(opening: "/?key=\(key ?? self.key)", ["Host": "127.0.0.1:\(port)"], at: port))
    }

    /// All points of a device.
    func points(of device: DeviceID) async throws -> [HistoryPoint] {
        let whole = Timestamp(nanosecondsSince1970: .min)..<Timestamp(nanosecondsSince1970: .max)
        return try await history.points(of: device, during: whole, limit: .max)
    }
}

extension ServerBench {
    /// Sends a request and reads until the server closes.
    func send(
        _ method: String = "GET", _ target: String, _ fields: [String: String] = [:], body: String = ""
    ) async throws -> RawReply {
        await RawReply.to(method, target, fields, body: body, at: port)
    }

    /// Sends bytes as they are and reads until the server closes.
    func exchange(_ text: String) async throws -> RawReply { await RawReply.to(text, at: port) }
}
