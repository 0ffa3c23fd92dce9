import Foundation
import Measure
import TrackEngine
import TrackEnginePlaces

/// What places cost a fix: a drive of 100 000 fixes through a country with none, a hundred and a hundred thousand of them.
public enum GeofenceSuite {
    /// The monitor beside a loop that measures the distance to every place.
    public static func rows() async throws -> [Row] {
        let fixes = drive(100_000)
        var random = Xorshift(state: 88_172_645_463_325_252)
        let few = try places(100, &random)
        let before = residentBytes()
        let many = try places(100_000, &random)
        let monitor = try GeofenceMonitor(places: many)
        let bytes = residentBytes() - before
        let timings = try await race(
            rounds: 7,
            [
                watching(try GeofenceMonitor(places: []), fixes), watching(try GeofenceMonitor(places: few), fixes),
                watching(monitor, fixes), measuring(few, fixes.prefix(10_000)), measuring(many, fixes.prefix(100)),
            ])
        func row(_ subject: String, _ timing: Timing, beside yardstick: Timing? = nil) -> Row {
            Row(
                "Places", subject, timing.best,
                beside: yardstick.map { (name: "the distance to each place", nanoseconds: $0.best) },
                target: .nanoseconds(1000), allocations: timing.allocations)
        }
        return [
            row("a fix, no place", timings[0]), row("a fix, 100 places", timings[1], beside: timings[3]),
            row("a fix, 100 000 places", timings[2], beside: timings[4]),
            Row("Places", "100 000 places in memory", Double(bytes), target: .bytes(40e6)),
        ]
    }

    /// A fix a second at 20 m/s and more, winding through the middle of Europe.
    private static func drive(_ count: Int) -> [DetectorFix] {
        (0..<count).map { step in
            let time = Double(step)
            let position = Coordinate(
                latitude: 48 + time * 5e-5 + 0.01 * sin(time / 300), longitude: 7 + time * 6e-5 + 0.01 * cos(time / 200)
            )
            let fix = Fix(
                time: Timestamp(secondsSince1970: 1_700_000_000 + Int64(step)), coordinate: position,
                horizontalAccuracy: 5, speed: 20)
            return DetectorFix(fix: fix, isMoving: true, odometer: time * 20)
        }
    }

    /// Half of them circles, a tenth corridors of ten vertices, the others hexagons, spread over 800 by 650 km.
    private static func places(_ count: Int, _ random: inout Xorshift) throws -> [Place] {
        try (0..<count).map { number in
            let centre = Coordinate(
                latitude: .random(in: 47...55, using: &random), longitude: .random(in: 6...15, using: &random))
            func beside(_ north: Double, _ east: Double) -> Coordinate {
                Coordinate(latitude: centre.latitude + north, longitude: centre.longitude + east)
            }
            let area: Area
            switch number % 10 {
            case 1:
                area = try .corridor(
                    along: (0..<10).map { beside(Double($0) * 2e-3, Double($0 % 3) * 1e-3) }, width: 40)
            case 3, 5, 7, 9:
                area = try .polygon((0..<6).map { beside(1e-3 * sin(Double($0)), 1.5e-3 * cos(Double($0))) })
            default: area = try .circle(centre: centre, radius: .random(in: 30...300, using: &random))
            }
            return try Place(id: "customer-\(number)", name: "Customer \(number)", area: area, dwell: .seconds(300))
        }
    }

    private static func watching(_ monitor: GeofenceMonitor, _ fixes: [DetectorFix]) -> Contender {
        Contender(units: fixes.count) {
            var (monitor, events) = (monitor, 0)
            for fix in fixes { monitor.observe(fix) { _ in events += 1 } }
            keep(events)
        }
    }

    private static func measuring(_ places: [Place], _ fixes: ArraySlice<DetectorFix>) -> Contender {
        Contender(units: fixes.count) {
            var inside = 0
            for fix in fixes {
                for place in places where place.area.distance(from: fix.fix.coordinate) <= 0 { inside += 1 }
            }
            keep(inside)
        }
    }

    private static func residentBytes() -> Int {
        // Without this file, elsewhere than on Linux, nothing is measured.
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}

/// The generator of G. Marsaglia (2003): the same places in each run.
private struct Xorshift: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
