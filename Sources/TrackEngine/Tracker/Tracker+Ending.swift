internal import Logging

/// The run under way, and who waits for it.
struct RunUnderWay: Sendable {
    let number: Int
    let work: Task<Void, Never>
    /// Where the caller of ``Tracker/run(until:)`` waits.
    let end: CheckedContinuation<Void, any Error>
    /// Gives the run up when it does not end; there is one once the run has been told to end.
    var limit: Task<Void, Never>?
}

/// Ending a run, also one whose store does not return from a call.
extension Tracker {
    /// The end of a graceful stop: at most half of its time for what is undecided, the rest for the sinks.
    func decideAndFlush() async {
        let begin = watch.now
        let limit = configuration.flushTimeout
        await withTaskGroup(of: Void.self) { group in
            for lane in lanes {
                group.addTask { await lane.decideAll(before: begin.advanced(by: limit / 2), isLast: true) }
            }
        }
        await flush(within: watch.remaining(until: begin.advanced(by: limit)))
    }

    private func flush(within limit: Duration) async {
        let drains = drains
        let clock = watch.clock
        await withTaskGroup(of: Bool.self) { race in
            race.addTask {
                await withTaskGroup(of: Void.self) { flushes in
                    for drain in drains { flushes.addTask { await drain.flush() } }
                }
                return true
            }
            race.addTask {
                try? await clock.sleep(for: limit)  // cancelled when all sinks were done sooner
                return false
            }
            if await race.next() == false { for drain in drains { await drain.abandonFlush() } }
            race.cancelAll()
        }
    }

    /// Lets every source but recordings begin afresh in the next run. A store that cannot do it now does not keep a stop
    /// from ending.
    func forgetPipelines() async {
        do {
            try await store.forgetCheckpoints(butOf: Set(sources.filter { $0 is any RecordedSource }.map(\.id)))
            try await prune()
        } catch {
            logger.warning("the store does not know of the stop", metadata: ["error": "\(error)"])
            hub.storeFailed("\(error)")
        }
    }

    // MARK: Giving up

    /// How much longer than `flushTimeout` a run that was told to end may take. A store on slow storage needs some of it to
    /// prune; a call that takes longer does not return at all.
    static let endPatience = Duration.seconds(10)

    /// The work of a run has ended.
    func runEnded(_ number: Int, _ result: Result<Void, any Error>) {
        guard let run = underWay, run.number == number else { return life.ended() }  // it was given up
        underWay = nil
        run.limit?.cancel()
        finish()
        run.end.resume(with: result)
    }

    /// Gives a run so much time from now on to end. A run that has ended already is none of its business.
    func limitEnd(of number: Int) {
        guard underWay?.number == number, underWay?.limit == nil else { return }
        let patience = configuration.flushTimeout + Self.endPatience
        underWay?.limit = Task { [watch] in  // not a child: the run that it limits does not end
            do { try await watch.clock.sleep(for: patience) } catch { return }
            await giveUp(number, after: patience)
        }
    }

    private func giveUp(_ number: Int, after patience: Duration) async {
        var unsure = 0
        for lane in lanes { unsure += await lane.storing }
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
