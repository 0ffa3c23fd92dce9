package import Logging
package import TrackEngine
import TrackEngineSettings

/// Makes the tracker record as the profiles require. It is the only part that combines the configuration, from any
/// origin, with the profile in force.
///
/// It decides again when an input has changed, at the times of the schedule, and every 30 seconds while there is a
/// schedule, because the clock may be set. Without rules it sleeps.
package actor ProfileController {
    /// The interval at which the clock is checked while there is a schedule.
    package static let interval = Duration.seconds(30)

    private let tracker: Tracker
    private let battery: BatteryReader
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    /// The file of the battery rules in force; absent if they are not saved.
    private let file: PowerFile?
    /// The content of the file.
    private var keptLow: Set<Int> = []
    private let gate = ProfileGate()
    private var tracking: RecordingConfiguration
    private var profiles: ProfileSettings
    private var resolver: ProfileResolver
    /// The configuration that the tracker uses.
    private var applied: RecordingConfiguration
    /// Whether the last change of the tracker failed.
    private var isBehind = false
    /// Serializes changes: the tracker receives them in the order of the decisions.
    private var turns = TurnQueue<CheckedContinuation<Void, Never>>()
    private let shown = SystemMutex<ProfileStatus?>(nil)

    /// Makes a keeper for a tracker that was made with the configuration's `tracking`.
    package init(
        _ configuration: AgentConfiguration, _ tracker: Tracker, _ battery: BatteryReader, _ file: PowerFile? = nil,
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

    /// The profile in force, for observers; `nil` without rules.
    package nonisolated var standing: ProfileStatus? { shown.withLock { $0 } }

    /// Makes the first decision; call it before the tracker runs.
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

    /// Adapts the tracker to the rules, until cancelled.
    package func run() async {
        while !Task.isCancelled {
            await gate.signal.wait(for: untilNextLook, on: clock)
            guard !Task.isCancelled else { return }
            await look()
        }
    }

    private var untilNextLook: Duration? {
        guard resolver.hasSchedule || isBehind else { return nil }
        // Slightly later than needed: a moment too early would cause a second look.
        let next = standing?.resolution.next.map { max(.zero, $0.duration(since: now())) + .milliseconds(20) }
        return min(next ?? Self.interval, Self.interval)
    }

    // MARK: Changes

    /// Applies another configuration with its rules: tracking, the store's retention and the sinks' sync schedules.
    ///
    /// - Throws: the errors of ``/TrackEngine/Tracker/reconfigure(_:retention:sync:)``; then the configuration is
    ///   unchanged.
    package func apply(_ new: AgentConfiguration) async throws {
        await takeTurn()
        defer { leaveTurn() }
        var next = ProfileResolver(new.profiles, places: new.events.places)
        next.goOn(from: resolver)
        if !new.profiles.power.isEmpty { await battery.look() }
        let resolution = next.resolve(inputs)
        let wanted = new.profiles.configuration(of: resolution.profile, new.tracking)
        // First: where recording is now off, a new recording rule must not decide about earlier fixes.
        let before = resolver
        resolver = next
        setGate(new.events)
        await tracker.gateChanged()
        do {
            try await reconfigure(wanted, new)
        } catch {
            resolver = before  // the gate keeps the new places until the next configuration: it records less, not more
            throw error
        }
        (tracking, profiles, applied) = (new.tracking, new.profiles, wanted)
        await hold(resolution)
        await tracker.gateChanged()
        gate.signal.raise()  // the loop in run() still waits by the previous rules
    }

    private func reconfigure(_ wanted: RecordingConfiguration, _ new: AgentConfiguration) async throws {
        try await tracker.reconfigure(
            wanted, retention: new.store.retention,
            sync: Dictionary(new.sinks.map { ($0.name, $0.sync) }) { first, _ in first })
    }

    /// Decides by the present inputs.
    private func look() async {
        await takeTurn()
        defer { leaveTurn() }
        await hold(resolver.resolve(inputs))
    }

    private var inputs: ProfileResolver.Input {
        let (time, known) = (now(), gate.known)
        return ProfileResolver.Input(
            time: time, isClockTrusted: gate.trusts(time, elapsed: elapsed()), host: battery.current,
            places: known.places, trip: known.trip, isNearOff: known.isNearOff)
    }

    private func setGate(_ events: EventSettings) {
        gate.set(offPlaces: resolver.offPlaces, zones: events.offZones, watchesClock: resolver.hasSchedule)
    }

    private func hold(_ resolution: ProfileChoice) async {
        // The gate first: no fix may be recorded that must not be.
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

    /// Saves the battery rules in force if they have changed: a few times a day.
    private func keepPower() {
        guard let file, resolver.low != keptLow else { return }
        keptLow = resolver.low
        do throws(FileProblem) { try file.write(keptLow) } catch {
            logger.warning("the rules on the battery are not kept for a restart", metadata: ["error": "\(error)"])
        }
    }

    private func tell(_ resolution: ProfileChoice) {
        let before = standing
        guard resolver.hasRules else {
            shown.withLock { $0 = nil }
            if before != nil { logger.notice("tracking is as configured: there are no rules any more") }
            return
        }
        let isSame = before?.resolution.isSameRule(as: resolution) == true
        let since = isSame ? before?.since ?? now() : now()
        shown.withLock { $0 = ProfileStatus(resolution: resolution, since: since) }
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

extension ProfileChoice {
    /// Whether no fix of a live source is recorded, at any place. For rules about places, the sources decide.
    fileprivate var closesTracking: Bool {
        guard profile == .off else { return false }
        if case .place = reason { return false }
        return true
    }
}
