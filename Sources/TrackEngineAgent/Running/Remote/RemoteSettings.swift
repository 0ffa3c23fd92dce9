package import Logging
package import TrackEngine
package import TrackEngineSettings

/// Changes the configuration on a remote request, and undoes a change that does not prove itself.
///
/// A change is examined as `check` does, saved, and applied. It is on trial until ``TrialMonitor`` confirms it. If that
/// does not happen within ``trial``, or the agent ends before, the previous values are restored. The operator can
/// revert values at any time, also those on trial.
package actor RemoteSettings {
    /// The duration of a trial.
    package static let trial = Duration.seconds(300)
    /// The longest rest of the object during a trial: a resting object makes no record that would prove the change.
    package static let longestRest = Duration.seconds(43_200)
    /// The interval at which the proof of a change is checked.
    static let look = Duration.seconds(5)

    /// The functions of the agent that changes need.
    package struct Environment: Sendable {
        /// The keys that may be changed.
        package var allowed: Set<String>
        /// Examines values as a layer above the file; the set contains the keys that get another value.
        package var examine: @Sendable (RemoteValues, Set<String>) async throws(RemoteRejection) -> Void
        /// Reads the configuration again and applies it.
        package var apply: @Sendable () -> Void
        /// The observable progress of a trial of values that came through a sink.
        package var sight: @Sendable (RemoteValues, SinkID) async -> TrialMonitor.Reading
        /// Sends the backlog of a sink; returns at once.
        package var send: @Sendable (SinkID) -> Void

        package init(
            allowed: Set<String>,
            examine: @escaping @Sendable (RemoteValues, Set<String>) async throws(RemoteRejection) -> Void,
            apply: @escaping @Sendable () -> Void,
            sight: @escaping @Sendable (RemoteValues, SinkID) async -> TrialMonitor.Reading,
            send: @escaping @Sendable (SinkID) -> Void = { _ in }
        ) {
            (self.allowed, self.examine, self.apply, self.sight, self.send) = (allowed, examine, apply, sight, send)
        }
    }

    private let file: RemoteFile
    private let surroundings: Environment
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    /// The changes that begin a trial.
    private let trials: AsyncStream<Trial>
    private let begin: AsyncStream<Trial>.Continuation
    private var isChanging = false
    /// The number of the last trial. While one is watched, the operator may have ended it, and another may have begun.
    private var number = 0
    /// The values in force: during a trial the file may become unreadable.
    private var kept: RemoteValues
    private let shown: SystemMutex<RemoteStatus>
    /// The number of commands that came through a sink, without those that change the configuration.
    private var commands: [SinkID: Int] = [:]

    private struct Trial: Sendable {
        let sink: SinkID
        let number: Int
    }

    /// - Parameter standing: the result of ``prepare(_:logger:)``.
    package init(
        _ file: RemoteFile, _ surroundings: Environment, standing: RemoteStatus = RemoteStatus(),
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Timestamp = Timestamp.now,
        logger: Logger
    ) {
        self.file = file
        self.surroundings = surroundings
        self.clock = clock
        self.now = now
        self.logger = logger
        kept = standing.values
        shown = SystemMutex(standing)
        (trials, begin) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Undoes a change that an earlier run left on trial. Called once, before the agent runs.
    ///
    /// - Parameter isApplied: whether the agent was started with these values.
    func endOldTrial(isApplied: @Sendable (RemoteValues) -> Bool) {
        let (standing, isUndone) = Self.prepare(file, logger: logger)
        kept = standing.values
        shown.withLock { $0 = standing }
        // The configuration was read without the values that are undone now. If that failed, it is read again.
        if isUndone, !isApplied(standing.values) { surroundings.apply() }
    }

    /// Counts a command that came through a sink and does not change the configuration.
    func noteCommand(through sink: SinkID) { commands[sink, default: 0] += 1 }

    /// The remote settings in force, for observers.
    package nonisolated var standing: RemoteStatus { shown.withLock { $0 } }

    // MARK: Changes

    /// Changes the configuration.
    ///
    /// - Throws: the expectation that was not met. It is also logged, because not every protocol can report it.
    package func configure(_ wanted: [RemoteValue], through sink: SinkID) async throws(RemoteRejection) {
        do throws(RemoteRejection) { try await change(wanted, through: sink) } catch {
            // A server that repeats a request in each reply gets a refusal for each; a temporary one is no warning.
            logger.log(
                level: error.isForNow ? .info : .warning, "a remote change of the configuration is refused",
                metadata: ["sink": "\(sink)", "reason": "\(error)"])
            throw error
        }
    }

    private func change(_ wanted: [RemoteValue], through sink: SinkID) async throws(RemoteRejection) {
        guard !isChanging else {
            throw RemoteRejection("expected a moment of patience: another change is under way", isForNow: true)
        }
        isChanging = true
        defer { isChanging = false }
        guard kept.trial == nil else {
            throw RemoteRejection("expected a moment of patience: the change before is still on trial", isForNow: true)
        }
        for value in wanted where !surroundings.allowed.contains(value.key) || !RemoteValues.canChange(value.key) {
            let keys = surroundings.allowed.filter(RemoteValues.canChange).sorted()
            throw RemoteRejection(
                "\(value.plainKey): expected \(keys.isEmpty ? "no key: none is allowed" : keys.inWords)")
        }
        let before: RemoteValues
        do throws(FileProblem) { before = try readAgain() } catch {
            throw RemoteRejection("the saved settings cannot be read: \(error)")
        }
        let moment = now()
        let next = before.changed(by: wanted, now: moment, end: moment.advanced(by: Self.trial))
        try await surroundings.examine(
            next, Set(wanted.filter { $0.text != RemoteValue.asConfigured }.map(\.key)))
        do throws(FileProblem) { try write(next) } catch { throw RemoteRejection("it cannot be kept: \(error)") }
        for value in wanted {
            logger.notice(
                "configured remotely",
                metadata: [
                    "key": "\(value.key)", "value": "\(value.text)",
                    "before": "\(before.values[value.key]?.text ?? RemoteValue.asConfigured)",
                    "sink": "\(sink)",
                ])
        }
        surroundings.apply()
        number += 1
        begin.yield(Trial(sink: sink, number: number))
    }

    /// Reverts values permanently at the operator's request; returns their keys.
    ///
    /// - Parameter keys: the keys to revert; all if empty.
    /// - Throws: the expectation that was not met; then the values are unchanged.
    package func clear(_ keys: [String]) throws(RemoteRejection) -> [String] {
        guard !isChanging else {
            throw RemoteRejection("expected a moment of patience: a change is under way", isForNow: true)
        }
        let before: RemoteValues
        do throws(FileProblem) { before = kept.trial == nil ? try readAgain() : kept } catch {
            throw RemoteRejection("\(error)")
        }
        let cleared = try before.keysToClear(keys)
        guard !cleared.isEmpty else { return [] }
        do throws(FileProblem) { try write(before.cleared(of: Set(cleared))) } catch {
            throw RemoteRejection("\(error)")
        }
        logger.notice(
            "remote settings are reverted by the operator",
            metadata: ["keys": "\(cleared.joined(separator: ", "))"])
        surroundings.apply()
        return cleared
    }

    /// Reads the file again if no change is on trial: another process may have changed it without reaching this agent.
    func lookAgain() {
        guard kept.trial == nil, !isChanging else { return }
        switch file.content() {
        case .none: hold(RemoteValues())
        case .values(let values): hold(values.undone)
        case .damaged, .unreadable: shown.withLock { $0.problem = file.standing.problem }
        }
    }

    // MARK: Trials

    /// Watches the trials, until cancelled. A change that an earlier run left on trial must have been undone before.
    package func run() async throws {
        for await trial in trials {
            let isProven = try await isProven(trial)
            guard isUnderWay(trial) else { continue }
            try await settle(trial, isProven)
            guard !isProven else { continue }
            logger.warning(
                "remote settings are undone, because their trial has failed",
                metadata: ["sink": "\(trial.sink)"])
            surroundings.apply()
        }
    }

    private func isUnderWay(_ trial: Trial) -> Bool { kept.trial != nil && number == trial.number }

    private func isProven(_ trial: Trial) async throws -> Bool {
        var proof = TrialMonitor()
        var (waited, parked) = (Duration.zero, Duration.zero)
        while waited < Self.trial, parked < Self.longestRest {
            try await clock.sleep(for: Self.look)
            var seen = await surroundings.sight(kept, trial.sink)
            seen.commands += commands[trial.sink] ?? 0
            if seen.isMoving { waited += Self.look } else { parked += Self.look }
            guard isUnderWay(trial) else { return false }
            switch proof.look(seen) {
            case .wait: break
            case .send: surroundings.send(trial.sink)
            case .proven: return true
            }
        }
        return false
    }

    /// Saves the outcome of a trial, and retries until it can be written: a disk may be full.
    private func settle(_ trial: Trial, _ isProven: Bool) async throws {
        var isTold = false
        while isUnderWay(trial) {
            do throws(FileProblem) { return try write(isProven ? kept.confirmed : kept.undone) } catch {
                if !isTold {
                    logger.error(
                        "remote settings cannot be saved; saving is tried again",
                        metadata: ["error": "\(error)"])
                }
                isTold = true
            }
            try await clock.sleep(for: Self.look)
        }
    }

    // MARK: The file

    private func hold(_ values: RemoteValues) {
        kept = values
        shown.withLock { $0.values = values }
    }

    private func readAgain() throws(FileProblem) -> RemoteValues {
        let (values, warning) = try file.readForChange()
        if let warning { warn(warning) }
        hold(values.undone)
        return kept
    }

    private func write(_ values: RemoteValues) throws(FileProblem) {
        if case .damaged = file.content() { warn(try file.setAside()) }
        try file.write(values)
        hold(values)
    }

    private func warn(_ warning: String) {
        shown.withLock { $0.problem = warning }
        logger.warning("remote settings are lost", metadata: ["reason": "\(warning)"])
    }

    // MARK: The start

    /// Prepares the file when an agent begins: sets a damaged one aside, and undoes a change that an earlier run left
    /// on trial.
    ///
    /// - Returns: the settings in force, and whether they differ from the content of the file before.
    package static func prepare(_ file: RemoteFile, logger: Logger) -> (standing: RemoteStatus, isUndone: Bool) {
        do throws(FileProblem) {
            let (values, warning) = try file.readForChange()
            if let warning {
                logger.warning("remote settings are lost", metadata: ["reason": "\(warning)"])
            }
            guard values.trial != nil else { return (RemoteStatus(values, problem: warning), false) }
            try file.write(values.undone)
            logger.warning("remote settings are undone, because the agent ended during their trial")
            return (RemoteStatus(values.undone), true)
        } catch {
            logger.warning("remote settings cannot be prepared", metadata: ["error": "\(error)"])
            var standing = file.standing.forNextStart  // the configuration was read without it
            standing.problem = standing.problem ?? "\(error)"
            return (standing, false)
        }
    }
}

extension RemoteValue {
    /// The key if it has the form of a key: a sender may send any text as a key, also a position.
    fileprivate var plainKey: String {
        let isPlain = key.utf8.count <= 60 && key.utf8.allSatisfy { $0.isLetter || $0 == UInt8(ascii: ".") }
        return isPlain && !key.isEmpty ? key : "another key"
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
}

extension RemoteValues {
    /// The keys to clear: the named ones, or all.
    ///
    /// - Throws: the name of a key that is not set remotely.
    func keysToClear(_ named: [String]) throws(RemoteRejection) -> [String] {
        if let unknown = named.first(where: { !keys.contains($0) }) {
            let known = keys.isEmpty ? "none" : keys.sorted().inWords
            throw RemoteRejection(
                "\(unknown.quoted(atMost: 80)): expected a key with a remote setting: \(known)")
        }
        return named.isEmpty ? keys.sorted() : Set(named).sorted()
    }
}
