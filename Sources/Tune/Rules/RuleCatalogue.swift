package import TrackEngine

/// The rules that are tried on a track: the user's own and well-known ones, each with everything else as the user has it.
package enum RuleCatalogue {
    /// The user's rule first, then the others; none twice.
    package static func rules(on base: RecordingConfiguration) -> [TunedRule] {
        var rules = [TunedRule(base)]
        for rule in wellKnown(on: base) where !rules.contains(where: { $0.label == rule.label }) { rules.append(rule) }
        return rules
    }

    private static func wellKnown(on base: RecordingConfiguration) -> [TunedRule] {
        [
            .distance(metres: 16, multiplier: 3.1, on: base),  // CalmGeo's defaults
            .distance(metres: 16, multiplier: nil, on: base),
            .distance(metres: 50, multiplier: nil, on: base),
            .any(metres: 75, interval: .seconds(300), angle: 30, on: base),  // as Traccar's client, with a turn
            .all(metres: 50, interval: .seconds(10), on: base),  // as OwnTracks for Android on the move
            .deviation(metres: 5, on: base),
            .deviation(metres: 10, on: base),
            .deviation(metres: 25, on: base),
        ]
    }

    /// Round numbers to try for a distance or a deviation, in metres.
    package static let ladder: [Double] = [
        1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500, 600,
        800, 1000, 1500, 2000, 3000, 5000,
    ]
}
