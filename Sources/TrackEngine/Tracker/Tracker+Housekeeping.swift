internal import Logging

/// The state of a tracker's housekeeping between its rounds.
struct Housekeeping: Sendable {
    /// The error of the last round, until one succeeds.
    var failure: String?
    /// Whether aged records are kept only because the clock is not confirmed; logged when that begins.
    var keepsAged = false
    var trust = ClockTrust()
}

extension Tracker {
    /// Prunes soon after records were settled, and hourly for records that have become too old.
    func runRetention() async {
        while !Task.isCancelled {
            await housekeepingSignal.wait(for: .seconds(3600), on: watch.clock)
            do {
                try await watch.clock.sleep(for: .seconds(5))  // one round for many settlements
                try await prune()
                housekeeping.failure = nil
            } catch is CancellationError {
                return
            } catch {
                housekeeping.failure = "\(error)"
            }
        }
    }

    /// Removes records that are delivered or beyond the limits, and logs dropped and retained records.
    func prune() async throws {
        let (now, isConfirmed) = retentionTime()
        let report = try await store.prune(now: now, isClockConfirmed: isConfirmed)
        if report.dropped > 0 {
            logger.warning("records dropped by a limit", metadata: ["count": "\(report.dropped)"])
            for delivery in deliveries { await delivery.refresh() }
        }
        if report.keepsAged && !housekeeping.keepsAged {
            logger.warning("aged records are kept until the clock is confirmed", metadata: ["clock": "\(now)"])
        }
        housekeeping.keepsAged = report.keepsAged
    }

    /// The time for the age of records, and whether it is reliable: the machine's time or, if every source brings its
    /// own time, the time of the newest fix. An old recording is then not dropped before it is delivered.
    private func retentionTime() -> (now: Timestamp, isConfirmed: Bool) {
        let sources = configuration.sources
        guard !sources.isEmpty, sources.allSatisfy({ $0.timeBase == .fixTime }) else {
            let wall = wallClock()
            return (wall, housekeeping.trust.confirms(wall, at: watch.now, witnesses: witnesses))
        }
        // Before the first fix there is no reliable time.
        guard let newest = processors.compactMap(\.log.current.latest?.time).max() else { return (wallClock(), false) }
        return (newest, true)
    }

    /// The live sources' evidence about the clock. A source whose fixes have all been rejected contradicts it: a wrong
    /// time may be the reason.
    private var witnesses: [ClockTrust.Reference] {
        processors.filter { $0.source.timeBase == .arrival }.map(\.log.current).compactMap { report in
            guard report.fixes > 0, let arrival = report.lastArrival else { return nil }
            return ClockTrust.Reference(
                fix: report.latest?.time ?? Timestamp(nanosecondsSince1970: .min), arrival: arrival)
        }
    }
}
