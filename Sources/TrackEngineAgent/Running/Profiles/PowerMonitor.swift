import TrackEngine

/// Decides which battery rules are in force; a level that varies around a bound does not switch each time. A pure
/// value.
///
/// A rule with `below` is in force from a lower level on, until the battery has 5 per cent more than its bound or no
/// longer supplies the power. On a machine without a battery no such rule is in force.
///
/// | below 20 | level | in force |
/// |---|---|---|
/// | unplugged | 20 % | no |
/// | unplugged | 19 % | yes |
/// | unplugged | 24 % | yes |
/// | unplugged | 25 % | no |
/// | charging | 10 % | no |
struct PowerMonitor: Sendable, Hashable {
    /// The margin above its bound that ends a rule, in per cent.
    package static let hysteresis = 5

    /// The number of consecutive readings without a level that are tolerated before the battery counts as absent.
    package static let longestSilence = 2

    private let rules: [PowerRule]
    /// The bounds of the rules in force.
    package private(set) var low: Set<Int> = []
    /// The last reading of the battery.
    private var host: HostStatus?
    /// The number of consecutive readings without a level, after one with a level.
    private var silences = 0

    package init(_ rules: [PowerRule]) { self.rules = rules }

    /// Continues after a restart with the bounds of the rules that were in force.
    package mutating func goOn(from low: Set<Int>) { self.low = low.intersection(rules.compactMap(\.below)) }

    /// Applies a reading of the battery.
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

    /// Continues under other rules with the known state of the battery.
    package mutating func goOn(from other: PowerMonitor) {
        low = other.low.intersection(rules.compactMap(\.below))
        observe(other.host)
    }

    /// The level in whole per cent, rounded down.
    package var percent: Int? { host?.batteryLevel.map { Int(($0 * 100 + 1e-9).rounded(.down)) } }

    /// The rule in force with the lowest bound.
    var belowRule: PowerRule? {
        low.min().flatMap { bound in rules.first { $0.below == bound } }
    }

    /// The first rule in force about mains.
    var mainsRule: PowerRule? {
        guard let isOnMains = host?.isOnMains else { return nil }
        return rules.first { $0.onMains == isOnMains }
    }
}

extension HostStatus {
    /// Whether the machine is on mains; `nil` if the battery does not report it.
    fileprivate var isOnMains: Bool? {
        switch batteryState {
        case .charging, .full: true
        case .unplugged: false
        case .unknown: nil
        }
    }
}
