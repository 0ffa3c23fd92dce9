import Synchronization
import TrackEngine
import TrackEnginePlaces

/// The exchange between the tracker's sources and the profiles: whether they may record, and where the object is.
///
/// A source processor decides, together with the fix, whether the fix may be recorded at a place. All other decisions belong to
/// the ``ProfileController``, which the gate wakes.
final class ProfileGate: RecordingGate {
    private struct State {
        /// The ids of places where recording is off.
        var offPlaces: Set<String> = []
        /// The same places as zones. A fix that may lie in one is not recorded, even if the object has not certainly
        /// entered it.
        var zones: PrivacyZones?
        /// Whether the newest fix may lie in such a zone although the object has not certainly entered it.
        var isNearOff = false
        var contexts: [SourceID: RecordContext] = [:]
        var witness = ClockCheck()
        var preparation: (@Sendable () async -> Void)?
    }

    private let state = Mutex(State())
    private let closed = Atomic(false)
    private let watchesPlaces = Atomic(false)
    private let watchesClock = Atomic(false)
    /// Raised when an input of the profiles has changed.
    let signal = WakeSignal()

    // MARK: For source processors

    var isClosed: Bool { closed.load(ordering: .acquiring) }

    func isClosed(at newest: ReceivedFix) -> Bool {
        if watchesClock.load(ordering: .relaxed) {
            let isNews = state.withLock { $0.witness.note(newest.fix.time, arrival: newest.wallClock) }
            if isNews { signal.raise() }
        }
        return isClosed
    }

    var dependsOnPlaces: Bool { watchesPlaces.load(ordering: .acquiring) }

    func admits(_ fix: Fix?, _ context: RecordContext?) -> Bool {
        let (isAdmitted, isNews) = state.withLock { state in
            if context?.places.contains(where: { state.offPlaces.contains($0.id) }) == true { return (false, false) }
            guard let fix else { return (true, false) }
            let isNear = state.zones.map { $0.covered(fix) == nil } ?? false
            defer { state.isNearOff = isNear }
            return (!isNear, isNear != state.isNearOff)
        }
        if isNews { signal.raise() }
        return isAdmitted
    }

    func note(_ context: RecordContext?, of source: SourceID) {
        state.withLock { $0.contexts[source] = context }
        signal.raise()
    }

    func prepare() async { await state.withLock { $0.preparation }?() }

    // MARK: For the keeper

    /// Sets the action before the first fix of a run.
    func onPreparation(_ body: @escaping @Sendable () async -> Void) { state.withLock { $0.preparation = body } }

    func set(isClosed: Bool) { closed.store(isClosed, ordering: .releasing) }

    func set(offPlaces: Set<String>, zones: PrivacyZones?, watchesClock: Bool) {
        state.withLock { ($0.offPlaces, $0.zones) = (offPlaces, zones) }
        watchesPlaces.store(!offPlaces.isEmpty, ordering: .releasing)
        self.watchesClock.store(watchesClock, ordering: .relaxed)
    }

    /// Returns whether the time of day can be right.
    func trusts(_ wall: Timestamp, elapsed: Duration) -> Bool {
        state.withLock { $0.witness.trusts(wall, elapsed: elapsed) }
    }

    /// The object's places and trip by all sources, in the order of their names, and whether it may be where
    /// recording is off.
    var known: (places: [String], trip: TripMode?, isNearOff: Bool) {
        let (known, isNearOff) = state.withLock { ($0.contexts, $0.isNearOff && $0.zones != nil) }
        let contexts = known.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
        return (contexts.flatMap { $0.places.map(\.id) }, contexts.lazy.compactMap(\.trip?.mode).first, isNearOff)
    }
}
