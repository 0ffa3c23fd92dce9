package import TrackEngine

extension PositionReport {
    /// Merges the values of another report of the same epoch.
    ///
    /// Values that only one report has are kept. If both have a value, the better solution wins, and the later of two
    /// equally good ones. A report without a solution is ignored: gpsd writes no position with it.
    package mutating func merge(_ later: PositionReport) {
        guard let laterMode = later.mode else { return }
        guard let mode else {
            self = later
            return
        }
        if laterMode.rawValue >= mode.rawValue {
            let earlier = self
            self = later
            fill(from: earlier)
        } else {
            fill(from: later)
        }
    }

    /// Copies the values that are unknown here.
    private mutating func fill(from other: PositionReport) {
        status = status ?? other.status
        coordinate = coordinate ?? other.coordinate
        altHAE = altHAE ?? other.altHAE
        altMSL = altMSL ?? other.altMSL
        alt = alt ?? other.alt
        geoidSeparation = geoidSeparation ?? other.geoidSeparation
        eph = eph ?? other.eph
        epx = epx ?? other.epx
        epy = epy ?? other.epy
        epv = epv ?? other.epv
        speed = speed ?? other.speed
        eps = eps ?? other.eps
        track = track ?? other.track
        epd = epd ?? other.epd
    }

    /// The fix from the merged reports of an epoch; `nil` without a solution or a position.
    package func fix(at time: Timestamp, sky: SkyReport) -> Fix? {
        guard let mode, let coordinate else { return nil }
        return Fix(
            time: time,
            coordinate: coordinate,
            altitude: meanSeaLevelAltitude,
            ellipsoidalAltitude: altHAE,
            horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: epv,
            speed: speed,
            speedAccuracy: eps,
            course: track?.knownCourse,
            courseAccuracy: epd,
            horizontalDilution: sky.hdop.map(Float.init),
            positionDilution: sky.pdop.map(Float.init),
            satellitesUsed: sky.satellitesUsed.map(UInt8.init(clamping:)),
            satellitesVisible: sky.satellitesVisible.map(UInt8.init(clamping:)),
            mode: mode,
            status: status,
            flags: status == .simulated ? .simulated : [])
    }

    /// `eph`, or the combined uncertainty of longitude and latitude.
    var horizontalAccuracy: Double? {
        if let eph { return eph }
        guard let epx, let epy else { return nil }
        return (epx * epx + epy * epy).squareRoot()
    }

    /// `altMSL`, or the deprecated `alt` if it must have the same meaning.
    ///
    /// gpsd before 3.20 wrote only `alt`, above mean sea level. Since then `alt` repeats `altMSL` if that is known and
    /// `altHAE` otherwise, so an `alt` that equals `altHAE` is not a height above the sea.
    ///
    /// | altMSL | altHAE | geoidSep | alt | answer |
    /// |---|---|---|---|---|
    /// | 520 | 567 | any | any | 520 |
    /// | – | – | – | 520 | 520 (old gpsd) |
    /// | – | 567 | – | 567 | – |
    /// | – | 567 | – | 520 | 520 |
    /// | – | 567 | 47 | 520 | 520 (567 − 47) |
    /// | – | 567 | 47 | 567 | – |
    var meanSeaLevelAltitude: Double? {
        if let altMSL { return altMSL }
        guard let alt else { return nil }
        guard let altHAE else { return alt }
        if let geoidSeparation {
            return abs(alt - (altHAE - geoidSeparation)) <= abs(alt - altHAE) ? alt : nil
        }
        return abs(alt - altHAE) > 0.001 ? alt : nil
    }
}
