public import TrackEngine

/// Sums and extremes of a device's track in a range of time.
public struct TrackSummary: Sendable, Hashable {
    /// The time of the first point.
    public let start: Timestamp
    /// The time of the last point.
    public let end: Timestamp
    /// The number of points.
    public let count: Int
    /// The distance over ground in metres, without gaps of more than ten minutes.
    public let distance: Double
    /// The time in motion: from point to point at 0.3 km/h or more.
    public let movingTime: Duration
    /// The highest speed of a point, in metres per second.
    public let topSpeed: Double?
    /// The climb of the track, in metres; `nil` when no point has an altitude. Up to five metres to and fro count as
    /// noise, and of each larger rise all but five metres count.
    public let climb: Double?
    /// The smallest area around all points.
    public let area: HistoryArea

    /// The mean speed in motion, in metres per second; `nil` if the device did not move.
    public var meanSpeed: Double? { movingTime > .zero ? distance / movingTime.inSeconds : nil }

    init(_ sum: PathSum) {
        start = Timestamp(millisecondsSince1970: sum.first.time)
        end = Timestamp(millisecondsSince1970: sum.last.time)
        count = sum.count
        distance = sum.distance
        movingTime = .milliseconds(sum.moving)
        topSpeed = sum.topSpeed.map { Double($0) / 100 }
        climb = sum.climb.map { Double($0.centimetres) / 100 }
        area = HistoryArea(sum.box)
    }
}

/// An area between two parallels and two meridians; one that crosses the antimeridian is two areas.
public struct HistoryArea: Sendable, Hashable {
    let box: GridBox

    init(_ box: GridBox) { self.box = box }

    /// The area between a south-western and a north-eastern corner; `nil` when one is not valid, or they are in
    /// reverse order.
    public init?(southWest: Coordinate, northEast: Coordinate) {
        guard let least = GridPosition(southWest), let most = GridPosition(northEast), least.latitude <= most.latitude,
            least.longitude <= most.longitude
        else { return nil }
        box = GridBox(
            latitudes: least.latitude...most.latitude, longitudes: least.longitude...most.longitude)
    }

    /// The south-western corner.
    public var southWest: Coordinate {
        GridPosition(latitude: box.latitudes.lowerBound, longitude: box.longitudes.lowerBound).coordinate
    }

    /// The north-eastern corner.
    public var northEast: Coordinate {
        GridPosition(latitude: box.latitudes.upperBound, longitude: box.longitudes.upperBound).coordinate
    }
}
