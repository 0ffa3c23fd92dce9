package import TrackEngine

/// Merges the several TPV that gpsd sends for one moment of a receiver into one fix.
///
/// An **epoch** is what has the same device and the same time. It is over when a report with another device or time
/// comes, or when nothing more of it has come for a quiet while. How long that is, the merger learns: gpsd sends the
/// reports of one cycle as the receiver's sentences arrive, which takes milliseconds on USB and most of a second at
/// 4800 baud. The wait is one and a half times the longest gap seen inside an epoch, at least ``Quiet/least`` and at
/// most ``Quiet/most``; the longest gap fades by an eighth an epoch. A report that comes too late for its epoch is
/// dropped (its fix is out) but widens the next waits, so this happens a few times at the most.
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
        let device: String?
        let time: Timestamp
        /// What its reports say together.
        var merged: PositionReport
        /// When the last of its reports came.
        var heard: Duration
    }

    private enum State {
        /// Nothing has been heard, or the last epoch lies too far back to matter.
        case empty
        /// An epoch is open; it becomes `closed` when quiet, or is replaced by the next.
        case open(Epoch)
        /// This epoch is out; stragglers are known by it until the next epoch opens.
        case closed(Epoch)
    }

    private let quiet: Quiet
    private var state = State.empty
    private var longestGap = Duration.zero
    private var sky = SkyMemory()

    /// A merger that has heard nothing.
    package init(quiet: Quiet = Quiet()) {
        self.quiet = quiet
    }

    /// When the open epoch will be over unless more of it comes; `nil` when none is open.
    package var deadline: Duration? {
        guard case .open(let epoch) = state else { return nil }
        return epoch.heard + wait
    }

    /// How long to wait for more reports of an epoch, as learned so far.
    package var wait: Duration {
        min(quiet.most, max(quiet.least, longestGap * 3 / 2))
    }

    /// Takes a report and answers what it brought to an end: at most the epoch before, and itself if it is no part of
    /// any epoch.
    package mutating func add(_ report: PositionReport, at now: Duration) -> [Outcome] {
        guard let time = report.time else {
            // It cannot belong to an epoch, and does not end one: B&G's Zeus sends some before each timed one.
            return [report.mode == nil || report.coordinate == nil ? .noFix : .timeless]
        }
        switch state {
        case .open(var epoch) where epoch.device == report.device && epoch.time == time:
            learn(now - epoch.heard)
            epoch.merged.merge(report)
            epoch.heard = now
            state = .open(epoch)
            return []
        case .closed(var epoch)
        where epoch.device == report.device && epoch.time == time && now - epoch.heard <= quiet.most:
            learn(now - epoch.heard)
            epoch.heard = now
            state = .closed(epoch)
            return []
        case .empty, .open, .closed:
            let ended = flush(at: now)
            longestGap = longestGap * 7 / 8
            state = .open(Epoch(device: report.device, time: time, merged: report, heard: now))
            return ended
        }
    }

    /// Remembers satellites and dilutions for the fixes of the same device.
    package mutating func add(_ report: SkyReport, at now: Duration) {
        sky.add(report, at: now)
    }

    /// Closes the open epoch if it has been quiet for long enough.
    package mutating func timeout(at now: Duration) -> [Outcome] {
        guard let deadline, deadline <= now else { return [] }
        return flush(at: now)
    }

    /// Closes the open epoch at once.
    package mutating func flush(at now: Duration) -> [Outcome] {
        guard case .open(let epoch) = state else { return [] }
        state = .closed(epoch)
        guard let fix = epoch.merged.fix(at: epoch.time, sky: sky.latest(of: epoch.device, at: now)) else {
            return [.noFix]
        }
        return [.fix(fix)]
    }

    /// Forgets the open epoch, for when nobody wants it any more.
    package mutating func discard() {
        state = .empty
    }

    private mutating func learn(_ gap: Duration) {
        longestGap = max(longestGap, gap)
    }
}

/// The last satellites and dilutions of one device, for as long as they are worth something.
private struct SkyMemory {
    /// Receivers report the sky every one to five seconds.
    private static let lifetime = Duration.seconds(10)

    private var latest = SkyReport()
    private var satellitesHeard: Duration?
    private var dilutionsHeard: Duration?

    /// A SKY may bring dilutions only, or satellites only: what it does not bring stays.
    mutating func add(_ report: SkyReport, at now: Duration) {
        if report.device != latest.device { self = SkyMemory() }
        latest.device = report.device
        if report.satellitesVisible != nil || report.satellitesUsed != nil {
            latest.satellitesUsed = report.satellitesUsed
            latest.satellitesVisible = report.satellitesVisible
            satellitesHeard = now
        }
        if report.hdop != nil || report.pdop != nil {
            latest.hdop = report.hdop
            latest.pdop = report.pdop
            dilutionsHeard = now
        }
    }

    func latest(of device: String?, at now: Duration) -> SkyReport {
        var sky = SkyReport()
        guard latest.device == device else { return sky }
        if let satellitesHeard, now - satellitesHeard <= Self.lifetime {
            sky.satellitesUsed = latest.satellitesUsed
            sky.satellitesVisible = latest.satellitesVisible
        }
        if let dilutionsHeard, now - dilutionsHeard <= Self.lifetime {
            sky.hdop = latest.hdop
            sky.pdop = latest.pdop
        }
        return sky
    }
}
