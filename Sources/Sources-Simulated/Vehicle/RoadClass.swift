/// A kind of road: how fast one may drive on it and how far it goes until something happens.
package enum RoadClass: Int, Sendable, Hashable, CaseIterable {
    case residential
    case city
    case arterial
    case rural

    /// The speed limit, in metres per second: 30, 50, 70 and 100 km/h.
    package var limit: Double {
        switch self {
        case .residential: 30 / 3.6
        case .city: 50 / 3.6
        case .arterial: 70 / 3.6
        case .rural: 100 / 3.6
        }
    }

    /// How many metres lie between two junctions.
    package var legLength: ClosedRange<Double> {
        switch self {
        case .residential: 80...250
        case .city: 150...500
        case .arterial: 400...1_000
        case .rural: 600...2_000
        }
    }

    /// The road on which one may find oneself behind a junction: one class up or down.
    package func neighbour(using random: inout SplitMix64) -> RoadClass {
        let step = random.chance(0.5) ? 1 : -1
        return RoadClass(rawValue: rawValue + step) ?? self
    }
}
