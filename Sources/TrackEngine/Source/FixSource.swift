/// Where fixes come from: a receiver, a file, a simulation.
///
/// The tracker calls ``run(_:)`` from a task of its own and never twice at the same time. A source owns no buffer: it
/// decodes what it reads and awaits ``FixOutput/emit(_:)``, which returns when the fix has been judged and, if it was
/// accepted, stored. A source that cannot wait (a daemon that drops slow readers) keeps a bounded mailbox and reports
/// what it had to drop.
public protocol FixSource: Sendable {
    /// The source's name; one tracker has each name once.
    var id: SourceID { get }

    /// Whose time the motion timers follow.
    var timeBase: TimeBase { get }

    /// Emits fixes until there are no more or the task is cancelled.
    ///
    /// Returning means that the source is finished for good. Throwing means that it may work again: the tracker reports
    /// the error and calls `run` again after a growing wait. On cancellation it must return or throw promptly, having
    /// released what it holds.
    func run(_ output: FixOutput) async throws
}

extension FixSource {
    /// Live sources are the rule.
    public var timeBase: TimeBase { .arrival }
}

/// Whose time the motion timers of a source follow.
public enum TimeBase: Sendable, Hashable, BitwiseCopyable {
    /// The moment at which a fix arrives, on the tracker's monotonic clock: for live receivers, whose own clock may
    /// jump.
    case arrival
    /// The fix's own time: for recorded or simulated fixes, which may pass faster than life. Timers fall due between
    /// one fix and the next, so the same fixes always give the same records.
    case fixTime
}

/// How much a source needs to deliver.
public enum FixDemand: Sendable, Hashable, BitwiseCopyable {
    /// Every fix, as the receiver makes them.
    case continuous
    /// One fix now and then is enough; the receiver may sleep between.
    case occasional(every: Duration)
}

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
