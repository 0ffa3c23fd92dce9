import Glibc
import Logging
import NIOCore
import ServiceLifecycle
import TrackEngine
import TrackEngineHistory
import TrackEngineServer
import UnixSignals

/// Shows the outcome of a replay on the server's page, until the user ends it.
///
/// The history and its access file are in a temporary directory for that time.
struct ReplayMap {
    /// The maximum number of records to show: they are kept in memory until all files are read.
    static let mostRecords = 1_000_000
    /// The maximum number of rejected fixes to keep; the page shows 2,000 of a time range.
    static let mostRejections = 200_000

    /// The outcomes collected while the files are read.
    private struct Outcome: Sendable {
        var drafts: [RecordDraft] = []
        var rejections: [(fix: Fix, reason: RejectionReason)] = []
        var isCut = false
    }

    private let device: DeviceID
    private let gathered = SystemMutex(Outcome())

    init(device: DeviceID) { self.device = device }

    /// Whether there was more than is shown.
    var isCut: Bool { gathered.withLock { $0.isCut } }

    /// Collects the outcome of each fix.
    var observer: @Sendable (ReplayRun.Outcome) -> Void {
        { [gathered] outcome in
            gathered.withLock { gathered in
                switch outcome {
                case .recorded(let draft):
                    if gathered.drafts.count < Self.mostRecords {
                        gathered.drafts.append(draft)
                    } else {
                        gathered.isCut = true
                    }
                case .rejected(let fix, let reason):
                    if gathered.rejections.count < Self.mostRejections {
                        gathered.rejections.append((fix, reason))
                    } else {
                        gathered.isCut = true
                    }
                }
            }
        }
    }

    /// Serves the page until SIGINT, SIGTERM or SIGHUP.
    ///
    /// - Parameter show: called with the page's address when the page is ready.
    func run(show: @escaping @Sendable (Secret) -> Void) async throws {
        var logger = Logger(label: "trackd.map")
        logger.logLevel = .warning
        // The signals are handled before the service begins: an earlier one would leave the directory behind.
        let service = MapService { [logger] in try await serve(logger, show) }
        let signals: [UnixSignal] = [.sigint, .sigterm, .sighup]
        let group = ServiceGroup(
            configuration: .init(services: [service], gracefulShutdownSignals: signals, logger: logger))
        try await group.run()
    }

    private func serve(_ logger: Logger, _ show: @escaping @Sendable (Secret) -> Void) async throws {
        let directory = try Self.temporaryDirectory()
        defer { Self.remove(directory) }
        // The key is random and never stored: files left behind by a killed process reveal no position.
        let history = try await TrackHistory.open(directory: directory, key: .random())
        let access = try AccessFile(path: directory + "/access.json")
        var configuration = ServerConfiguration()
        configuration.port = 0
        let server = TrackServer(
            configuration, history: history, access: access, logger: logger, rejectedFixLimit: Self.mostRejections)
        try await fill(history, server)
        if !Task.isShuttingDownGracefully {
            try await server.run { address in
                guard let port = address?.port else { return }
                // A one-time link, because the output may be read later.
                guard let link = try? access.makeLink().secret.revealed else { return }
                show(Secret("http://127.0.0.1:\(port)/?once=\(link)#history"))
            }
        }
        await history.close()
    }

    /// Adds the records and rejected fixes to the history, unless the user ends it meanwhile.
    private func fill(_ history: TrackHistory, _ server: TrackServer) async throws {
        let all = gathered.withLock { $0 }
        for start in stride(from: 0, to: all.drafts.count, by: 5_000) where !Task.isShuttingDownGracefully {
            let records = all.drafts[start...].prefix(5_000).enumerated().map { index, draft in
                TrackRecord(sequence: RecordSequence(rawValue: Int64(start + index + 1)), draft: draft)
            }
            _ = try await history.add(
                records.filter { $0.kind == .location }.map(HistoryPoint.init),
                events: records.compactMap(HistoryEvent.init), of: device)
        }
        for (fix, reason) in all.rejections {
            server.show(.rejected(fix: fix, source: "replay", reason: reason), of: device)
        }
    }

    private static func temporaryDirectory() throws -> String {
        let wanted = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        let folder = wanted.isEmpty ? "/tmp" : wanted
        var template = Array("\(folder)/trackd-map-XXXXXX".utf8CString)
        guard let made = template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) } }) else {
            throw SystemError("cannot make a directory in \(folder)")
        }
        return String(cString: made)
    }

    /// Removes a directory that contains only files.
    private static func remove(_ directory: String) {
        // A directory that cannot be listed is left behind.
        for name in (try? DirectoryReader.names(in: directory, atMost: 100)) ?? [] { unlink("\(directory)/\(name)") }
        rmdir(directory)
    }
}

/// The work until the group ends.
private struct MapService: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws { try await body() }
}
