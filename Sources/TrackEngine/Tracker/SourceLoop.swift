internal import Logging

/// Runs a source for its processor.
struct SourceLoop: Sendable {
    let processor: SourceProcessor

    /// Runs the source until it is finished or the task is cancelled. After an error it starts the source again with a
    /// growing wait.
    func run() async {
        let (log, backoff) = (processor.log, Backoff(maximum: .seconds(60)))
        var tried = 0
        while !Task.isCancelled {
            let before = log.current.fixes
            do {
                try await runOnce()
                guard !Task.isCancelled else { return }
                await processor.perform(processor.environment.isRecording ? .endRecording : .decideAll)
                log.set(.finished)
                return
            } catch {
                if Task.isCancelled { return }
                tried = log.current.fixes > before ? 1 : tried + 1
                let wait = backoff.wait(tried: tried)
                log.set(.unavailable(reason: "\(error); trying again in \(wait.inWords)"))
                do { try await processor.environment.watch.clock.sleep(for: wait) } catch { return }
            }
        }
    }

    /// Runs the source once: a recording from its last record in the store, any other source from the start.
    private func runOnce() async throws {
        let (source, environment) = (processor.source, processor.environment)
        guard let recording = source as? any RecordedSource else { return try await source.run(processor.output) }
        if case .stored(let checkpoint) = await processor.progress, try await recording.holds(checkpoint.last.fix) {
            await processor.adapt { $0.takeUpEarlierRun(environment) }
            environment.logger.info("goes on after the last record", metadata: ["source": "\(source.id)"])
        }
        guard case .taken(let fix) = await processor.progress, try await recording.holds(fix) else {
            await processor.adapt { $0.beginRecording(environment) }
            return try await recording.run(processor.output)
        }
        try await recording.run(processor.output, after: fix)
    }
}
