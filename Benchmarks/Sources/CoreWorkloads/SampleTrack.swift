import TrackEngine

/// A drive through a town and over land, a fix a second: the same on every machine.
///
/// Speeds between 0 and 33 m/s, so that the rule keeps about one fix in seven, as it does on recorded drives.
public enum SampleTrack {
    /// So many fixes of it.
    public static func fixes(_ count: Int) -> [Fix] {
        var chance = Chance(state: 42)
        var (latitude, longitude, speed, course) = (52.52, 13.405, 0.0, 90.0)
        var wanted = 13.0
        return (0..<count).map { second in
            if second % 40 == 0 { wanted = max(0, chance.next() * 40 - 7) }
            speed += max(-3, min(2, wanted - speed))
            course += (chance.next() - 0.5) * 20 * min(1, speed)
            latitude += speed * cosine(course) / 111_200
            longitude += speed * sine(course) / 67_700
            return Fix(
                time: Timestamp(secondsSince1970: 1_772_359_200 + Int64(second)),
                coordinate: Coordinate(
                    latitude: latitude + (chance.next() - 0.5) * 2e-5,
                    longitude: longitude + (chance.next() - 0.5) * 2e-5),
                altitude: 34 + chance.next(), ellipsoidalAltitude: 73.2, horizontalAccuracy: 3 + chance.next() * 4,
                verticalAccuracy: 6, speed: speed, speedAccuracy: 0.4, course: course, courseAccuracy: 2,
                horizontalDilution: 0.9, positionDilution: 1.4, satellitesUsed: 11, satellitesVisible: 17,
                mode: .threeDimensional, status: .normal)
        }
    }
}

/// Numbers from 0 up to 1 that are the same on every machine (the generator of Knuth's MMIX).
struct Chance {
    var state: UInt64

    mutating func next() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) / 0x1p53
    }
}
