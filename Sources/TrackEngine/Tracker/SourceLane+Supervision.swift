internal import Logging

extension SourceLane {
    /// Runs the source until it is finished or the task is cancelled. After an error it starts the source again with a
    /// growing wait.
    func supervise() async {
        let backoff = Backoff(maximum: .seconds(60))
        var tried = 0
        while !Task.isCancelled {
            let before = log.current.fixes
            do {
                try await runSource()
                guard !Task.isCancelled else { return }
                await decideAll(endsRecording: isRecording)
                log.set(.finished)
                return
            } catch {
                if Task.isCancelled { return }
                tried = log.current.fixes > before ? 1 : tried + 1
                let wait = backoff.wait(tried: tried)
                log.set(.unavailable(reason: "\(error); trying again in \(wait.inWords)"))
                do { try await pause(wait) } catch { return }
            }
        }
    }

    /// The position in a recording up to which the store has records.
    enum RecordingProgress {
        /// No records, or the source is no recording.
        case none
        /// The last record of an earlier run, of this or another recording. To `taken` or `none`.
        case stored(SourceCheckpoint)
        /// The last record of this recording.
        case taken(Fix)
    }

    /// Runs the source once: a recording from its last record in the store, any other source from the start.
    private func runSource() async throws {
        guard let recording = source as? any RecordedSource else { return try await source.run(output) }
        if case .stored(let checkpoint) = progress {
            if try await recording.holds(checkpoint.last.fix) {
                takeUp(checkpoint)
                progress = .taken(checkpoint.last.fix)
                environment.logger.info("goes on after the last record", metadata: ["source": "\(source.id)"])
            } else {
                progress = .none
            }
        }
        guard case .taken(let fix) = progress, try await recording.holds(fix) else {
            beginDetection()
            return try await recording.run(output)
        }
        try await recording.run(output, after: fix)
    }
}
