import Logging
import SealedFiles
import TrackEngine
import TrackEngineSettings

/// Looks now and then who has asked for the place, and tells of those whom nobody here knows.
///
/// Known are the own id, those on the server's list of who may see the place, and those whom the agent follows itself.
final class VisitorWatch: Sendable {
    /// How often it looks.
    static let interval = Duration.seconds(900)
    /// How soon it looks again after a failure.
    static let pauseAfterFailure = Duration.seconds(60)

    private let account: MiataruAccount
    private let file: SealedFile?
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private let state = PthreadMutex(State())

    private struct State: Sendable {
        var log: VisitorLog?
        var newest: Visit?
        var failure: String?
    }

    /// The largest file.
    static let largestFile = 1 << 18

    /// - Parameter file: where it is kept of whom was told; `nil` to keep it in memory alone.
    init(
        _ account: MiataruAccount, file: SealedFile?, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = Timestamp.now, logger: Logger
    ) {
        self.account = account
        self.file = file
        self.clock = clock
        self.now = now
        self.logger = logger
    }

    /// Looks again and again until cancelled; not in a pause of the agent.
    func run(_ agent: @Sendable () -> (any AgentServices)?) async throws {
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

    /// Asks the server once; returns whether it has answered.
    private func look(knowing followed: [Secret]) async -> Bool {
        do throws(SharingError) {
            let own = try await account.ownIdentity()
            let visits = try await account.visits()
            // Who has no list, or a server that knows none, knows nobody more.
            let allowed = (try? await account.allowedIDs()) ?? []
            tell(visits, known: Set(followed.map(\.revealed) + allowed + [own.deviceID.revealed]))
            return true
        } catch {
            state.withLock { $0.failure = error.description }
            return false
        }
    }

    private func tell(_ visits: [Visit], known: Set<String>) {
        let (news, changed, more) = state.withLock { state -> ([Visit], VisitorLog?, Bool) in
            var log = state.log ?? kept() ?? VisitorLog()
            let before = log
            let news = log.take(visits, known: known, now: now())
            state.log = log
            state.failure = nil
            if let newest = news.max(by: { $0.time < $1.time }) { state.newest = newest }
            return (news, log == before ? nil : log, log.toldOfMore != before.toldOfMore)
        }
        // It is kept before it is told: twice is worse than once here.
        if let changed { keep(changed) }
        if more {
            logger.notice(
                "more have asked for the place than are remembered; of the others nothing is told",
                metadata: ["remembered": "\(VisitorLog.maximumCount)", "sink": "\(account.name)"])
        }
        guard !news.isEmpty else { return }
        logger.notice(
            "somebody unknown has asked for the place",
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
        } catch { logger.warning("of whom was told is not kept", metadata: ["error": "\(error)"]) }
    }

    func close() async { await account.close() }
}

extension VisitorWatch {
    /// Who was here last of those whom nobody knows, and why nothing is known of that.
    func statusItems(now: Timestamp) -> [StatusItem] {
        let (newest, failure) = state.withLock { ($0.newest, $0.failure) }
        if let failure {
            return [StatusItem("visitorsUnknown", .text(failure), text: "visitors: \(failure)", tone: .warning)]
        }
        guard let newest else { return [] }
        let isFresh = now.duration(since: newest.time) < VisitorLog.quiet
        return [
            StatusItem(
                "unknownVisitor", .text(newest.shortened),
                text: "\(newest.shortened), whom nobody here knows, asked for the place at \(newest.time.rfc3339())",
                tone: isFresh ? .warning : .plain)
        ]
    }
}

extension Visit {
    /// Enough of the id to tell two apart, and too little to ask with.
    fileprivate var shortened: String { MiataruIdentity(deviceID: Secret(id)).shortened }
}
