import Foundation
import Testing
import TrackEngine
import TrackEngineSimulated

/// Tracks made to be difficult, each from a seed.
enum TestTracks {
    /// A way to make a track of so many fixes.
    struct Maker: Sendable, CustomTestStringConvertible {
        let name: String
        let make: @Sendable (inout Pen, Int) -> Void

        var testDescription: String { name }

        func fixes(_ count: Int, seed: UInt64, at start: Coordinate = Coordinate(latitude: 52.5, longitude: 13.4))
            -> [Fix]
        {
            var pen = Pen(seed: seed, start: start)
            make(&pen, count)
            return pen.fixes
        }
    }

    /// Draws fixes in metres around a place.
    struct Pen {
        private(set) var fixes: [Fix] = []
        var random: SplitMix64
        private var latitude: Double
        private var longitude: Double
        private var time = Timestamp(secondsSince1970: 1_767_225_600)

        init(seed: UInt64, start: Coordinate) {
            random = SplitMix64(seed: seed)
            (latitude, longitude) = (start.latitude, start.longitude)
        }

        /// Waits, moves and puts a fix there, off by some noise.
        mutating func step(
            after seconds: Double = 1, east: Double = 0, north: Double = 0, off: (east: Double, north: Double) = (0, 0),
            altitude: Double? = nil
        ) {
            time = time.advanced(by: .nanoseconds(max(1, Int64(seconds * 1e9))))
            move(east: east, north: north)
            let parallel = 111_320 * max(1e-7, cos(latitude * .pi / 180))
            let place = Self.onEarth(latitude + off.north / 110_574, longitude + off.east / parallel)
            fixes.append(Fix(time: time, coordinate: place, altitude: altitude))
        }

        private mutating func move(east: Double, north: Double) {
            longitude += east / (111_320 * max(1e-7, cos(latitude * .pi / 180)))
            latitude += north / 110_574
            let place = Self.onEarth(latitude, longitude)
            (latitude, longitude) = (place.latitude, place.longitude)
        }

        /// Over the pole lies the other side.
        private static func onEarth(_ latitude: Double, _ longitude: Double) -> Coordinate {
            var (latitude, longitude) = (remainder(latitude, 360), longitude)
            if abs(latitude) > 90 {
                latitude = (latitude > 0 ? 180 : -180) - latitude
                longitude += 180
            }
            return Coordinate(latitude: latitude, longitude: remainder(longitude, 360))
        }

        mutating func noise(_ deviation: Double) -> (east: Double, north: Double) {
            (deviation * random.gaussian(), deviation * random.gaussian())
        }
    }

    static let all: [Maker] = [
        Maker(name: "random walk") { pen, count in
            for _ in 0..<count {
                let step = pen.noise(8)
                pen.step(east: step.east, north: step.north)
            }
        },
        Maker(name: "drive with turns and noise") { pen, count in
            var (heading, speed) = (0.0, 10.0)
            for _ in 0..<count {
                if pen.random.chance(0.03) { heading += pen.random.uniform(in: -2...2) }
                speed = min(40, max(0, speed + pen.random.gaussian()))
                pen.step(east: speed * sin(heading), north: speed * cos(heading), off: pen.noise(2))
            }
        },
        Maker(name: "zigzag at the bound") { pen, count in
            for number in 0..<count {
                pen.step(
                    north: 12, off: (east: (number % 2 == 0 ? 10 : -10) * pen.random.uniform(in: 0.9...1.1), north: 0))
            }
        },
        Maker(name: "spiral") { pen, count in
            for number in 0..<count {
                let turn = Double(number) * 0.07
                pen.step(east: 0.05 * turn * cos(turn), north: 0.05 * turn * sin(turn))
            }
        },
        Maker(name: "stop and go") { pen, count in
            for number in 0..<count { pen.step(east: number / 40 % 2 == 0 ? 15 : 0, off: pen.noise(3)) }
        },
        Maker(name: "teleports") { pen, count in
            for _ in 0..<count {
                let far = pen.random.chance(0.05) ? 1_000_000.0 : 5
                pen.step(east: far * pen.random.gaussian(), north: far * pen.random.gaussian())
            }
        },
        Maker(name: "irregular times and gaps") { pen, count in
            for _ in 0..<count {
                let seconds =
                    pen.random.chance(0.02) ? 86_400 * pen.random.unit() : pen.random.unit() * pen.random.unit()
                pen.step(after: seconds, east: 20 * min(seconds, 60), off: pen.noise(4))
            }
        },
        Maker(name: "nanoseconds apart") { pen, count in
            for _ in 0..<count { pen.step(after: 1e-9, off: pen.noise(6)) }
        },
        Maker(name: "long flight") { pen, count in
            for _ in 0..<count { pen.step(after: 10, east: 1800, north: 1700, off: pen.noise(3)) }
        },
        Maker(name: "hills, some without a height") { pen, count in
            for number in 0..<count {
                let height = 300 * sin(Double(number) / 60) + 2 * pen.random.gaussian()
                pen.step(north: 20, off: pen.noise(1), altitude: pen.random.chance(0.3) ? nil : height)
            }
        },
    ]

    /// Where the Earth's coordinates are awkward, and where they are not.
    static let places = [
        Coordinate(latitude: 52.5, longitude: 13.4), Coordinate(latitude: -16.5, longitude: 179.999),
        Coordinate(latitude: 0.001, longitude: -179.9999), Coordinate(latitude: 89.99, longitude: 10),
        Coordinate(latitude: -89.9999, longitude: -120), Coordinate(latitude: 90, longitude: 0),
    ]
}
