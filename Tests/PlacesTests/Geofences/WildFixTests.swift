import TestSupport
import Testing
import TrackEngine
import TrackEnginePlaces

/// Single fixes kilometres away, which no gate refuses by default.
@Suite struct WildFixTests {
    private static func places() throws -> [Place] {
        try [Walk.circle("home", east: 0), Walk.circle("work", east: 5000, dwell: .seconds(60))]
    }

    /// So many fixes at one place, one a second.
    private static func stay(_ walk: inout Walk, from second: Int, count: Int, east: Double) {
        for number in 0..<count { walk.fix(Double(second + number), east: east) }
    }

    @Test func `a single wild fix leaves no place and enters none`() throws {
        var walk = try Walk(Self.places())
        Self.stay(&walk, from: 0, count: 10, east: 0)
        walk.fix(10, east: 5000)
        Self.stay(&walk, from: 11, count: 10, east: 0)
        #expect(walk.events == [] && walk.monitor.inside.map(\.id) == ["home"])
    }

    @Test func `no place on the way to a wild fix and back is passed`() throws {
        var walk = try Walk([Walk.circle("between", east: 2500)])
        Self.stay(&walk, from: 0, count: 10, east: 0)
        walk.fix(10, east: 5000)
        Self.stay(&walk, from: 11, count: 10, east: 0)
        #expect(walk.events == [])
    }

    @Test func `a jump that a second fix confirms counts from its first one`() throws {
        var walk = try Walk(Self.places())
        Self.stay(&walk, from: 0, count: 10, east: 0)
        walk.fix(10, east: 5000)
        #expect(walk.events == [] && walk.monitor.inside.map(\.id) == ["home"])
        walk.fix(11, east: 5001)
        #expect(walk.events == ["10 leave home", "10 enter work"])
        #expect(walk.monitor.deadline == Walk.time(70))
    }

    @Test func `wild fixes one after the other that do not agree decide nothing`() throws {
        var walk = try Walk(Self.places())
        Self.stay(&walk, from: 0, count: 3, east: 0)
        for (second, east) in [(3.0, 5000.0), (4, -9000), (5, 30_000)] { walk.fix(second, east: east) }
        walk.fix(6, east: 0)
        #expect(walk.events == [] && walk.monitor.inside.map(\.id) == ["home"])
    }

    @Test(arguments: [(1.0, 300.0), (10, 3000), (30, 5000), (900, 100_000)])
    func `what can be travelled is told at once`(seconds: Double, metres: Double) throws {
        var walk = try Walk([Walk.circle("home", east: 0), Walk.circle("there", east: metres)])
        walk.fix(0, east: 0)
        walk.fix(seconds, east: metres)
        #expect(walk.events == ["\(Int(seconds)) leave home", "\(Int(seconds)) enter there"])
    }

    @Test func `the beginning of a leg is told at once, wherever it is`() throws {
        var walk = try Walk(Self.places())
        walk.fix(0, east: 0)
        walk.fix(1, east: 5000, beginsLeg: true)
        #expect(walk.events == ["1 leave home", "1 enter work"])
    }

    @Test func `a dwell that falls due while a fix is in doubt waits for the next, and has its own moment`() throws {
        var walk = try Walk(Self.places())
        walk.fix(0, east: 0)
        walk.fix(1000, east: 5000)
        Self.stay(&walk, from: 1001, count: 57, east: 5000)
        walk.fix(1059, east: 0)  // 5 km in two seconds
        #expect(walk.monitor.deadline == nil)
        walk.pass(to: 1200)
        #expect(walk.events == ["1000 leave home", "1000 enter work"])
        var gone = walk
        walk.fix(1201, east: 5000)
        #expect(walk.events.dropFirst(2) == ["1060 dwell work"])
        gone.fix(1060, east: 0)
        #expect(gone.events.dropFirst(2) == ["1059 leave work", "1059 enter home"])
    }

