import Foundation
import TrackEngine

/// Measures how far a rebuilt track is from all the fixes it stands for: naively, and with nothing of the filter's own.
///
/// Places are compared as points in space on the ellipsoid, so that neither a projection nor a pole nor a meridian is
/// special.
struct TrackChecker {
    /// The largest distance over ground, in metres.
    private(set) var largest = 0.0
    /// The sum of all distances, in metres.
    private(set) var sum = 0.0
    /// The largest difference of altitudes where a fix has one, in metres; infinite where the rebuilt track has none.
    private(set) var largestInHeight = 0.0
    /// What is wrong with the kept fixes themselves.
    private(set) var defects: [String] = []

    init(fixes: [Fix], kept: [Fix]) {
        guard kept.first == fixes.first, kept.last == fixes.last else {
            defects.append("the track does not begin and end with the first and the last fix")
            return
        }
        var segment = 0
        var met = 0
        for fix in fixes {
            while segment + 1 < kept.count, kept[segment + 1].time < fix.time { segment += 1 }
            if kept[min(met, kept.count - 1)] == fix { met += 1 }
            let end = min(segment + 1, kept.count - 1)
            measure(fix, from: kept[segment], to: kept[end])
        }
        if met != kept.count {
            defects.append("\(kept.count - met) kept fixes are not fixes of the track, in order, once")
        }
    }

    private mutating func measure(_ fix: Fix, from start: Fix, to end: Fix) {
        let whole = end.time.nanosecondsSince1970 - start.time.nanosecondsSince1970
        let part = fix.time.nanosecondsSince1970 - start.time.nanosecondsSince1970
        let share = whole == 0 ? 0 : Double(part) / Double(whole)
        let east = remainder(end.coordinate.longitude - start.coordinate.longitude, 360)
        let latitude = start.coordinate.latitude + share * (end.coordinate.latitude - start.coordinate.latitude)
        let distance = Self.chord((latitude, start.coordinate.longitude + share * east), fix.coordinate)
        largest = max(largest, distance)
        sum += distance
        guard let altitude = fix.altitude else { return }
        guard part != 0, part != whole else { return }  // its own height
        guard let from = start.altitude, let to = end.altitude else {
            largestInHeight = .infinity
            return
        }
        largestInHeight = max(largestInHeight, abs(from + share * (to - from) - altitude))
    }

    /// The straight line between two places of the WGS-84 ellipsoid's surface, in metres.
    private static func chord(_ place: (latitude: Double, longitude: Double), _ other: Coordinate) -> Double {
        let (from, to) = (point(place.latitude, place.longitude), point(other.latitude, other.longitude))
        return ((from - to) * (from - to)).sum().squareRoot()
    }

    private static func point(_ latitude: Double, _ longitude: Double) -> SIMD3<Double> {
        let (phi, lambda) = (latitude * .pi / 180, longitude * .pi / 180)
        let squared = 0.006_694_379_990_141_316
        let normal = 6_378_137 / (1 - squared * sin(phi) * sin(phi)).squareRoot()
        return SIMD3(
            normal * cos(phi) * cos(lambda), normal * cos(phi) * sin(lambda), normal * (1 - squared) * sin(phi))
    }
}
