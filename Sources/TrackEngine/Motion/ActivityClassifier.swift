/// Infers the activity from speed, for hosts without a motion coprocessor.
///
/// | speed in m/s | activity |
/// |---|---|
/// | below 0.5 | stationary |
/// | 0.5 ..< 2.2 | walking |
/// | 2.2 ..< 4.5 | running |
/// | 4.5 ..< 8.5 | cycling |
/// | 8.5 and more | driving |
///
/// Hysteresis prevents flickering: leaving a class needs 15 % more than its bounds, and the new class must have lasted
/// 3 s, or 60 s to leave `driving` for any class but `stationary`, because a car in a queue is still a car.
package struct ActivityClassifier: Sendable, Hashable, BitwiseCopyable {
    /// The present activity.
    package private(set) var current: Activity = .unknown
    private var candidate: Activity = .unknown
    private var candidateSince = TrackInstant(nanoseconds: 0)

    package init() {}

    /// Processes a speed in m/s at a moment.
    package mutating func observe(speed: Double, at now: TrackInstant) {
        let seen = activity(speed: speed)
        if seen == current || current == .unknown {
            (current, candidate, candidateSince) = (seen, seen, now)
        } else if seen != candidate {
            (candidate, candidateSince) = (seen, now)
        } else if now.nanoseconds(since: candidateSince) >= persistence(of: seen) {
            current = seen
        }
    }

    /// Goes back to an earlier moment than the last one.
    mutating func rewind(to now: TrackInstant) {
        candidateSince = min(candidateSince, now)
    }

    private func activity(speed: Double) -> Activity {
        let seen = Self.activity(speed: speed)
        guard seen != current else { return seen }
        // Within 15 % of a bound of the current class the activity stays the same.
        let stays = Self.activity(speed: speed / 1.15) == current || Self.activity(speed: speed * 1.15) == current
        return stays ? current : seen
    }

    private static func activity(speed: Double) -> Activity {
        switch speed {
        case ..<0.5: .stationary
        case ..<2.2: .walking
        case ..<4.5: .running
        case ..<8.5: .cycling
        default: .driving  // the table has no upper end
        }
    }

    private func persistence(of next: Activity) -> Int64 {
        current == .driving && next != .stationary ? 60_000_000_000 : 3_000_000_000
    }

    /// Returns the state in 26 bits, for a checkpoint: two activities in 3 bits each, and the duration of the newer
    /// one, up to 104 s, which is more than any change needs.
    func packed(at now: TrackInstant) -> UInt32 {
        let age = CompactAge.bits(20, from: candidateSince, to: now)
        return UInt32(current.rawValue) | UInt32(candidate.rawValue) << 3 | age << 6
    }

    /// Restores a packed state as of a moment.
    mutating func resume(packed bits: UInt32, at moment: TrackInstant) {
        current = Activity(rawValue: UInt8(bits & 7)) ?? .unknown
        candidate = Activity(rawValue: UInt8(bits >> 3 & 7)) ?? .unknown
        candidateSince = CompactAge.moment(bits >> 6 & 0xF_FFFF, before: moment)
    }

    /// The activity and the confidence of the inference, on CalmGeo's scale: lower while another activity is observed.
    package var estimate: ActivityEstimate {
        switch current {
        case .unknown: ActivityEstimate(.unknown, confidence: 0)
        case .stationary, .driving: ActivityEstimate(current, confidence: candidate == current ? 100 : 67)
        case .walking, .running, .cycling: ActivityEstimate(current, confidence: candidate == current ? 67 : 33)
        }
    }
}
