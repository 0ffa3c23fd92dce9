/// The rules about the positions of one source: pause, off, privacy zones and overrides. Constant for a run; the values
/// behind them may change at any moment.
package struct PositionRules: Sendable {
    /// Whether the source's fixes show the object's present position. Those of a recording are of another time: they
    /// wait in a pause, and neither a closed gate nor a known position applies to them.
    let isLive: Bool
    let pauses: PauseState
    /// Decides whether positions may be recorded.
    let gate: (any RecordingGate)?
    /// Hides true positions from the engine.
    let privacyFilter: (any PrivacyFilter)?
    /// Overrides the fixes of live sources with a known position.
    let positionOverride: (any PositionOverride)?
    /// Whether each of these is there: asked for every fix, and a comparison with `nil` would copy it.
    let hasGate: Bool
    let hasPrivacyFilter: Bool
    private let hasOverride: Bool

    package init(
        isLive: Bool, pauses: PauseState, gate: (any RecordingGate)? = nil, privacyFilter: (any PrivacyFilter)? = nil,
        positionOverride: (any PositionOverride)? = nil
    ) {
        (self.isLive, self.pauses) = (isLive, pauses)
        (self.gate, self.privacyFilter, self.positionOverride) = (gate, privacyFilter, positionOverride)
        (hasGate, hasPrivacyFilter, hasOverride) = (gate != nil, privacyFilter != nil, positionOverride != nil)
    }

    /// Whether a pause stops recording at this moment.
    var isPaused: Bool { isLive && pauses.isClosed }

    /// Whether recording is off everywhere at this moment.
    var isOff: Bool { isLive && gate?.isClosed == true }

    /// Whether recording is stopped at this moment.
    var isStopped: Bool { isPaused || isOff }

    /// Whether any position may be hidden or excluded from recording, now or later.
    var canHide: Bool { hasPrivacyFilter || hasGate }

    /// Whether positions may be hidden or excluded from recording at this moment.
    var mayHide: Bool { hidesAnything || gate?.dependsOnPlaces == true }

    /// Whether positions may be hidden at this moment.
    var hidesAnything: Bool { privacyFilter?.hidesAnything == true }

    /// Identifies the hidden areas.
    var signature: UInt64 { privacyFilter?.signature ?? 0 }

    /// Whether a position, or part of it, is hidden at this moment.
    func hides(_ fix: Fix) -> Bool { covered(fix) != fix }

    /// The number of legs that pauses have ended.
    var endedLegs: Int { pauses.count }

    /// Returns the conditions for fixes that arrived together. In a pause, the gate is not asked.
    package func conditions(for received: ReceivedBatch) -> PositionPolicy.Context {
        let isPaused = isPaused
        return PositionPolicy.Context(
            isPaused: isPaused, isOff: !isPaused && isOff(at: received),
            position: isLive && hasOverride ? positionOverride?.position : nil,
            dependsOnPlaces: hasGate && gate?.dependsOnPlaces == true)
    }

    /// Returns the form of a fix in which no hidden position is left, or `nil` if there is none.
    func covered(_ fix: Fix) -> Fix? {
        guard let privacyFilter else { return fix }
        return privacyFilter.covered(fix)
    }

    private func isOff(at received: ReceivedBatch) -> Bool {
        guard isLive, hasGate, let gate, let newest = received.last else { return false }
        return gate.isClosed(at: newest)
    }

    /// Whether recording is allowed at a fix or, without one, at an unknown position.
    func admits(_ fix: Fix?, _ context: RecordContext?) -> Bool {
        guard let gate, gate.dependsOnPlaces else { return true }
        return gate.admits(fix, context)
    }

    /// Whether an event may be recorded. None is of a place where recording is off: it would name the place, with its
    /// centre.
    func admits(_ event: DetectorEvent) -> Bool {
        guard case .transition(let transition) = event.content else { return true }
        return admits(nil, RecordContext(places: [transition.place]))
    }
}
