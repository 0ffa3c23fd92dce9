import Testing
import TrackEngine
import TrackEnginePlaces

/// An object that is seen at places in the plane about 50° N, 8° E, in metres, and what a monitor reports of it.
struct Walk {
    static let origin = Coordinate(latitude: 50, longitude: 8)
    private static let start: Int64 = 1_700_000_000

    var monitor: GeofenceMonitor
    /// What has been reported, as `12 enter home`, with the seconds of the fix.
    private(set) var events: [String] = []

    init(_ places: [Place], _ configuration: GeofenceConfiguration = GeofenceConfiguration()) throws {
        monitor = try GeofenceMonitor(places: places, configuration: configuration)
    }

    static func at(_ east: Double, _ north: Double = 0) -> Coordinate {
        Earth.offset(origin, east: east, north: north)
    }

    static func time(_ second: Double) -> Timestamp {
        Timestamp(secondsSince1970: start).advanced(by: .seconds(second))
    }

    /// A circle, of 100 m unless it says otherwise.
    static func circle(
        _ id: String, east: Double, radius: Double = 100, dwell: Duration? = nil, hysteresis: Double = 20
    ) throws -> Place {
        try Place(
            id: id, name: id.uppercased(), area: .circle(centre: at(east), radius: radius), dwell: dwell,
            hysteresis: hysteresis)
    }

    mutating func fix(
        _ second: Double, east: Double, north: Double = 0, accuracy: Double? = 5, beginsLeg: Bool = false
    ) {
        let fix = Fix(
            time: Self.time(second), coordinate: Self.at(east, north), horizontalAccuracy: accuracy, speed: 1)
        var found: [String] = []
        monitor.observe(DetectorFix(fix: fix, isMoving: true, odometer: 0, beginsLeg: beginsLeg)) {
            found.append(Self.text($0))
        }
        events += found
    }

    /// A fix that must not be recorded.
    mutating func hiddenFix(_ second: Double, east: Double) {
        let fix = Fix(time: Self.time(second), coordinate: Self.at(east), horizontalAccuracy: 5, speed: 1)
        monitor.witness(DetectorFix(fix: fix, isMoving: true, odometer: 0))
    }

    mutating func pass(to second: Double) {
        var found: [String] = []
        monitor.pass(to: Self.time(second)) { found.append(Self.text($0)) }
        events += found
    }

    private static func text(_ event: DetectorEvent) -> String {
        guard case .transition(let transition) = event.content else { return "no transition" }
        let second = event.fix.time.secondsSince1970 - start
        return "\(second) \(transition.event.name) \(transition.place.id)"
    }
}
