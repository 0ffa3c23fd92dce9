package import TrackEngineSettings

/// A profile that depends on the machine's power.
package struct PowerRule: Sendable, Hashable {
    /// In force while the battery supplies the power and has less than this, in per cent.
    package var below: Int?
    /// In force while the machine is on mains, or, if false, while it is not.
    package var onMains: Bool?
    /// The profile in force then. Required.
    package var tracking = TrackingProfile.normal

    package init(below: Int? = nil, onMains: Bool? = nil, _ tracking: TrackingProfile = .normal) {
        (self.below, self.onMains, self.tracking) = (below, onMains, tracking)
    }

    package static let fields: [Field<Self>] = [
        .integer("below", \.below, 1...99, "per cent")
            .meaning(
                "Holds while the battery gives the power and has less than this, and until it has 5 per cent more or the machine is on mains."
            ),
        .value("onMains", \.onMains, .flag, show: { .word("\($0)") })
            .meaning("Holds while a machine with a battery is on mains, or with false while it is not."),
        .choice("tracking", \.tracking).required().meaning("The profile meanwhile."),
    ]
}

/// A profile that is in force during a trip.
package struct TripRule: Sendable, Hashable {
    /// The trip's mode; any mode if absent.
    package var mode: Mode?
    /// The profile in force then. Required. It is not off, because a trip without records does not last.
    package var tracking = Profile.normal

    /// The profiles of a trip.
    package enum Profile: String, Sendable, Hashable, CaseIterable {
        case coarse, fine, normal

        package var profile: TrackingProfile {
            switch self {
            case .coarse: .coarse
            case .fine: .fine
            case .normal: .normal
            }
        }
    }

    /// The modes of trips in Overland's terms.
    package enum Mode: String, Sendable, Hashable, CaseIterable {
        case walk, run, bicycle, car, taxi, bus, tram, train, metro, gondola, monorail, sleigh, plane, boat, scooter
    }

    package init() {}

    package static let fields: [Field<Self>] = [
        .choice("mode", \.mode).meaning("Holds for trips of this mode; null for trips of any mode."),
        .choice("tracking", \.tracking).required().meaning("The profile while the trip lasts."),
    ]
}