    @Test func `a doubt survives a restart`() throws {
        for confirms in [false, true] {
            var walk = try Walk(Self.places())
            walk.fix(0, east: 0)
            walk.fix(1, east: 5000)
            var other = try Walk(Self.places())
            let isRead = other.monitor.resume(from: walk.monitor.state)
            #expect(isRead && other.monitor.state == walk.monitor.state)
            other.fix(2, east: confirms ? 5000 : 0)
            #expect(other.events == (confirms ? ["1 leave home", "1 enter work"] : []))
        }
    }

    @Test(arguments: [1, 2] as [UInt8])
    func `a state of a version before is read`(_ version: UInt8) throws {
        var walk = try Walk(Self.places())
        walk.fix(0, east: 0)
        var state = walk.monitor.state
        state[0] = version
        // Altitude and speed, and whether a fix is in doubt: behind version, flag, signature, and the last fix with its flag.
        state.removeSubrange(44..<(version == 1 ? 63 : 62))
        // What is known of each of two places, and whether the stay is hidden.
        state.removeLast(2 + 2 * 4 + 1)
        var other = try Walk(Self.places())
        let isRead = other.monitor.resume(from: state)
        #expect(isRead && other.monitor.inside.map(\.id) == ["home"])
        #expect(other.monitor.state.count == walk.monitor.state.count)
        other.fix(200, east: 5000)
        #expect(other.events == ["200 leave home", "200 enter work"])
    }

    @Test func `a speed out of its bounds is refused`() {
        for speed in [49, 100_001, .nan] {
            #expect(throws: ConfigurationError.self) {
                try Walk([], GeofenceConfiguration(maximumSpeed: speed))
            }
        }
    }

    // MARK: Properties

    /// A way among places that a vehicle can have taken, up to 70 m/s, now and then with a gap.
    private static func way(_ random: inout SeededGenerator) -> [(second: Double, east: Double)] {
        var (second, east, speed) = (0.0, 0.0, 20.0)
        return (0..<400).map { _ in
            let step = Double.random(in: 0...1, using: &random) < 0.05 ? 40.0 : 1.0
            speed = min(max(speed + Double.random(in: -10...10, using: &random), -70), 70)
            second += step
            east += speed * step
            return (second, east)
        }
    }

    private static func crowd() throws -> [Place] {
        try (-30...30).map { try Walk.circle("\($0)", east: Double($0) * 700, dwell: .seconds(20)) }
    }

    @Test func `a way without wild fixes gives what a monitor gives that believes everything`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<40 {
            let way = Self.way(&random)
            var (ours, credulous) = (
                try Walk(Self.crowd()), try Walk(Self.crowd(), GeofenceConfiguration(maximumSpeed: 100_000))
            )
            for (second, east) in way {
                ours.fix(second, east: east)
                credulous.fix(second, east: east)
                #expect(ours.events.count == credulous.events.count)
            }
            #expect(ours.events == credulous.events && !ours.events.isEmpty)
        }
    }

    @Test func `single wild fixes change nothing, wherever they lie`() throws {
        var random = SeededGenerator(seed: 8)
        for _ in 0..<40 {
            let way = Self.way(&random)
            var (clean, wild) = (try Walk(Self.crowd()), try Walk(Self.crowd()))
            var last = 0
            for (number, fix) in way.enumerated() {
                let isNear = number > 0 && fix.second - way[number - 1].second < 2
                if isNear, number - last > 1, Double.random(in: 0...1, using: &random) < 0.1 {
                    last = number
                    let side = Double.random(in: 0...1, using: &random) < 0.5 ? -1.0 : 1
                    wild.fix(
                        fix.second - 0.5, east: fix.east + side * Double.random(in: 1000...20_000, using: &random))
                }
                clean.fix(fix.second, east: fix.east)
                wild.fix(fix.second, east: fix.east)
            }
            #expect(wild.events == clean.events)
        }
    }
}
