internal import Logging

/// The run under way and its waiting caller.
struct CurrentRun: Sendable {
    let number: Int
    let work: Task<Void, Never>
    /// The suspended caller of ``Tracker/run(until:)``.
    let end: CheckedContinuation<Void, any Error>
    /// Gives the run up if it does not end; set once the run has to end.
    var limit: Task<Void, Never>?
}

/// Ending a run, including one whose store does not return from a call.
extension Tracker {
    /// Ends a run gracefully: at most half of the time for undecided fixes, the rest for the sinks.
    func decideAndFlush() async {
        let begin = watch.now
        let limit = configuration.recording.flushTimeout
        await withTaskGroup(of: Void.self) { group in
            for processor in processors {
                group.addTask { await processor.perform(.endRun, before: begin.advanced(by: limit / 2)) }
            }
        }
        await flush(within: watch.remaining(until: begin.advanced(by: limit)))
    }

    private func flush(within limit: Duration) async {
        let deliveries = deliveries
        let clock = watch.clock
        await withTaskGroup(of: Bool.self) { race in
            race.addTask {
                await withTaskGroup(of: Void.self) { flushes in
                    for delivery in deliveries { flushes.addTask { await delivery.flush() } }
                }
                return true
            }
            race.addTask {
                try? await clock.sleep(for: limit)  // cancelled when all sinks finished earlier
                return false
            }
            if await race.next() == false { for delivery in deliveries { await delivery.abandonFlush() } }
            race.cancelAll()
        }
    }

    /// Makes every source but recordings begin afresh in the next run. An error of the store does not keep a stop from
    /// ending.
    func forgetPipelines() async {
        do {
            let recordings = configuration.sources.filter { $0 is any RecordedSource }
            try await store.forgetCheckpoints(butOf: Set(recordings.map(\.id)))
            try await prune()
        } catch {
            logger.warning("the store does not know of the stop", metadata: ["error": "\(error)"])
            publisher.storeFailed("\(error)")
        }
    }

    // MARK: Giving up

    /// The time beyond `flushTimeout` that an ending run may take. A store on slow storage needs some of it to prune; a
    /// call that takes longer is taken as one that never returns.
    static let endPatience = Duration.seconds(10)

    /// Handles the end of a run's work.
    func runEnded(_ number: Int, _ result: Result<Void, any Error>) {
        guard let run = underWay, run.number == number else { return life.ended() }  // it was given up
        underWay = nil
        run.limit?.cancel()
        finish()
        run.end.resume(with: result)
    }

    /// Limits the time that a run may take to end from now on. Has no effect on a run that has ended.
    func limitEnd(of number: Int) {
        guard underWay?.number == number, underWay?.limit == nil else { return }
        let patience = configuration.recording.flushTimeout + Self.endPatience
        underWay?.limit = Task { [watch] in  // not a child: the run that it limits does not end
            do { try await watch.clock.sleep(for: patience) } catch { return }
            await giveUp(number, after: patience)
        }
    }

    private func giveUp(_ number: Int, after patience: Duration) async {
        var unsure = 0
        for processor in processors { unsure += processor.writer.storing }
        guard let run = underWay, run.number == number, life.giveUp() else { return }
        underWay = nil
        run.work.cancel()
        logger.error(
            "the store or a source did not return, the run is left",
            metadata: ["seconds": "\(patience.components.seconds)", "not known to be kept": "\(unsure)"])
        finish()
        run.end.resume()
    }
}
