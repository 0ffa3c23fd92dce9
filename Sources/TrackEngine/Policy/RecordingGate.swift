/// Decides whether positions may be recorded at a time and a place. While tracking is off, fixes are checked but none
/// is kept.
///
/// Unlike a pause, a closed gate does not stop the delivery of queued records. A fix that must not be recorded is
/// counted as ``RejectionReason/off`` and not reported to observers. The first accepted fix afterwards begins a leg.
///
/// Any task may call a gate; calls must not block.
package protocol RecordingGate: Sendable {
    /// Whether recording of live sources is off everywhere. Then only the time of their fixes is read.
    var isClosed: Bool { get }

    /// The same for the newest fix that arrived; its time shows whether the machine's clock is right.
    func isClosed(at newest: ReceivedFix) -> Bool

    /// Whether recording may be off at some places. Only then ``admits(_:)`` is called, for each fix of any source.
    var dependsOnPlaces: Bool { get }

    /// Whether a fix may be recorded, by its own position and by the object's context once the fix's place is known.
    /// Without a fix, the object's latest position is unknown.
    func admits(_ fix: Fix?, _ context: RecordContext?) -> Bool

    /// Notes the context of the object in a source's track; called whenever it changes.
    func note(_ context: RecordContext?, of source: SourceID)

    /// Prepares for a run that is about to begin. The context of each source's track has been noted; no fix arrives
    /// before this returns.
    func prepare() async
}
