package import GPSDProtocol
package import TrackEngine

/// A connection to gpsd as a pure state machine, driven by reports and by time. It decides which requests to send and
/// which fixes and statuses to emit.
///
/// Times are durations since any fixed point in time on a monotonic clock.
package struct GPSDSession: Sendable {
    /// An action for the caller.
    package enum Action: Sendable, Hashable {
        /// Send a request.
        case send(Request)
        /// Emit a fix.
        case emit(Fix)
        /// Report the source's status, which may be the same as before.
        case status(SourceStatus)
        /// Report input that could not become a fix.
        case report(SourceProblem)
        /// gpsd has sent its version.
        case introduced(release: String, protocolVersion: String)
        /// Close the connection and try again; the text is the reason.
        case end(String)
    }

    /// A request to gpsd; each is within gpsd's bound of 80 bytes.
    package enum Request: String, Sendable, Hashable {
        /// Start streaming; gpsd answers DEVICES and WATCH, and powers its receivers up.
        case watch = "?WATCH={\"enable\":true,\"json\":true};\n"
        /// Stop streaming; when no client watches, gpsd (without `-n`) closes its receivers.
        case unwatch = "?WATCH={\"enable\":false};\n"
    }

    /// The consequence of losing the connection now.
    package enum Outcome: Sendable, Hashable {
        /// The source has no gpsd.
        case outage
        /// No fix is missing before this time: the source sleeps between two fixes. gpsd itself closes a connection
        /// that does not watch after a quarter of an hour.
        case harmless(until: Duration)
    }

    private enum State {
        /// The request to watch has been sent. The first valid report leads to `watching`; the deadline ends the
        /// connection.
        case asking(deadline: Duration)
        /// gpsd streams. Silence until the deadline leads back to `asking`: the request is repeated, and a running
        /// daemon answers it even if its receiver is silent or absent.
        case watching(silentAt: Duration)
        /// Not watching, because a fix has been received. The end of the interval, or continuous demand, leads to
        /// `asking`.
        case asleep(since: Duration, interval: Duration)
    }

    private let configuration: GPSDSource.Configuration
    private var state: State
    private var demand: FixDemand
    private var devices = DeviceTable()
    private var choice: DeviceChoice
    private var merger = EpochMerger()
    private var lastFix: Duration?
    /// Whether gpsd has sent a readable report on this connection.
    package private(set) var hasSpoken = false

    /// Creates the session for a new connection; begin with ``opening``.
    package init(_ configuration: GPSDSource.Configuration, demand: FixDemand, at now: Duration) {
        self.configuration = configuration
        self.demand = demand
        choice = DeviceChoice(device: configuration.device, patience: configuration.silenceTimeout)
        state = .asking(deadline: now + configuration.answerTimeout)
    }

    /// The paths of gpsd's receivers, up to the newest 64.
    package var receivers: [String] { devices.paths }

    /// The first actions.
    package var opening: [Action] { [.send(.watch)] }

    /// The time at which ``timeout(at:)`` must be called unless there is an event before.
    package var deadline: Duration {
        let own =
            switch state {
            case .asking(let deadline): deadline
            case .watching(let silentAt): silentAt
            case .asleep(let since, let interval): since + interval
            }
        return min(own, merger.deadline ?? own)
    }

    /// The consequence of losing the connection now.
    package var loss: Outcome {
        switch state {
        case .asking, .watching: .outage
        case .asleep(let since, let interval): .harmless(until: since + interval)
        }
    }
}

// MARK: - Events

extension GPSDSession {
    /// Handles a report from gpsd.
    package mutating func received(_ report: Report, at now: Duration) -> [Action] {
        hasSpoken = true
        hear(at: now)
        switch report {
        case .version(let release, let protocolVersion):
            return [.introduced(release: release, protocolVersion: protocolVersion)]
        case .devices(let paths):
            for gone in devices.replaceAll(with: paths) { choice.remove(gone) }
            return receiversChanged(at: now)
        case .device(let path, isActive: true):
            devices.insert(path)
            return receiversChanged(at: now)
        case .device(let path, isActive: false):
            choice.remove(path)
            devices.remove(path)
            return receiversChanged(at: now)
        case .position(let position):
            return received(position, at: now)
        case .sky(let sky):
            guard choice.isCandidate(sky.device) else { return [] }
            return settle(merger.add(sky, at: now), at: now)
        case .error(let message):
            return [.report(SourceProblem(.malformed, "gpsd answered with an error: \(message)"))]
        case .watch, .poll, .other:  // the source never requests a POLL
            return []
        }
    }

