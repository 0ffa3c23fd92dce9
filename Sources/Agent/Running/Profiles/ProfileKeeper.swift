package import Logging
package import TrackEngine

/// Has the tracker record as the profiles want it. It alone puts together what the configuration says, whoever changed that, and
/// the profile that holds.
///
/// It looks when something has changed by which profiles are decided, at the moments that the schedule names, and while there is
/// a schedule every 30 seconds: the clock may be set. Without rules it sleeps.
package actor ProfileKeeper {
    /// How often the clock is looked at while there is a schedule.
    package static let interval = Duration.seconds(30)

    private let tracker: Tracker
    private let battery: BatteryGauge
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    /// Keeps which rules on the battery hold; absent where nothing is kept.
    private let file: PowerFile?
    /// What it holds.
    private var keptLow: Set<Int> = []
    private let gate = ProfileGate()
    private var tracking: RecordingConfiguration
    private var profiles: ProfileSettings
    private var resolver: ProfileResolver
    /// What the tracker records by.
    private var applied: RecordingConfiguration
    /// Whether the tracker could not be told.
    private var isBehind = false
    /// One change at a time: the tracker is told in the order in which it was decided.
    private var turns = TurnQueue<CheckedContinuation<Void, Never>>()
    private let shown = PthreadMutex<ProfileStanding?>(nil)

    /// A keeper for a tracker that was made with the configuration's `tracking`.
    package init(
        _ configuration: AgentConfiguration, _ tracker: Tracker, _ battery: BatteryGauge, _ file: PowerFile? = nil,
        logger: Logger, clock: some Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) {
        (self.tracker, self.battery, self.logger, self.clock, self.now) = (tracker, battery, logger, clock, now)
        self.file = file
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        (tracking, profiles, applied) = (configuration.tracking, configuration.profiles, configuration.tracking)
        resolver = ProfileResolver(configuration.profiles, places: configuration.events.places)
        gate.set(
            offPlaces: resolver.offPlaces, zones: configuration.events.offZones, watchesClock: resolver.hasSchedule)
    }

    /// What holds, for whoever looks; `nil` without rules.
    package nonisolated var standing: ProfileStanding? { shown.withLock { $0 } }

    /// Decides for the first time; call it before the tracker runs.
    package func begin() async {
        gate.onPreparation { [weak self] in await self?.look() }
        battery.onChange { [signal = gate.signal] in signal.raise() }
        await tracker.use(gate)
        if let file, !profiles.power.isEmpty {
            keptLow = file.read()
            resolver.goOn(from: keptLow)
        }
        if !profiles.power.isEmpty { await battery.look() }
        await look()
    }

    /// Keeps the tracker as the rules want it, until cancelled.
    package func run() async {
        while !Task.isCancelled {
            await gate.signal.wait(for: untilNextLook, on: clock)
            guard !Task.isCancelled else { return }
            await look()
        }
    }

    private var untilNextLook: Duration? {
        guard resolver.hasSchedule || isBehind else { return nil }
        // A little later than needed: a moment too early would be looked at twice.
        let next = standing?.resolution.next.map { max(.zero, $0.duration(since: now())) + .milliseconds(20) }
        return min(next ?? Self.interval, Self.interval)
    }

    // MARK: Changes

    /// Has another configuration hold, with the rules in it: what it says of tracking, the store and the sinks' rhythm.
    ///
    /// - Throws: what ``/TrackEngine/Tracker/reconfigure(_:retention:sync:)`` does; then nothing has changed.
    package func apply(_ new: AgentConfiguration) async throws {
        await takeTurn()
        defer { leaveTurn() }
        var next = ProfileResolver(new.profiles, places: new.events.places)
        next.goOn(from: resolver)
        if !new.profiles.power.isEmpty { await battery.look() }
        let resolution = next.resolve(inputs)
        let wanted = new.profiles.configuration(of: resolution.profile, new.tracking)
        // First: where nothing may be recorded any more, a new rule of recording must not decide about the fixes of before.
        let before = resolver
        resolver = next
        setGate(new.events)
        await tracker.gateChanged()
        do {
            try await reconfigure(wanted, new)
        } catch {
            resolver = before  // the places of the gate hold until the next configuration: less is recorded, not more
            throw error
        }
        (tracking, profiles, applied) = (new.tracking, new.profiles, wanted)
        await hold(resolution)
        await tracker.gateChanged()
        gate.signal.raise()  // whoever waits does so by the rules of before
    }

    private func reconfigure(_ wanted: RecordingConfiguration, _ new: AgentConfiguration) async throws {
        try await tracker.reconfigure(
            wanted, retention: new.store.retention,
            sync: Dictionary(new.sinks.map { ($0.name, $0.sync) }) { first, _ in first })
    }

    /// Decides by what is known now.
    private func look() async {
        await takeTurn()
        defer { leaveTurn() }
        await hold(resolver.resolve(inputs))
    }

    private var inputs: ProfileResolver.Inputs {
        let (time, known) = (now(), gate.known)
        return ProfileResolver.Inputs(
            time: time, isClockTrusted: gate.trusts(time, elapsed: elapsed()), host: battery.current,
            places: known.places, trip: known.trip, isNearOff: known.isNearOff)
    }

    private func setGate(_ events: EventSettings) {
        gate.set(offPlaces: resolver.offPlaces, zones: events.offZones, watchesClock: resolver.hasSchedule)
    }

    private func hold(_ resolution: ProfileResolution) async {
        // Before anything else: nothing is to be recorded that must not be.
        let (wasClosed, isClosed) = (gate.isClosed, resolution.closesTracking)
        gate.set(isClosed: isClosed)
        let wanted = profiles.configuration(of: resolution.profile, tracking)
        if wanted != applied {
            do {
                try await tracker.reconfigure(wanted)
                (applied, isBehind) = (wanted, false)
            } catch {
                if !isBehind {
                    logger.error("tracking cannot be changed; it is tried again", metadata: ["error": "\(error)"])
                }
                isBehind = true
            }
        }
        if isClosed != wasClosed { await tracker.gateChanged() }
        keepPower()
        tell(resolution)
    }

    /// Keeps which rules on the battery hold, when that has changed: some times a day.
    private func keepPower() {
        guard let file, resolver.low != keptLow else { return }
        keptLow = resolver.low
        do throws(FileProblem) { try file.write(keptLow) } catch {
            logger.warning("the rules on the battery are not kept for a restart", metadata: ["error": "\(error)"])
        }
    }

    private func tell(_ resolution: ProfileResolution) {
        let before = standing
        guard resolver.hasRules else {
            shown.withLock { $0 = nil }
            if before != nil { logger.notice("tracking is as configured: there are no rules any more") }
            return
        }
        let isSame = before?.resolution.isSameRule(as: resolution) == true
        let since = isSame ? before?.since ?? now() : now()
        shown.withLock { $0 = ProfileStanding(resolution: resolution, since: since) }
        guard !isSame else { return }
        var facts: Logger.Metadata = [
            "profile": "\(resolution.profile.rawValue)", "because": "\(resolution.reason.words)",
        ]
        if let before { facts["before"] = "\(before.resolution.profile.rawValue)" }
        logger.notice("another tracking profile holds", metadata: facts)
    }

    // MARK: Turns

    private func takeTurn() async {
        if !turns.take() { await withCheckedContinuation { turns.wait($0) } }
    }

    private func leaveTurn() { turns.leave()?.resume() }
}

extension ProfileResolution {
    /// Whether nothing of a live source is recorded, wherever it is. At places the lanes decide.
    fileprivate var closesTracking: Bool {
        guard profile == .off else { return false }
        if case .place = reason { return false }
        return true
    }
}
