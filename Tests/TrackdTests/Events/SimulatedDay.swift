import Foundation
import TrackEngine
import TrackEngineSimulated

/// A day of a van as a file of fixes: at home over night, a school run with a traffic light and a short stop, the depot, a yard that
/// is hidden, past a clinic that is hidden, a ferry, a tunnel, and home.
///
/// Its receiver drifts at rest, is now and then off by half a kilometre (and says so), is coarse on the ferry, and silent in the
/// tunnel. What has to be found in it is in `SimulatedDay.events`, written by hand.
struct SimulatedDay {
    /// A position in metres east and north of home.
    struct Spot {
        let east: Double
        let north: Double

        init(_ east: Double, _ north: Double) { (self.east, self.north) = (east, north) }

        /// As receivers write it, with seven decimals. No fix that is not hidden lies at a longitude of a hidden area.
        var coordinate: Coordinate {
            let latitude = 54.3 + north / 111_300
            let longitude = 10.1 + east / 64_900
            return Coordinate(latitude: (latitude * 1e7).rounded() / 1e7, longitude: (longitude * 1e7).rounded() / 1e7)
        }

        func distance(to other: Spot) -> Double { hypot(other.east - east, other.north - north) }
    }

    static let home = Spot(0, 0)
    static let school = Spot(2400, 0)
    /// In the middle between two fixes of the way to the depot.
    static let bridge = Spot(2400, 4537.5)
    static let depot = Spot(2400, 9000)
    static let yard = Spot(3400, 9000)
    static let clinic = Spot(5400, 9000)
    static let quay = Spot(7400, 9000)
    /// Where fixes are hidden, and the radius in metres.
    static let hidden: [(spot: Spot, radius: Double)] = [(yard, 250), (clinic, 150)]

    /// 2026-03-02T00:00:00Z.
    static let midnight: Int64 = 1_772_409_600

    /// The file.
    private(set) var text = "time,lat,lon,hacc,speed,course,alt\n"
    /// The positions that nobody may see.
    private(set) var hiddenPositions: [Coordinate] = []
    private var second = 0
    private var here = home
    private var chance = SplitMix64(seed: 20_260_302)

    init() {
        rest(until: clock(7, 30), every: 60, accuracy: 12, drift: 8)
        go(to: Spot(1200, 0), speed: 8)
        rest(until: clock(7, 33) + 30, every: 5, accuracy: 5, drift: 1)  // the light is red
        go(to: Self.school, speed: 8)  // 07:36:00
        rest(until: clock(7, 42), every: 15, accuracy: 8, drift: 4)
        go(to: Self.depot, speed: 15)  // 07:52:00
        rest(until: clock(12, 0), every: 60, accuracy: 12, drift: 8)
        go(to: Self.yard, speed: 10)  // 12:01:40
        rest(until: clock(12, 30), every: 60, accuracy: 12, drift: 8)
        go(to: Self.quay, speed: 10)  // 12:36:40, past the clinic
        rest(until: clock(13, 0), every: 30, accuracy: 12, drift: 5)
        go(to: Spot(7400, -9000), speed: 6, every: 30, accuracy: 30)  // the ferry, until 13:50:00
        go(to: Spot(5900, -9000), speed: 20)
        vanish(to: Spot(2400, -9000), speed: 20)  // the tunnel, from 13:51:15 to 13:54:10
        go(to: Spot(0, -9000), speed: 20)
        go(to: Self.home, speed: 20)  // 14:03:40
        rest(until: clock(20, 0), every: 60, accuracy: 12, drift: 8)
    }

    /// Writes the file; returns its path.
    func write(in folder: String) throws -> String {
        let path = folder + "/day.csv"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func clock(_ hour: Int, _ minute: Int) -> Int { hour * 3600 + minute * 60 }

    private mutating func rest(until end: Int, every step: Int, accuracy: Double, drift: Double) {
        while second < end {
            let east = Double.random(in: -drift...drift, using: &chance)
            let north = Double.random(in: -drift...drift, using: &chance)
            add(Spot(here.east + east, here.north + north), accuracy: accuracy, speed: 0, course: 0)
            // Once an hour over night a fix that is far off, and says so.
            if step == 60, second % 3600 == 0, here.distance(to: Self.home) < 1 {
                second += 30
                add(Spot(here.east - 500, here.north - 300), accuracy: 900, speed: 0, course: 0)
                second -= 30
            }
            second += step
        }
        second = end
    }

    private mutating func go(to target: Spot, speed: Double, every step: Int = 5, accuracy: Double = 5) {
        let (start, length) = (here, here.distance(to: target))
        let (east, north) = ((target.east - start.east) / length, (target.north - start.north) / length)
        let course = (atan2(east, north) * 180 / .pi + 360).truncatingRemainder(dividingBy: 360)
        let seconds = Int((length / speed).rounded())
        for elapsed in stride(from: 0, to: seconds, by: step) {
            let travelled = speed * Double(elapsed)
            here = Spot(start.east + east * travelled, start.north + north * travelled)
            second += elapsed
            add(here, accuracy: accuracy, speed: speed, course: course.rounded())
            second -= elapsed
        }
        second += seconds
        here = target
    }

    private mutating func vanish(to target: Spot, speed: Double) {
        second += Int((here.distance(to: target) / speed).rounded())
        here = target
    }

    private mutating func add(_ spot: Spot, accuracy: Double, speed: Double, course: Double) {
        let coordinate = spot.coordinate
        let (latitude, longitude) = (coordinate.latitude, coordinate.longitude)
        text += "\(Self.midnight + Int64(second)),\(latitude),\(longitude),\(accuracy),\(speed),\(course),40\n"
        let isHidden = Self.hidden.contains { spot.distance(to: $0.spot) <= $0.radius + accuracy }
        if isHidden { hiddenPositions.append(coordinate) }
    }
}

// MARK: What an agent is told

extension SimulatedDay {
    /// The places, and what is looked for.
    static func configuration(hides: Bool = true) -> String {
        """
        tracking: {minimumAccuracy: 200}
        events:
          visits: true
          trips: true
          heartbeat: 3600
          places:
            - {name: Home, \(circle(home, 150))}
            - {name: School, \(circle(school, 100))}
            - {name: Bridge, \(circle(bridge, 30)), hysteresis: 0}
            - {id: depot-1, name: Depot, \(circle(depot, 200)), dwell: 600}
            - {name: Quay, \(circle(quay, 120))}
        \(hides ? zones : "")
        """
    }

    private static var zones: String {
        """
            - {name: Yard, \(circle(yard, 250)), privacy: cut}
            - {name: Clinic, \(circle(clinic, 150)), privacy: cut}
        """
    }

    private static func circle(_ spot: Spot, _ radius: Int) -> String {
        let coordinate = spot.coordinate
        return "latitude: \(coordinate.latitude), longitude: \(coordinate.longitude), radius: \(radius)"
    }
}
