import Logging
import TrackEngine

/// Manages the pause of a running agent. A change is saved on the disk, then applied in the engine, then confirmed.
///
/// A crash between any two steps leaves either no confirmed pause, or a file that restores the pause.
actor PauseController {
    private let file: PauseFile
    private let tracker: Tracker
    private let logger: Logger
    private let now: @Sendable () -> MachineTime
    private let signal = WakeSignal()
    private var kept: SavedPause?

    /// The interval at which the clocks are checked, because a clock may be corrected.
    static let interval = Duration.seconds(30)

    init(
        _ file: PauseFile, _ tracker: Tracker, logger: Logger,
        now: @escaping @Sendable () -> MachineTime = MachineTime.now
    ) {
        self.file = file
        self.tracker = tracker
        self.logger = logger
        self.now = now
    }

    /// Restores a pause of an earlier run; call it before the tracker runs.
    func restore() async {
        switch file.read() {
        case .none: return
        case .pause(let pause):
            kept = pause
            switch pause.rest(at: now()) {
            case .over: await tracker.endLeg()
            case .lasts(let rest): _ = await tracker.pause(for: rest, since: pause.begin.wall)
            case .untilResumed: _ = await tracker.pause(for: nil, since: pause.begin.wall)
            }
        case .unreadable(let problem):
            logger.error("the kept pause cannot be read: paused until resumed", metadata: ["reason": "\(problem)"])
            _ = await tracker.pause(for: nil, since: nil)
        }
    }

    /// Begins a pause, or changes the end of the present one.
    ///
    /// - Throws: if the pause cannot be saved; then it is unchanged.
    func pause(for length: Duration?) async throws(FileProblem) -> Pause {
        let pause = SavedPause(from: now(), for: length)
        try file.write(pause)
        let status = await tracker.pause(for: length)
        kept = pause
        signal.raise()
        return status
    }

    /// Ends a pause; returns whether there was one.
    ///
    /// - Throws: if the end cannot be saved; then the pause is unchanged.
    func resume() async throws(FileProblem) -> Bool {
        guard tracker.isPaused || kept != nil else { return false }
        var ended = kept ?? SavedPause(from: now(), for: nil)
        ended.isEnded = true
        try file.write(ended)
        kept = ended
        await end()
        return true
    }

    /// Ends the pause at its time, by the clock that counts, until cancelled.
    func run() async {
        while !Task.isCancelled {
            var wait: Duration?
            if let kept {
                let now = now()
                switch kept.rest(at: now) {
                case .over:
                    await end()
                    continue
                case .lasts(let rest): wait = min(rest, Self.interval)
                case .untilResumed: wait = Self.interval
                }
                correct(kept, at: now)
            }
            await signal.wait(for: wait, on: ContinuousClock())
        }
    }

    private func end() async {
        await tracker.resume()
        file.remove()
        kept = nil
    }

    /// Saves the beginning by a corrected clock: after another start of the machine, only the time of day shows how
    /// long ago the pause began.
    private func correct(_ pause: SavedPause, at now: MachineTime) {
        guard let corrected = pause.corrected(at: now) else { return }
        kept = corrected
        do { try file.write(corrected) } catch {
            logger.warning("the pause was not written again", metadata: ["reason": "\(error)"])
        }
    }
}
