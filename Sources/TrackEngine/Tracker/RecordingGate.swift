/// Decides whether positions may be recorded at a moment and a place. Tracking that is off looks at fixes and keeps none.
///
/// Unlike a pause it lets what waits be delivered. A fix that must not be recorded is counted as ``RejectionReason/off`` and shown
/// to nobody; the first one afterwards begins a leg.
///
/// It is asked in any task and must not block.
package protocol RecordingGate: Sendable {
    /// Whether nothing of a live source may be recorded now. Nothing of its fixes is looked at then but the time.
    var isClosed: Bool { get }

    /// The same, with the newest fix that came: its time tells whether the machine's clock is right.
    func isClosed(at newest: ReceivedFix) -> Bool

    /// Whether recording may end at a place. Only then ``admits(_:)`` is asked, for each fix of any source.
    var dependsOnPlaces: Bool { get }

    /// Whether a fix may be recorded, by where it lies itself and by what is known of the object once its place is known. Without a fix the
    /// object's latest position is not known.
    func admits(_ fix: Fix?, _ context: RecordContext?) -> Bool

    /// What is known of the object in a source's track, whenever that changes.
    func note(_ context: RecordContext?, of source: SourceID)

    /// A run is about to begin, and what is known of each source's track has been noted: no fix comes before it returns.
    func prepare() async
}
