internal import TrackEngine

/// What the reports of one device and one moment say together.
///
/// gpsd sends several TPV an epoch: the first may lack the speed, a later one the height above the ellipsoid. The latest
/// to name a value wins, and what is once known stays known.
struct GPSDEpoch {
    let time: Timestamp
    private var coordinate: Coordinate?
    private var altitude: Double?
    private var altitudeMSL: Double?
    private var altitudeHAE: Double?
    private var speed: Double?
    private var track: Double?
    private var eph: Double?
    private var epx: Double?
    private var epy: Double?
    private var epv: Double?
    private var eps: Double?
    private var epd: Double?
    private var mode: Fix.Mode?
    private var status: Fix.Status?

    init(time: Timestamp) {
        self.time = time
    }

    /// Whether a report of the epoch had a position.
    var hasFix: Bool { coordinate != nil }

    /// Adds a TPV. Without a fix (mode 0 or 1) gpsd writes no position, and whatever it writes is not taken.
    mutating func add(_ report: GPSDReport) {
        guard let number = report.mode, number >= 2 else { return }
        if number >= 3 { mode = .threeDimensional } else if mode == nil { mode = .twoDimensional }
        if let latitude = report.latitude, let longitude = report.longitude {
            coordinate = Coordinate(latitude: latitude, longitude: longitude)
        }
        if let code = report.status { status = UInt8(exactly: code).flatMap { Fix.Status(rawValue: $0) } ?? status }
        altitude = report.altitude ?? altitude
        altitudeMSL = report.altitudeMSL ?? altitudeMSL
        altitudeHAE = report.altitudeHAE ?? altitudeHAE
        speed = report.speed ?? speed
        track = report.track ?? track
        eph = report.eph ?? eph
        epx = report.epx ?? epx
        epy = report.epy ?? epy
        epv = report.epv ?? epv
        eps = report.eps ?? eps
        epd = report.epd ?? epd
    }

    /// The fix, with what SKY says of the satellites; `nil` where no report had a position.
    ///
    /// Without `eph` the accuracy is √(epx² + epy²): 3 m and 4 m give 5 m. `alt` counts only where neither of the two
    /// altitudes that replaced it is there: a daemon before 3.20, which meant mean sea level.
    func fix(_ sky: GPSDSky?) -> Fix? {
        guard let coordinate else { return nil }
        let flags: Fix.Flags = status == .simulated ? .simulated : []
        return Fix(
            time: time, coordinate: coordinate, altitude: heightAboveSea,
            ellipsoidalAltitude: altitudeHAE, horizontalAccuracy: radius, verticalAccuracy: epv, speed: speed,
            speedAccuracy: eps, course: track, courseAccuracy: epd, horizontalDilution: sky?.horizontalDilution,
            positionDilution: sky?.positionDilution, satellitesUsed: sky?.satellitesUsed,
            satellitesVisible: sky?.satellitesVisible, mode: mode, status: status,
            flags: flags)
    }

    private var heightAboveSea: Double? {
        if let altitudeMSL { return altitudeMSL }
        return altitudeHAE == nil ? altitude : nil
    }

    private var radius: Double? {
        if let eph { return eph }
        guard let epx, let epy else { return nil }
        return (epx * epx + epy * epy).squareRoot()
    }
}

/// The latest that SKY reports said of one device's satellites.
struct GPSDSky {
    /// How long it describes fixes that come without a SKY of their own.
    private static let validity = Duration.seconds(10)

    private(set) var time: Timestamp?
    private(set) var horizontalDilution: Float?
    private(set) var positionDilution: Float?
    private(set) var satellitesUsed: UInt8?
    private(set) var satellitesVisible: UInt8?

    /// Adds a SKY; one with dilutions only leaves the numbers of satellites as they are.
    mutating func add(_ report: GPSDReport) {
        time = report.time
        horizontalDilution = report.hdop.map { Float($0) } ?? horizontalDilution
        positionDilution = report.pdop.map { Float($0) } ?? positionDilution
        satellitesUsed = report.satellitesUsed.flatMap { UInt8(exactly: $0) } ?? satellitesUsed
        satellitesVisible = report.satellitesVisible.flatMap { UInt8(exactly: $0) } ?? satellitesVisible
    }

    /// Whether it says something about a fix of that time; a SKY without a time belongs to whatever follows.
    func describes(_ fixTime: Timestamp) -> Bool {
        guard let time else { return true }
        let age = fixTime.duration(since: time)
        return age <= Self.validity && age >= .zero - Self.validity
    }
}
