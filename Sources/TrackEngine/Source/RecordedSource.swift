/// A source whose fixes can be read again from their start, such as a file.
///
/// A recording goes into a store once: a run goes on after the last record that the store has of it, whether the run
/// before was stopped, killed, or had come to the end, and whatever came in between. The store remembers the last 16
/// recordings under the source's name; one that was there before them is taken again. The tracker therefore keeps the
/// checkpoints of such a source over a stop.
public protocol RecordedSource: FixSource {
    /// Whether the recording holds this fix: one of the same time at the same place.
    ///
    /// `false` makes the tracker begin afresh with ``FixSource/run(_:)``. Throwing means what it means there.
    func holds(_ fix: Fix) async throws -> Bool

    /// Which of these fixes stands last in the recording: its index, `nil` where the recording holds none of them.
    ///
    /// The default asks ``holds(_:)`` for each and takes the first that is held. A source whose recordings are long or
    /// grow answers in one pass.
    func indexOfLast(among fixes: [Fix]) async throws -> Int?

    /// As ``FixSource/run(_:)``, with only those fixes that follow this one, which the recording holds.
    func run(_ output: FixOutput, after fix: Fix) async throws
}

extension RecordedSource {
    public func indexOfLast(among fixes: [Fix]) async throws -> Int? {
        for (index, fix) in fixes.enumerated() where try await holds(fix) { return index }
        return nil
    }
}
