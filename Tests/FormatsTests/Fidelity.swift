import TrackEngine
import TrackEngineFiles

/// What of a fix a format keeps, and how exactly: the table of the documentation as values.
struct Fidelity {
    /// How far a number may be off, in its own unit; `nil` for one that the format does not keep.
    typealias Tolerance = Double

    /// The unit to which times are cut, in nanoseconds.
    var timeUnit: Int64 = 1
    var degrees: Tolerance = 0.5e-9
    var altitude: Tolerance? = 0.000_5
    var ellipsoidalAltitude: Tolerance?
    var horizontalAccuracy: Tolerance?
    var verticalAccuracy: Tolerance?
    var speed: Tolerance?
    var speedAccuracy: Tolerance?
    var course: Tolerance?
    var courseAccuracy: Tolerance?
    var horizontalDilution: Tolerance?
    var positionDilution: Tolerance?
    var keepsSatellites = false
    /// What becomes of what is no number, and of numbers that the format keeps beside others only.
    var rest: @Sendable (RecordDraft) -> Rest = { _ in Rest() }

    /// The parts of a fix that are kept or not depending on others.
    struct Rest {
        var mode: Fix.Mode?
        var status: Fix.Status?
        var activity: Activity?
        var flags: Fix.Flags = []
        var hasAltitude = true
        var hasEllipsoidalAltitude = true
        var hasVerticalAccuracy = true
    }

    static func of(_ format: TrackFormat) -> Fidelity {
        switch format {
        case .gpx: gpx
        case .geojson: geojson
        case .kml: kml
        case .csv: csv
        case .ndjson: ndjson
        case .nmea: nmea
        }
    }

    private static let millimetre = 0.000_5

    private static let gpx = Fidelity(
        timeUnit: 1_000_000, ellipsoidalAltitude: 0.001, horizontalAccuracy: millimetre, verticalAccuracy: millimetre,
        speed: millimetre, course: 0.005, horizontalDilution: 0.005, positionDilution: 0.005, keepsSatellites: true
    ) { record in
        let fix = record.fix
        let status: Fix.Status? =
            switch fix.status {
            case .differential, .rtkFixed, .rtkFloat: .differential
            case .precise: .precise
            case .normal, .deadReckoning, .combined, .surveyed, .simulated, nil: nil
            }
        return Rest(
            mode: status == nil ? fix.mode : nil, status: status, hasEllipsoidalAltitude: fix.altitude != nil)
    }

    private static let geojson = Fidelity(
        ellipsoidalAltitude: millimetre, horizontalAccuracy: millimetre, verticalAccuracy: millimetre,
        speed: millimetre,
        speedAccuracy: millimetre, course: millimetre, courseAccuracy: millimetre, keepsSatellites: true
    ) { Rest(mode: $0.fix.mode, activity: $0.knownActivity) }

    private static let kml = Fidelity { Rest(hasAltitude: ($0.fix.altitude ?? 0).magnitude >= 0.000_5) }

    private static let csv = Fidelity(
        ellipsoidalAltitude: millimetre, horizontalAccuracy: millimetre, verticalAccuracy: millimetre,
        speed: millimetre,
        course: millimetre, keepsSatellites: true
    ) { Rest(mode: $0.fix.mode) }

    private static let ndjson = Fidelity(
        timeUnit: 1_000_000, ellipsoidalAltitude: millimetre, horizontalAccuracy: millimetre,
        verticalAccuracy: millimetre, speed: millimetre, speedAccuracy: millimetre, course: millimetre,
        courseAccuracy: millimetre
    ) { Rest(activity: $0.knownActivity, flags: $0.fix.flags.intersection(.simulated)) }

    /// Half of 0.00001 minutes, in degrees; half of 0.001 knots; twice the root of two of half a millimetre.
    private static let nmea = Fidelity(
        timeUnit: 1_000_000, degrees: 0.000_01 / 60 / 2, ellipsoidalAltitude: 0.001, horizontalAccuracy: 0.001_415,
        verticalAccuracy: 0.001, speed: 0.000_258, course: 0.005, horizontalDilution: 0.005, keepsSatellites: true
    ) { record in
        let fix = record.fix
        let status = fix.status == .combined || fix.status == nil ? .normal : fix.status
        return Rest(
            status: status, flags: status == .simulated ? .simulated : [], hasEllipsoidalAltitude: fix.altitude != nil,
            hasVerticalAccuracy: fix.horizontalAccuracy != nil && fix.altitude != nil)
    }
}

extension RecordDraft {
    fileprivate var knownActivity: Activity? {
        activity.flatMap { $0.activity == .unknown ? nil : $0.activity }
    }
}
