package import TrackEngine

/// Merges the several TPV that gpsd sends for one epoch of a receiver into one fix.
///
/// An **epoch** consists of the reports with the same device and the same time. It ends when a report with another
/// device or time arrives, or when no more of its reports arrive for a quiet period. The merger learns the length of
/// that period: gpsd sends the reports of one cycle as the receiver's sentences arrive, which takes milliseconds on
/// USB and most of a second at 4800 baud. The wait is one and a half times the longest gap inside the last 32 to 64
/// epochs, at least ``Limits/least`` and at most ``Limits/most``. A report that arrives too late for its epoch is
/// dropped (its fix has been emitted) but lengthens the next waits.
///
/// Inside an epoch no known value is lost: later values replace earlier ones, absent ones do not, and the best mode
/// wins. Times are not checked: one that is before the last, or the same again after a pause, starts a new epoch, and
/// the pipeline's gates decide about it.
package struct EpochMerger: Sendable {
    /// The bounds of the wait for more reports of an epoch.
    package struct Limits: Sendable {
        /// The minimum wait.
        package var least = Duration.milliseconds(150)
        /// The maximum wait, and the time for which a report still counts as a late one of an epoch that has been
        /// emitted.
        package var most = Duration.milliseconds(900)
    }

    /// The result of an epoch.
    package enum Outcome: Sendable, Hashable {
        /// A position at a time.
        case fix(Fix)
        /// The receiver sends reports, but has no position.
        case noFix
        /// A position without a time, which is not usable.
        case timeless
    }

    private struct Epoch {
        var device: String?
        var time: Timestamp
        /// The merged values of its reports.
        var merged: PositionReport
        /// The time at which its last report arrived.
        var heard: Duration
    }

    private enum State {
        /// There was no report yet, or the last epoch is too old to matter.
        case empty
        /// `epoch` is open; it becomes `closed` when quiet, or is replaced by the next.
        case open
        /// `epoch` has been emitted; late reports are recognised by it until the next epoch opens.
        case closed
    }

    private let quiet: Limits
    private var state = State.empty
    /// The latest epoch. It is separate from the state so that a report is merged in place.
    private var epoch = Epoch(
        time: Timestamp(nanosecondsSince1970: 0), merged: PositionReport(), heard: .zero)
    /// The longest gaps inside the epochs of this stretch and of the one before it, so that a receiver whose last
    /// report is only occasionally late is remembered.
    private var longestGaps = (now: Duration.zero, before: Duration.zero)
    private var epochsInStretch = 0
    private static let stretch = 32
    private var sky = SkyMemory()

    /// Creates a merger before the first report.
    package init(quiet: Limits = Limits()) {
        self.quiet = quiet
    }

    /// The time at which the open epoch ends unless more of its reports arrive; `nil` if no epoch is open.
    package var deadline: Duration? {
        guard case .open = state else { return nil }
        return epoch.heard + wait
    }

    /// The wait for more reports of an epoch, as learned so far.
    package var wait: Duration {
        min(quiet.most, max(quiet.least, max(longestGaps.now, longestGaps.before) * 3 / 2))
    }

    /// Adds a report and returns the outcome that it completes: that of the epoch before, or its own if it is not part
    /// of an epoch.
    package mutating func add(_ report: consuming PositionReport, at now: Duration) -> Outcome? {
        guard let time = report.time else {
            // It cannot belong to an epoch, and does not end one: B&G's Zeus sends such reports before each timed one.
            return report.mode == nil || report.coordinate == nil ? .noFix : .timeless
        }
        let isSame = epoch.time == time && epoch.device == report.device
        switch state {
        case .open where isSame:
            learn(now - epoch.heard)
            epoch.merged.merge(report)
            epoch.heard = now
            return nil
        case .closed where isSame && now - epoch.heard <= quiet.most:
            learn(now - epoch.heard)
            epoch.heard = now
            return nil
        case .empty, .open, .closed:
            let ended = flush()
            epochsInStretch += 1
            if epochsInStretch == Self.stretch {
                epochsInStretch = 0
                longestGaps = (now: .zero, before: longestGaps.now)
            }
            state = .open
            epoch = Epoch(device: report.device, time: time, merged: report, heard: now)
            return ended
        }
    }

    /// Stores satellites and dilutions for the fixes of the same device, and returns the outcome that it completes: a
    /// sky that is later than the open epoch belongs to the next one.
    package mutating func add(_ report: SkyReport, at now: Duration) -> Outcome? {
        var ended: Outcome?
        if case .open = state, epoch.device == report.device, let time = report.time, time > epoch.time {
            ended = flush()
        }
        sky.add(report, at: now)
        return ended
    }

    /// Closes the open epoch if it has been quiet for long enough.
    package mutating func timeout(at now: Duration) -> Outcome? {
        guard let deadline, deadline <= now else { return nil }
        return flush()
    }

    /// Closes the open epoch at once.
    package mutating func flush() -> Outcome? {
        guard case .open = state else { return nil }
        state = .closed
        let fix = epoch.merged.fix(at: epoch.time, sky: sky.latest(of: epoch.device, at: epoch.heard))
        return fix.map { .fix($0) } ?? .noFix
    }

    /// Discards the open epoch, if it is not needed any more.
    package mutating func discard() {
        state = .empty
    }

    private mutating func learn(_ gap: Duration) {
        longestGaps.now = max(longestGaps.now, gap)
    }
}
