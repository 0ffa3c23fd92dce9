import Encryption
import Logging
import TrackEngine
import TrackEngineSettings

/// Checks periodically for visitors, and reports unknown ones.
///
/// Known are the own id, the ids on the server's list of viewers, and those that the agent itself follows.
final class VisitorMonitor: Sendable {
    /// The time between two checks.
    static let interval = Duration.seconds(900)
    /// The time after which a failed check is repeated.
    static let pauseAfterFailure = Duration.seconds(60)

    private let account: MiataruAccount
    private let file: EncryptedFile?
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private let state = SystemMutex(State())

    private struct State: Sendable {
        var log: VisitorLog?
        var newest: VisitorEntry?
        var failure: String?
    }

    /// The largest file, in bytes.
    static let largestFile = 1 << 18

    /// - Parameter file: the file of the reported visitors; `nil` to keep them only in memory.
    init(
        _ account: MiataruAccount, file: EncryptedFile?, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = Timestamp.now, logger: Logger
    ) {
        self.account = account
        self.file = file
        self.clock = clock
        self.now = now
        self.logger = logger
    }

    /// Checks repeatedly until cancelled, but not in a pause of the agent.
    func run(_ agent: @Sendable () -> (any TrackerReader & SharingReader)?) async throws {
        while true {
            let agent = agent()
            guard agent?.isPaused != true else {
                try await clock.sleep(for: Self.pauseAfterFailure)
                continue
            }
            let isDone = await look(knowing: agent?.followedIDs() ?? [])
            try await clock.sleep(for: isDone ? Self.interval : Self.pauseAfterFailure)
        }
    }

    /// Checks once; returns whether the server has responded.
    private func look(knowing followed: [Secret]) async -> Bool {
        do throws(SharingError) {
            let own = try await account.ownIdentity()
            let visits = try await account.visits()
            // Without a list, or on a server without lists, no further ids are known.
            let allowed = (try? await account.allowedIDs()) ?? []
            tell(visits, known: Set(followed.map(\.revealed) + allowed + [own.deviceID.revealed]))
            return true
        } catch {
            state.withLock { $0.failure = error.description }
            return false
        }
    }

    private func tell(_ visits: [VisitorEntry], known: Set<String>) {
        let (news, changed, more) = state.withLock { state -> ([VisitorEntry], VisitorLog?, Bool) in
            var log = state.log ?? kept() ?? VisitorLog()
            let before = log
            let news = log.take(visits, known: known, now: now())
            state.log = log
            state.failure = nil
            if let newest = news.max(by: { $0.time < $1.time }) { state.newest = newest }
            return (news, log == before ? nil : log, log.toldOfMore != before.toldOfMore)
        }
        // Saved before it is reported: reporting twice is worse than once.
        if let changed { keep(changed) }
        if more {
            logger.notice(
                "more visitors have asked for the place than are remembered; the others are not reported",
                metadata: ["remembered": "\(VisitorLog.maximumCount)", "sink": "\(account.name)"])
        }
        guard !news.isEmpty else { return }
        logger.notice(
            "an unknown visitor has asked for the place",
            metadata: [
                "ids": "\(news.prefix(5).map(\.shortened).joined(separator: ", "))", "count": "\(news.count)",
                "sink": "\(account.name)",
            ])
    }

    private func kept() -> VisitorLog? {
        guard let kept = try? file?.read() else { return nil }
        return VisitorLog(kept.bytes)
    }

    private func keep(_ log: VisitorLog) {
        guard let file else { return }
        do throws(PrivateFileError) {
            try PrivateFile.makeDirectory(String(file.path[..<(file.path.lastIndex(of: "/") ?? file.path.startIndex)]))
            try file.replace(with: log.json)
        } catch { logger.warning("the reported visitors cannot be saved", metadata: ["error": "\(error)"]) }
    }

    func close() async { await account.close() }

    /// The last unknown visitor, or the reason why the visitors are not known.
    func statusItems(now: Timestamp) -> [StatusField] {
        let (newest, failure) = state.withLock { ($0.newest, $0.failure) }
        if let failure {
            return [StatusField("visitorsUnknown", .text(failure), text: "visitors: \(failure)", tone: .warning)]
        }
        guard let newest else { return [] }
        let isFresh = now.duration(since: newest.time) < VisitorLog.quiet
        return [
            StatusField(
                "unknownVisitor", .text(newest.shortened),
                text: "unknown visitor \(newest.shortened) asked for the place at \(newest.time.rfc3339())",
                tone: isFresh ? .warning : .plain)
        ]
    }
}

extension VisitorEntry {
    /// The start of the id: enough to distinguish two ids, too little for a request.
    fileprivate var shortened: String { MiataruIdentity(deviceID: Secret(id)).shortened }
}
