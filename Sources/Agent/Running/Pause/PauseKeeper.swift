import Logging
import TrackEngine

/// Keeps the pause of a running agent: on the disk first, then in the engine, then it is confirmed.
///
/// A crash between any two steps leaves either no pause that was confirmed, or a file that brings the pause back.
actor PauseKeeper {
    private let file: PauseFile
    private let tracker: Tracker
    private let logger: Logger
    private let now: @Sendable () -> MachineTime
    private let signal = WakeSignal()
    private var kept: KeptPause?

    /// How often the clocks are looked at: one may be put right.
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

    /// Goes on with a pause of an earlier run; call it before the tracker runs.
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

    /// Begins a pause, or changes when the present one ends.
    ///
    /// - Throws: that it cannot be kept; then nothing has changed.
    func pause(for length: Duration?) async throws(FileProblem) -> Pause {
        let pause = KeptPause(from: now(), for: length)
        try file.write(pause)
        let status = await tracker.pause(for: length)
        kept = pause
        signal.raise()
        return status
    }

    /// Ends a pause; returns whether there was one.
    ///
    /// - Throws: that the end cannot be kept; then nothing has changed.
    func resume() async throws(FileProblem) -> Bool {
        guard tracker.isPaused || kept != nil else { return false }
        var ended = kept ?? KeptPause(from: now(), for: nil)
        ended.isEnded = true
        try file.write(ended)
        kept = ended
        await end()
        return true
    }

    /// Ends the pause at its time, by whichever clock says so, until cancelled.
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

    /// Writes the beginning by a clock that was put right: after another start of the machine nothing else tells how long ago
    /// it was.
    private func correct(_ pause: KeptPause, at now: MachineTime) {
        guard let corrected = pause.corrected(at: now) else { return }
        kept = corrected
        do { try file.write(corrected) } catch {
            logger.warning("the pause was not written again", metadata: ["reason": "\(error)"])
        }
    }
}
