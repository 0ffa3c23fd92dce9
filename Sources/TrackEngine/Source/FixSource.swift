/// A source of fixes: a receiver, a file, a simulation.
///
/// The tracker calls ``run(_:)`` from a task of its own and never concurrently. A source has no buffer: it decodes its
/// input and awaits ``FixOutput/emit(_:)``, which returns when the fix has been decided and, if it was accepted,
/// stored. A source that cannot wait (a daemon that drops slow readers) keeps a bounded queue and reports dropped
/// input.
public protocol FixSource: Sendable {
    /// The source's name; unique within a tracker.
    var id: SourceID { get }

    /// The time base of the motion timers.
    var timeBase: TimeBase { get }

    /// Emits fixes until there are no more or the task is cancelled.
    ///
    /// Returning means that the source is finished for good. Throwing means that it may work again: the tracker reports
    /// the error and calls `run` again after a growing wait. On cancellation it must release its resources and return
    /// or throw promptly.
    func run(_ output: FixOutput) async throws
}

extension FixSource {
    /// The default, for live sources.
    public var timeBase: TimeBase { .arrival }
}

/// The time base of a source's motion timers.
public enum TimeBase: Sendable, Hashable, BitwiseCopyable {
    /// The moment at which a fix arrives, on the tracker's monotonic clock: for live receivers, because their own clock
    /// may jump.
    case arrival
    /// The fix's own time: for recorded or simulated fixes, which may pass faster than real time. Timers fire between
    /// one fix and the next, so the same fixes always produce the same records.
    case fixTime
}

/// The rate at which a source needs to deliver fixes.
public enum FixDemand: Sendable, Hashable, BitwiseCopyable {
    /// Every fix of the receiver.
    case continuous
    /// One fix at this interval is enough; the receiver may sleep in between.
    case occasional(every: Duration)
}

/// A source whose fixes can be read again from their start, such as a file.
///
/// A recording goes into a store once. A run continues after the last record that the store has of it, whether the
/// previous run was stopped, killed, or had reached the end. Records of another recording under the same name do not
/// count. The tracker therefore keeps the checkpoint of such a source when it stops.
public protocol RecordedSource: FixSource {
    /// Whether the recording contains this fix: one of the same time at the same position.
    ///
    /// `false` makes the tracker begin afresh with ``FixSource/run(_:)``. An error has the same meaning as an error of
    /// that method.
    func holds(_ fix: Fix) async throws -> Bool

    /// Runs as ``FixSource/run(_:)``, but emits only the fixes after this one, which the recording contains.
    func run(_ output: FixOutput, after fix: Fix) async throws
}
