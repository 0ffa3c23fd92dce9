internal import Logging

/// What a tracker's housekeeping remembers from one round to the next.
struct Housekeeping: Sendable {
    /// Why the last round failed, until one succeeds.
    var failure: String?
    /// Whether aged records are kept only because the clock is not confirmed; logged when it begins.
    var keepsAged = false
    var trust = ClockTrust()
}

extension Tracker {
    /// Prunes soon after something was settled, and hourly for what has grown too old.
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

    /// Removes what is delivered or beyond the limits, and says what was lost or withheld.
    func prune() async throws {
        let (now, isConfirmed) = retentionTime()
        let report = try await store.prune(now: now, isClockConfirmed: isConfirmed)
        if report.dropped > 0 {
            logger.warning("records dropped by a limit", metadata: ["count": "\(report.dropped)"])
            for drain in drains { await drain.refresh() }
        }
        if report.keepsAged && !housekeeping.keepsAged {
            logger.warning("aged records are kept until something confirms the clock", metadata: ["clock": "\(now)"])
        }
        housekeeping.keepsAged = report.keepsAged
    }

    /// The time by which records grow old, and whether it can be relied on: the machine's, or, where every source brings
    /// its own time, that of the newest fix, so that an old recording is not dropped before it is delivered.
    private func retentionTime() -> (now: Timestamp, isConfirmed: Bool) {
        guard !sources.isEmpty, sources.allSatisfy({ $0.timeBase == .fixTime }) else {
            let wall = wallClock()
            return (wall, housekeeping.trust.confirms(wall, at: watch.now, witnesses: witnesses))
        }
        // Before the first fix there is no time to rely on.
        guard let newest = lanes.compactMap(\.log.current.latest?.time).max() else { return (wallClock(), false) }
        return (newest, true)
    }

    /// What the live sources say about the clock. A source whose fixes have all been refused contradicts it: their time may
    /// be the reason.
    private var witnesses: [ClockTrust.Witness] {
        lanes.filter { $0.source.timeBase == .arrival }.map(\.log.current).compactMap { report in
            guard report.fixes > 0, let arrival = report.lastArrival else { return nil }
            return ClockTrust.Witness(
                fix: report.latest?.time ?? Timestamp(nanosecondsSince1970: .min), arrival: arrival)
        }
    }
}