    /// Handles a change of the tracker's demand.
    package mutating func demand(_ wanted: FixDemand, at now: Duration) -> [Action] {
        demand = wanted
        switch (state, wanted) {
        case (.asleep, .continuous): return ask(at: now)
        case (.asleep(let since, _), .occasional(let interval)):
            state = .asleep(since: since, interval: interval)
            return timeout(at: now)
        case (.asking, _), (.watching, _): return []
        }
    }

    /// Handles the passage of time: performs all actions that are due at `now`.
    package mutating func timeout(at now: Duration) -> [Action] {
        let actions = settle(merger.timeout(at: now), at: now)
        switch state {
        case .asking(let deadline) where deadline <= now:
            return actions + [.end(hasSpoken ? "gpsd no longer answers" : "the server there is not gpsd")]
        case .watching(let silentAt) where silentAt <= now:
            state = .asking(deadline: now + configuration.answerTimeout)
            return actions + [.status(.waiting(reason: silence)), .send(.watch)]
        case .asleep(let since, let interval) where since + interval <= now:
            return actions + ask(at: now)
        case .asking, .watching, .asleep:
            return actions
        }
    }

    /// Ends the session and emits the epoch that was still open.
    package mutating func lastWords(at now: Duration) -> [Action] {
        settle(merger.flush(), at: now)
    }
}

// MARK: - Details

extension GPSDSession {
    private mutating func hear(at now: Duration) {
        switch state {
        case .asking, .watching: state = .watching(silentAt: now + configuration.silenceTimeout)
        case .asleep: break
        }
    }

    private mutating func ask(at now: Duration) -> [Action] {
        state = .asking(deadline: now + configuration.answerTimeout)
        return [.status(.waiting(reason: "looking for a fix")), .send(.watch)]
    }

    private mutating func received(_ report: PositionReport, at now: Duration) -> [Action] {
        guard case .watching = state else { return [] }  // the rest of a stream that was just stopped
        guard choice.takes(report, at: now) else {
            guard let path = choice.configured, isWithoutFix(at: now) else { return [] }
            return [
                .status(.waiting(reason: "no reports from \(path); gpsd has \(report.device ?? "another receiver")"))
            ]
        }
        return settle(merger.add(report, at: now), at: now)
    }

    /// Converts the end of an epoch, if one has ended, into actions.
    private mutating func settle(_ outcome: EpochMerger.Outcome?, at now: Duration) -> [Action] {
        switch outcome {
        case nil: return []
        case .fix(let fix):
            lastFix = now
            switch demand {
            case .continuous:
                return [.status(.receiving), .emit(fix)]
            case .occasional(let interval):
                state = .asleep(since: now, interval: interval)
                merger.discard()
                return [.emit(fix), .send(.unwatch), .status(.sleeping)]
            }
        case .noFix:
            return isWithoutFix(at: now) ? [.status(.waiting(reason: "no fix yet"))] : []
        case .timeless:
            return [.report(SourceProblem(.incomplete, "expected a time with the position"))]
        }
    }

    /// Handles a change of the receivers: reports a missing receiver, unless fixes arrive.
    private func receiversChanged(at now: Duration) -> [Action] {
        switch state {
        case .asleep: return []
        case .asking, .watching: break
        }
        if devices.isEmpty { return [.status(.waiting(reason: "no receiver attached"))] }
        return isWithoutFix(at: now) ? [.status(.waiting(reason: "no fix yet"))] : []
    }

    /// Single reports without a fix are normal; only several seconds without a fix change the status.
    private func isWithoutFix(at now: Duration) -> Bool {
        guard let lastFix else { return true }
        return now - lastFix > .seconds(5)
    }

    private var silence: String {
        devices.isEmpty ? "no receiver attached" : "the receiver is silent"
    }
}
