internal import TrackEngine

/// The conversion of a table's number to the unit of a ``/TrackEngine/Fix``: a fraction, so that whole numbers stay
/// exact.
///
/// | written | converted |
/// |---|---|
/// | 36 km/h | 36 · 1000 / 3600 = 10 m/s |
/// | 100 mph | 100 · 44 704 / 100 000 = 44.704 m/s |
/// | 3600 kn | 3600 · 1852 / 3600 = 1852 m/s |
/// | 100 ft | 100 · 3048 / 10 000 = 30.48 m |
struct CSVScale: Hashable {
    static let one = CSVScale(1, per: 1)

    private let multiplier: Double
    private let divisor: Double

    init(_ multiplier: Double, per divisor: Double) {
        self.multiplier = multiplier
        self.divisor = divisor
    }

    func applied(to number: Double) -> Double { number * multiplier / divisor }
}

/// The quantity of a column, and the units in which loggers write it.
enum CSVQuantity {
    case time, angle, length, speed, duration, count

    /// The scale of a word after a heading, in the form of ``CSVColumnHeader``; `nil` for an unknown one. Words that do
    /// not change the unit of the fix have the scale ``CSVScale/one``.
    func scale(of word: Span<UInt8>) -> CSVScale? {
        switch self {
        case .time: Self.times[word]
        case .angle: Self.angles[word]
        case .length: Self.lengths[word]
        case .speed: Self.speeds[word]
        case .duration: Self.durations[word]
        case .count: nil
        }
    }

    /// The known units, for messages.
    var expectation: String {
        switch self {
        case .time: "expected s, ms or UTC, or none"
        case .angle: "expected deg or rad, or none for degrees"
        case .length: "expected m, km or ft, or none for metres"
        case .speed: "expected m/s, km/h, mph, kn or ft/s, or none for metres per second"
        case .duration: "expected h, min, s or ms, or none"
        case .count: "expected none"
        }
    }

    private static let milli = CSVScale(1, per: 1000)
    private static let kilo = CSVScale(1000, per: 1)
    private static let foot = CSVScale(3048, per: 10_000)
    static let kilometreAnHour = CSVScale(1000, per: 3600)
    private static let mileAnHour = CSVScale(44_704, per: 100_000)
    static let knot = CSVScale(1852, per: 3600)
    private static let radian = CSVScale(180, per: .pi)

    private static let times = NameTable<CSVScale>([
        "utc": .one, "gmt": .one, "z": .one, "iso": .one, "iso8601": .one, "rfc3339": .one, "unix": .one,
        "epoch": .one, "s": .one, "sec": .one, "seconds": .one, "ms": milli, "msec": milli, "millis": milli,
        "milliseconds": milli,
    ])

    private static let minute = CSVScale(60, per: 1)
    private static let hour = CSVScale(3600, per: 1)
    /// To seconds; ``CSVScale/one`` would be no unit.
    private static let second = CSVScale(2, per: 2)

    private static let durations = NameTable<CSVScale>([
        "s": second, "sec": second, "seconds": second, "m": minute, "min": minute, "mins": minute, "minutes": minute,
        "h": hour, "hr": hour, "hours": hour, "ms": milli, "millis": milli, "milliseconds": milli, "utc": .one,
        "gmt": .one,
    ])

    private static let angles = NameTable<CSVScale>([
        "deg": .one, "degree": .one, "degrees": .one, "decimaldegrees": .one, "decimal": .one, "dd": .one,
        "wgs84": .one, "gps": .one, "true": .one, "t": .one, "degt": .one, "rad": radian, "radian": radian,
        "radians": radian,
    ])

    private static let lengths = NameTable<CSVScale>([
        "m": .one, "meter": .one, "meters": .one, "metre": .one, "metres": .one, "msl": .one, "amsl": .one,
        "asl": .one, "gps": .one, "km": kilo, "ft": foot, "foot": foot, "feet": foot,
    ])

    private static let speeds = NameTable<CSVScale>([
        "ms": .one, "mps": .one, "msec": .one, "meterssecond": .one, "metressecond": .one, "meterspersecond": .one,
        "metrespersecond": .one, "gps": .one, "kmh": kilometreAnHour, "kph": kilometreAnHour,
        "kmph": kilometreAnHour, "kmhr": kilometreAnHour, "kilometersperhour": kilometreAnHour,
        "kilometresperhour": kilometreAnHour, "mph": mileAnHour, "mih": mileAnHour, "milesperhour": mileAnHour,
        "kn": knot, "kt": knot, "kts": knot, "knot": knot, "knots": knot, "fts": foot, "fps": foot, "ftsec": foot,
    ])
}
