/// A fix with the moment at which it was received.
///
/// A live source's time is that of arrival: the interval between two fixes is measured between these moments,
/// regardless of how long the fixes waited for the store.
public struct ReceivedFix: Sendable, Hashable, BitwiseCopyable {
    /// The fix.
    public let fix: Fix
    /// The moment of reception on the tracker's monotonic clock; 0 where time is the fixes' own.
    package let moment: TrackInstant
    /// The machine's time of day at reception.
    package let wallClock: Timestamp
    /// How it is connected with the fixes before it.
    package let continuity: Continuity

    package init(fix: Fix, moment: TrackInstant, wallClock: Timestamp, continuity: Continuity = .follows) {
        self.fix = fix
        self.moment = moment
        self.wallClock = wallClock
        self.continuity = continuity
    }

    /// Returns another fix received at the same moment.
    func with(_ fix: Fix, _ continuity: Continuity) -> ReceivedFix {
        ReceivedFix(fix: fix, moment: moment, wallClock: wallClock, continuity: continuity)
    }
}

/// Fixes that a source passed on in one call.
package enum ReceivedBatch: Sendable {
    /// All at one moment, which is not copied beside each.
    case together([Fix], moment: TrackInstant, wallClock: Timestamp)
    case each([ReceivedFix])

    package var count: Int {
        switch self {
        case .together(let fixes, _, _): fixes.count
        case .each(let received): received.count
        }
    }

    package var last: ReceivedFix? {
        switch self {
        case .together(let fixes, let moment, let wallClock):
            fixes.last.map { ReceivedFix(fix: $0, moment: moment, wallClock: wallClock) }
        case .each(let received): received.last
        }
    }

    /// The time of day at which the last one was received.
    var lastArrival: Timestamp? {
        switch self {
        case .together(let fixes, _, let wallClock): fixes.isEmpty ? nil : wallClock
        case .each(let received): received.last?.wallClock
        }
    }

    /// Each with its moment.
    package var received: [ReceivedFix] {
        switch self {
        case .together(let fixes, let moment, let wallClock):
            fixes.map { ReceivedFix(fix: $0, moment: moment, wallClock: wallClock) }
        case .each(let received): received
        }
    }

    var fixes: [Fix] {
        switch self {
        case .together(let fixes, _, _): fixes
        case .each(let received): received.map(\.fix)
        }
    }
}
