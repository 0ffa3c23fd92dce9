/// A source whose fixes can be read again from their start, such as a file.
///
/// A recording goes into a store once: a run goes on after the last record that the store has of it, whether the run
/// before was stopped, killed, or had come to the end. What the store has of another recording under the same name does
/// not count. The tracker therefore keeps the checkpoint of such a source over a stop.
public protocol RecordedSource: FixSource {
    /// Whether the recording holds this fix: one of the same time at the same place.
    ///
    /// `false` makes the tracker begin afresh with ``FixSource/run(_:)``. Throwing means what it means there.
    func holds(_ fix: Fix) async throws -> Bool

    /// As ``FixSource/run(_:)``, with only those fixes that follow this one, which the recording holds.
    func run(_ output: FixOutput, after fix: Fix) async throws
}
