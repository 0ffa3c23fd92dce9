import TrackEngine
import TrackEnginePlaces

/// A track drawn by hand: without noise, with the odometer of the way itself.
struct DrawnTrack {
    static let start = Timestamp(secondsSince1970: 1_780_000_000)

    private(set) var fixes: [DetectorFix] = []
    /// Seconds since the start.
    private(set) var clock = 0.0
    var coordinate: Coordinate
    var altitude: Double?
    /// Seconds between two fixes.
    var interval = 1.0
    var accuracy = 5.0
    /// Whether speeds are told.
    var tellsSpeed = true
    private var odometer = 0.0
    private var restSince: Double?
    private var isNext = true

    init(at coordinate: Coordinate = Coordinate(latitude: 52, longitude: 13)) { self.coordinate = coordinate }

    static func time(_ seconds: Double) -> Timestamp {
        start.advanced(by: .milliseconds(Int64((seconds * 1000).rounded())))
    }

    /// Rests for so many seconds.
    mutating func rest(_ seconds: Double) {
        restSince = restSince ?? clock
        for _ in 0..<Int(seconds / interval) { emit(speed: 0) }
    }

    /// Goes north at a speed, in metres per second; south with a negative one.
    mutating func goNorth(_ speed: Double, seconds: Double) {
        restSince = nil
        for _ in 0..<Int(seconds / interval) {
            coordinate = Self.north(speed * interval, of: coordinate)
            odometer += abs(speed) * interval
            emit(speed: abs(speed))
        }
    }

    /// Goes east at a speed, in metres per second.
    mutating func goEast(_ speed: Double, seconds: Double) {
        restSince = nil
        for _ in 0..<Int(seconds / interval) {
            let east = coordinate.longitude + speed * interval / (111_320 * 0.6157)  // cos 52°
            coordinate = Coordinate(
                latitude: coordinate.latitude, longitude: east.remainder(dividingBy: 360))
            odometer += abs(speed) * interval
            emit(speed: abs(speed))
        }
    }

    /// Passes time without fixes; the object may be elsewhere afterwards.
    mutating func skip(_ seconds: Double, north metres: Double = 0, beginsLeg: Bool = false) {
        clock += seconds
        coordinate = Self.north(metres, of: coordinate)
        if !beginsLeg { odometer += abs(metres) }
        if metres != 0 { restSince = nil }
        if beginsLeg { isNext = true }
    }

    /// One fix somewhere else, so many metres north of where the object is.
    mutating func stray(north metres: Double, accuracy: Double = 5, speed: Double? = 0) {
        emit(speed: speed, at: Self.north(metres, of: coordinate), accuracy: accuracy)
    }

    private mutating func emit(speed: Double?, at place: Coordinate? = nil, accuracy: Double? = nil) {
        let fix = Fix(
            time: Self.time(clock), coordinate: place ?? coordinate, altitude: altitude,
            horizontalAccuracy: accuracy ?? self.accuracy, speed: tellsSpeed ? speed : nil)
        // The pipeline takes an object to be at rest after a minute.
        let rests = restSince.map { clock - $0 >= 60 } ?? false
        fixes.append(DetectorFix(fix: fix, isMoving: !rests, odometer: odometer, beginsLeg: isNext))
        isNext = false
        clock += interval
    }

    /// A degree of latitude has 111 264 m at 52°.
    private static func north(_ metres: Double, of coordinate: Coordinate) -> Coordinate {
        Coordinate(latitude: coordinate.latitude + metres / 111_264, longitude: coordinate.longitude)
    }
}

/// What a detector reported, by kind.
struct Findings {
    var events: [DetectorEvent] = []

    /// All that is found in a drawn track.
    init(
        _ track: DrawnTrack, _ settings: VisitAndTripSettings = VisitAndTripSettings(),
        place: @escaping @Sendable (Coordinate) -> PlaceName? = { _ in nil }
    ) throws {
        var detector = try VisitAndTripDetector(settings, device: "van-7", place: place)
        for fix in track.fixes { detector.observe(fix) { events.append($0) } }
    }

    init(_ events: [DetectorEvent]) { self.events = events }

    /// Every record of a visit, in order.
    var visits: [Visit] {
        events.compactMap { if case .visit(let visit) = $0.content { visit } else { nil } }
    }

    /// Every record of a trip, in order.
    var trips: [Trip] {
        events.compactMap { if case .trip(let trip) = $0.content { trip } else { nil } }
    }

    /// The newest record of each visit.
    var stays: [Visit] { Self.newest(visits) }
    /// The newest record of each trip.
    var ways: [Trip] { Self.newest(trips) }

    private static func newest<Event: Identifiable>(_ events: [Event]) -> [Event] {
        var order: [Event.ID] = []
        var newest: [Event.ID: Event] = [:]
        for event in events {
            if newest[event.id] == nil { order.append(event.id) }
            newest[event.id] = event
        }
        return order.compactMap { newest[$0] }
    }
}

/// Seconds after the start of a drawn track.
func seconds(_ time: Timestamp?) -> Double? {
    time.map { Double($0.nanosecondsSince1970 - DrawnTrack.start.nanosecondsSince1970) / 1e9 }
}
