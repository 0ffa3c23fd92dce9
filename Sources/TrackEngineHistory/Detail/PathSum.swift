import TrackEngine

/// The sums and extremes of a range of a device's time; two adjacent ranges can be joined.
struct PathSum: Sendable, Hashable {
    /// The longest time between two points without a gap. A gap adds no distance, and no line is drawn across it. Ten
    /// minutes, twice the longest time that the recording rules leave between two records of a moving object by
    /// default.
    static let longestStep: Int64 = 600_000
    /// The least speed of a moving device, in metres per second: 0.3 km/h, as in incognita's statistics.
    static let slowestMoving = 0.3 / 3.6

    let first: DrawingPoint
    private(set) var last: DrawingPoint
    private(set) var count = 1
    private(set) var box: GridBox
    /// Metres over ground, gaps left out.
    private(set) var distance = 0.0
    /// The time in motion, in milliseconds.
    private(set) var moving: Int64 = 0
    /// The highest speed among the points that have one, in centimetres per second.
    private(set) var topSpeed: Int64?
    /// The climb; `nil` when no point has an altitude. A gap does not interrupt it.
    private(set) var climb: Climb?

    /// The sum of one point.
    init(_ point: DrawingPoint) {
        first = point
        last = point
        box = GridBox(point.place)
        topSpeed = point.speed
        climb = point.altitude.flatMap(Climb.init(at:))
    }

    /// A stored sum.
    init(
        first: DrawingPoint, last: DrawingPoint, count: Int, box: GridBox, distance: Double, moving: Int64,
        topSpeed: Int64?,
        climb: Climb?
    ) {
        self.first = first
        self.last = last
        self.count = count
        self.box = box
        self.distance = distance
        self.moving = moving
        self.topSpeed = topSpeed
        self.climb = climb
    }

    /// Whether there is a gap between two points that follow each other.
    static func isGap(from time: Int64, to next: Int64) -> Bool { next - time > longestStep }

    /// Appends the sum of a range that follows.
    mutating func append(_ next: PathSum) {
        let time = next.first.time - last.time
        if !Self.isGap(from: last.time, to: next.first.time) {
            let step = last.place.coordinate.distance(to: next.first.place.coordinate)
            distance += step
            if time > 0, step / (Double(time) / 1000) >= Self.slowestMoving { moving += time }
        }
        distance += next.distance
        moving += next.moving
        count += next.count
        box.include(next.box)
        climb.join(next.climb)
        topSpeed = [topSpeed, next.topSpeed].compactMap(\.self).max()
        last = next.last
    }
}

/// The smallest box around places. It is not cut at the antimeridian, so a box that crosses it is as wide as the
/// Earth.
struct GridBox: Sendable, Hashable {
    private(set) var latitudes: ClosedRange<Int32>
    private(set) var longitudes: ClosedRange<Int32>

    init(_ place: GridPosition) {
        latitudes = place.latitude...place.latitude
        longitudes = place.longitude...place.longitude
    }

    init(latitudes: ClosedRange<Int32>, longitudes: ClosedRange<Int32>) {
        self.latitudes = latitudes
        self.longitudes = longitudes
    }

    /// Whether both have a place in common.
    func intersects(_ other: GridBox) -> Bool {
        latitudes.overlaps(other.latitudes) && longitudes.overlaps(other.longitudes)
    }

    func contains(_ place: GridPosition) -> Bool {
        latitudes.contains(place.latitude) && longitudes.contains(place.longitude)
    }

    mutating func include(_ other: GridBox) {
        latitudes = latitudes.including(other.latitudes)
        longitudes = longitudes.including(other.longitudes)
    }
}

extension ClosedRange<Int32> {
    fileprivate func including(_ other: ClosedRange) -> ClosedRange {
        Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
    }
}
