internal import Logging

/// Runs a source for a lane.
struct SourceLoop: Sendable {
    let lane: SourceProcessor

    /// Runs the source until it is finished or the task is cancelled. After an error it starts the source again with a
    /// growing wait.
    func run() async {
        let (log, backoff) = (lane.log, Backoff(maximum: .seconds(60)))
        var tried = 0
        while !Task.isCancelled {
            let before = log.current.fixes
            do {
                try await runOnce()
                guard !Task.isCancelled else { return }
                await lane.perform(lane.isRecording ? .endRecording : .decideAll)
                log.set(.finished)
                return
            } catch {
                if Task.isCancelled { return }
                tried = log.current.fixes > before ? 1 : tried + 1
                let wait = backoff.wait(tried: tried)
                log.set(.unavailable(reason: "\(error); trying again in \(wait.inWords)"))
                do { try await lane.environment.watch.clock.sleep(for: wait) } catch { return }
            }
        }
    }

    /// Runs the source once: a recording from its last record in the store, any other source from the start.
    private func runOnce() async throws {
        guard let recording = lane.source as? any RecordedSource else { return try await lane.source.run(lane.output) }
        if case .stored(let checkpoint) = await lane.saved.progress, try await recording.holds(checkpoint.last.fix) {
            await lane.takeUpEarlierRun()
            lane.environment.logger.info(
                "goes on after the last record", metadata: ["source": "\(lane.source.id)"])
        }
        guard case .taken(let fix) = await lane.saved.progress, try await recording.holds(fix) else {
            await lane.beginRecording()
            return try await recording.run(lane.output)
        }
        try await recording.run(lane.output, after: fix)
    }
}
