package import Logging
package import TrackEngine
package import TrackEngineSettings

/// Changes the configuration when somebody far away wants it, and undoes that by itself where nobody is reached afterwards.
///
/// A change is examined as `check` does, kept, and applied; it is on trial until something has got through the sink by which
/// it came. Where that does not happen within ``trial``, or the agent ends before, what was before holds again.
package actor RemoteSettings {
    /// How long a change is on trial.
    package static let trial = Duration.seconds(300)
    /// How often it is looked whether something got through.
    static let look = Duration.seconds(5)

    /// What the changes need of the agent.
    package struct Surroundings: Sendable {
        /// The keys that may be changed.
        package var allowed: Set<String>
        /// Examines values as a layer above the file; returns what the configuration then has under each key.
        package var examine: @Sendable (RemoteValues) async throws(RemoteRefusal) -> Void
        /// Has the configuration read again and applied.
        package var apply: @Sendable () -> Void
        /// Whether something got through a sink after a moment.
        package var hasReached: @Sendable (SinkID, Timestamp) async -> Bool

        package init(
            allowed: Set<String>, examine: @escaping @Sendable (RemoteValues) async throws(RemoteRefusal) -> Void,
            apply: @escaping @Sendable () -> Void, hasReached: @escaping @Sendable (SinkID, Timestamp) async -> Bool
        ) {
            (self.allowed, self.examine, self.apply, self.hasReached) = (allowed, examine, apply, hasReached)
        }
    }

    private let file: RemoteFile
    private let surroundings: Surroundings
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    /// What came and is on trial.
    private let trials: AsyncStream<Trial>
    private let begin: AsyncStream<Trial>.Continuation
    private var isChanging = false

    private struct Trial: Sendable {
        let sink: SinkID
        let since: Timestamp
        /// What is tried, and what held before: the file may not be readable any more when the trial ends.
        let values: RemoteValues
    }

    package init(
        _ file: RemoteFile, _ surroundings: Surroundings, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = Timestamp.now, logger: Logger
    ) {
        self.file = file
        self.surroundings = surroundings
        self.clock = clock
        self.now = now
        self.logger = logger
        (trials, begin) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Changes the configuration.
    ///
    /// - Throws: what was expected; it is logged, too, because not every way has a word for it.
    package func configure(_ wanted: [RemoteValue], through sink: SinkID) async throws(RemoteRefusal) {
        do throws(RemoteRefusal) { try await change(wanted, through: sink) } catch {
            logger.warning(
                "a change of the configuration from afar is refused",
                metadata: ["sink": "\(sink)", "reason": "\(error)"])
            throw error
        }
    }

    private func change(_ wanted: [RemoteValue], through sink: SinkID) async throws(RemoteRefusal) {
        guard !isChanging else { throw RemoteRefusal("expected a moment of patience: another change is under way") }
        isChanging = true
        defer { isChanging = false }
        let kept = file.read()
        guard kept.before == nil else {
            throw RemoteRefusal("expected a moment of patience: the change before is still on trial")
        }
        for value in wanted where !surroundings.allowed.contains(value.key) || !RemoteValues.canChange(value.key) {
            let keys = surroundings.allowed.filter(RemoteValues.canChange).sorted()
            throw RemoteRefusal("expected \(keys.isEmpty ? "nothing: no key is allowed" : keys.inWords)")
        }
        let next = kept.changed(by: wanted)
        try await surroundings.examine(next)
        do throws(FileProblem) { try file.write(next) } catch { throw RemoteRefusal("it cannot be kept: \(error)") }
        for value in wanted {
            logger.notice(
                "configured from afar",
                metadata: [
                    "key": "\(value.key)", "value": "\(value.text)",
                    "before": "\(kept.values[value.key] ?? "as configured")",
                    "sink": "\(sink)",
                ])
        }
        surroundings.apply()
        begin.yield(Trial(sink: sink, since: now(), values: next))
    }

    /// Watches what is on trial, until cancelled. A change that an earlier run left on trial must have been undone before.
    package func run() async throws {
        for await trial in trials {
            let isReached = try await isReached(trial)
            try await keep(isReached ? trial.values.confirmed : trial.values.undone)
            guard !isReached else { continue }
            logger.warning(
                "what was configured from afar is undone, because nothing got through afterwards",
                metadata: ["sink": "\(trial.sink)"])
            surroundings.apply()
        }
    }

    /// Keeps how a trial ended, as soon as that can be written: a disk may be full.
    private func keep(_ settled: RemoteValues) async throws {
        var isTold = false
        while true {
            do throws(FileProblem) { return try file.write(settled) } catch {
                if !isTold {
                    logger.error(
                        "what was configured from afar cannot be kept; it is tried again",
                        metadata: ["error": "\(error)"])
                }
                isTold = true
            }
            try await clock.sleep(for: Self.look)
        }
    }

    private func isReached(_ trial: Trial) async throws -> Bool {
        var waited = Duration.zero
        while waited < Self.trial {
            try await clock.sleep(for: Self.look)
            waited += Self.look
            if await surroundings.hasReached(trial.sink, trial.since) { return true }
        }
        return false
    }

    /// Undoes what an earlier run left on trial, before the configuration is read; returns whether there was something.
    package static func undoInterrupted(_ file: RemoteFile) throws(FileProblem) -> Bool {
        let kept = file.read()
        guard kept.before != nil else { return false }
        try file.write(kept.undone)
        return true
    }
}
