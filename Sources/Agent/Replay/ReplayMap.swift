import Glibc
import Logging
import NIOCore
import ServiceLifecycle
import TrackEngine
import TrackEngineHistory
import TrackEngineServer
import UnixSignals

/// Shows what a replay made of its files on the server's page, until somebody ends it.
///
/// The history is in a directory of its own for that time, and so is the key.
struct ReplayMap {
    /// The most records that are shown: they are kept in memory until all files are read.
    static let mostRecords = 1_000_000
    /// The most rejected fixes that are kept; the page shows 2,000 of a stretch of time.
    static let mostRejections = 200_000

    /// What is gathered while the files are read.
    private struct Gathered: Sendable {
        var drafts: [RecordDraft] = []
        var rejections: [(fix: Fix, reason: RejectionReason)] = []
        var isCut = false
    }

    private let device: DeviceID
    private let gathered = PthreadMutex(Gathered())

    init(device: DeviceID) { self.device = device }

    /// Whether there was more than is shown.
    var isCut: Bool { gathered.withLock { $0.isCut } }

    /// Takes what became of one fix.
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
    /// - Parameter show: called with the page's address when it is there.
    func run(show: @escaping @Sendable (Secret) -> Void) async throws {
        var logger = Logger(label: "trackd.map")
        logger.logLevel = .warning
        // The signals are taken over before the service begins: one that came earlier would leave the directory behind.
        let service = MapService { [logger] in try await serve(logger, show) }
        let signals: [UnixSignal] = [.sigint, .sigterm, .sighup]
        let group = ServiceGroup(
            configuration: .init(services: [service], gracefulShutdownSignals: signals, logger: logger))
        try await group.run()
    }

    private func serve(_ logger: Logger, _ show: @escaping @Sendable (Secret) -> Void) async throws {
        let directory = try Self.temporaryDirectory()
        defer { Self.remove(directory) }
        // What a killed process leaves behind tells nobody a place.
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
                // It can be opened once: where this is printed, it may be read later.
                guard let link = try? access.makeLink().secret.revealed else { return }
                show(Secret("http://127.0.0.1:\(port)/?once=\(link)#history"))
            }
        }
        await history.close()
    }

    /// Takes the records and rejected fixes over, unless somebody ends it meanwhile.
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

    /// Removes a directory that has files only.
    private static func remove(_ directory: String) {
        // What cannot be listed is left: there is nobody to tell.
        for name in (try? DirectoryReader.names(in: directory, atMost: 100)) ?? [] { unlink("\(directory)/\(name)") }
        rmdir(directory)
    }
}

/// What is done until the group ends.
private struct MapService: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws { try await body() }
}
