package import TrackEngine

/// Which rules on the battery hold, so that a level that sways around a bound does not switch each time. A pure value.
///
/// A rule with `below` holds from a lower level on until the battery has 5 per cent more than its bound, or gives no power any
/// more. A machine without a battery has no rule that holds.
///
/// | below 20 | level | holds |
/// |---|---|---|
/// | unplugged | 20 % | no |
/// | unplugged | 19 % | yes |
/// | unplugged | 24 % | yes |
/// | unplugged | 25 % | no |
/// | charging | 10 % | no |
package struct PowerWatch: Sendable, Hashable {
    /// How much more than its bound ends a rule, in per cent.
    package static let hysteresis = 5

    /// How often in a row a battery may say no level before it counts as gone.
    package static let longestSilence = 2

    private let rules: [PowerRule]
    /// The bounds of the rules that hold.
    package private(set) var low: Set<Int> = []
    /// What the battery said last.
    private var host: HostStatus?
    /// How often in a row it said no level, though it had said one.
    private var silences = 0

    package init(_ rules: [PowerRule]) { self.rules = rules }

    /// Goes on after a restart from the bounds of the rules that held.
    package mutating func goOn(from low: Set<Int>) { self.low = low.intersection(rules.compactMap(\.below)) }

    /// Takes what the battery says.
    package mutating func observe(_ host: HostStatus?) {
        let wasKnown = self.host?.batteryLevel != nil || self.host == nil && !low.isEmpty
        if host?.batteryLevel == nil, wasKnown, host?.isOnMains != true, silences < Self.longestSilence {
            silences += 1
            return
        }
        silences = 0
        self.host = host
        guard let percent, host?.isOnMains != true else {
            low = []
            return
        }
        for bound in rules.compactMap(\.below) {
            if percent < bound {
                low.insert(bound)
            } else if percent >= min(bound + Self.hysteresis, 100) {
                low.remove(bound)
            }
        }
    }

    /// Goes on from what is known of the battery under other rules.
    package mutating func goOn(from other: PowerWatch) {
        low = other.low.intersection(rules.compactMap(\.below))
        observe(other.host)
    }

    /// The level in whole per cent, rounded down.
    package var percent: Int? { host?.batteryLevel.map { Int(($0 * 100 + 1e-9).rounded(.down)) } }

    /// The rule with the lowest bound of those that hold.
    package var belowRule: PowerRule? {
        low.min().flatMap { bound in rules.first { $0.below == bound } }
    }

    /// The first rule on mains that holds.
    package var mainsRule: PowerRule? {
        guard let isOnMains = host?.isOnMains else { return nil }
        return rules.first { $0.onMains == isOnMains }
    }
}

extension HostStatus {
    /// Whether the machine is on mains; `nil` where the battery does not say.
    fileprivate var isOnMains: Bool? {
        switch batteryState {
        case .charging, .full: true
        case .unplugged: false
        case .unknown: nil
        }
    }
}
