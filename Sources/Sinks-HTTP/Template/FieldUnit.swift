import TrackEngine

/// The unit or the form in which a template writes a value.
package enum FieldUnit: String, Sendable, Hashable, CaseIterable {
    case metres = "m"
    case feet = "ft"
    case kilometres = "km"
    case miles = "mi"
    case metresPerSecond = "m/s"
    case kilometresPerHour = "km/h"
    case knots
    case milesPerHour = "mph"
    /// 0 to 1.
    case fraction
    /// 0 to 100.
    case percent
    /// `2026-03-01T10:00:00Z`
    case iso
    /// `2026-03-01T10:00:00.987Z`
    case isoMilliseconds
    /// Seconds since 1970.
    case epoch
    /// Milliseconds since 1970.
    case epochMilliseconds
    /// Nanoseconds since 1970.
    case epochNanoseconds
    /// `1` or `0`.
    case number
    /// A text in lower case.
    case lower
}

extension RecordField.Quantity {
    /// The allowed units, starting with the one that needs no name.
    var units: [FieldUnit] {
        switch self {
        case .degrees, .angle, .ratio, .count, .records: []
        case .length: [.metres, .feet, .kilometres, .miles]
        case .speed: [.metresPerSecond, .kilometresPerHour, .knots, .milesPerHour]
        case .share: [.fraction, .percent]
        case .time: [.iso, .isoMilliseconds, .epoch, .epochMilliseconds, .epochNanoseconds]
        case .flag: [.number]
        case .text: [.lower]
        }
    }

    /// Whether a number of decimals is allowed with this unit.
    func takesDecimals(_ unit: FieldUnit?) -> Bool {
        switch self {
        case .degrees, .angle, .length, .speed, .ratio, .share: true
        case .time: unit == .epoch
        case .count, .flag, .text, .records: false
        }
    }
}

extension FieldUnit {
    /// The factor from the first unit of the quantity (metres, metres per second, a share of 0 to 1) to this unit.
    ///
    /// | 10 m/s | km/h | knots | mph |
    /// |---|---|---|---|
    /// | written | 36 | 19.44 | 22.37 |
    var factor: Double {
        switch self {
        case .feet: 1 / 0.3048
        case .kilometres: 0.001
        case .miles: 1 / 1609.344
        case .kilometresPerHour: 3.6
        case .knots: 1 / Knot.metresPerSecond
        case .milesPerHour: 3600 / 1609.344
        case .percent: 100
        case .metres, .metresPerSecond, .fraction, .iso, .isoMilliseconds, .epoch, .epochMilliseconds,
            .epochNanoseconds, .number, .lower:
            1
        }
    }

    /// The default number of decimals.
    var decimals: Int {
        switch self {
        case .metres, .feet: 1
        case .kilometres, .miles: 3
        case .metresPerSecond, .kilometresPerHour, .knots, .milesPerHour, .fraction: 2
        case .percent, .iso, .isoMilliseconds, .epoch, .epochMilliseconds, .epochNanoseconds, .number, .lower: 0
        }
    }
}
