package import TrackEngine

/// Merges the several TPV that gpsd sends for one moment of a receiver into one fix.
///
/// An **epoch** is what has the same device and the same time. It is over when a report with another device or time
/// comes, or when nothing more of it has come for a quiet while. How long that is, the merger learns: gpsd sends the
/// reports of one cycle as the receiver's sentences arrive, which takes milliseconds on USB and most of a second at
/// 4800 baud. The wait is one and a half times the longest gap inside the last 32 to 64 epochs, at least ``Quiet/least``
/// and at most ``Quiet/most``. A report that comes too late for its epoch is dropped (its fix is out) but widens the next
/// waits.
///
/// Inside an epoch nothing that was known is lost: later values replace earlier ones, absent ones do not, and the
/// best mode wins. Times are taken as they come: one that lies before the last, or the same again after a pause, is an
/// epoch of its own, and the pipeline's gates decide about it.
package struct EpochMerger: Sendable {
    /// Bounds of the wait for more reports of an epoch.
    package struct Quiet: Sendable {
        /// How long at least.
        package var least = Duration.milliseconds(150)
        /// How long at most; also how late a report still counts as a straggler of an epoch that is out.
        package var most = Duration.milliseconds(900)

        /// 150 ms to 900 ms.
        package init() {}
    }

    /// What an epoch came to.
    package enum Outcome: Sendable, Hashable {
        /// A position at a time.
        case fix(Fix)
        /// The receiver is heard, but has no position.
        case noFix
        /// A position without a time: nothing to be done with it.
        case timeless
    }

    private struct Epoch {
        var device: String?
        var time: Timestamp
        /// What its reports say together.
        var merged: PositionReport
        /// When the last of its reports came.
        var heard: Duration
    }

    private enum State {
        /// Nothing has been heard, or the last epoch lies too far back to matter.
        case empty
        /// `epoch` is open; it becomes `closed` when quiet, or is replaced by the next.
        case open
        /// `epoch` is out; stragglers are known by it until the next epoch opens.
        case closed
    }

    private let quiet: Quiet
    private var state = State.empty
    /// The latest epoch; beside the state and not in it, so that a report is merged in its place.
    private var epoch = Epoch(
        time: Timestamp(nanosecondsSince1970: 0), merged: PositionReport(), heard: .zero)
    /// The longest gaps inside the epochs of this stretch and of the one before it: a receiver whose last report is late
    /// only now and then is remembered.
    private var longestGaps = (now: Duration.zero, before: Duration.zero)
    private var epochsInStretch = 0
    private static let stretch = 32
    private var sky = SkyMemory()

    /// A merger that has heard nothing.
    package init(quiet: Quiet = Quiet()) {
        self.quiet = quiet
    }

    /// When the open epoch will be over unless more of it comes; `nil` when none is open.
    package var deadline: Duration? {
        guard case .open = state else { return nil }
        return epoch.heard + wait
    }

    /// How long to wait for more reports of an epoch, as learned so far.
    package var wait: Duration {
        min(quiet.most, max(quiet.least, max(longestGaps.now, longestGaps.before) * 3 / 2))
    }

    /// Takes a report and returns what it brought to an end: the epoch before, or itself if it is no part of any epoch.
    package mutating func add(_ report: consuming PositionReport, at now: Duration) -> Outcome? {
        guard let time = report.time else {
            // It cannot belong to an epoch, and does not end one: B&G's Zeus sends some before each timed one.
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

    /// Remembers satellites and dilutions for the fixes of the same device, and returns what it brought to an end: a sky
    /// that is later than the open epoch belongs to the next one.
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

    /// Forgets the open epoch, for when nobody wants it any more.
    package mutating func discard() {
        state = .empty
    }

    private mutating func learn(_ gap: Duration) {
        longestGaps.now = max(longestGaps.now, gap)
    }
}
