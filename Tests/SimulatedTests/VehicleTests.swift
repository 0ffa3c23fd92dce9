import Testing
import TrackEngine
import TrackEngineSimulated

@Suite struct VehicleTests {
    /// Six hours of a vehicle in steps of a tenth of a second; `body` sees each step's beginning and end.
    private func drive(
        seed: UInt64, hours: Int = 6, parking: ParkingModel = .typical, _ body: (Vehicle, Vehicle) -> Void
    ) {
        var vehicle = Vehicle(parking: parking, random: SplitMix64(seed: seed))
        for _ in 0..<(hours * 36_000) {
            let before = vehicle
            vehicle.advance(bySeconds: 0.1)
            body(before, vehicle)
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `speed and acceleration stay within the limits`(seed: UInt64) {
        var fastest = 0.0
        var hardest = (accelerating: 0.0, braking: 0.0)
        drive(seed: seed) { before, after in
            fastest = max(fastest, after.speed)
            hardest.accelerating = max(hardest.accelerating, (after.speed - before.speed) / 0.1)
            hardest.braking = max(hardest.braking, (before.speed - after.speed) / 0.1)
            #expect(after.speed >= 0)
        }
        #expect(fastest <= 100 / 3.6 + 1e-9)
        #expect(fastest > 70 / 3.6)
        #expect((1.0...2.5).contains(hardest.accelerating))
        #expect((1.0...3.5).contains(hardest.braking))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `heading changes only with the wheels turning, and never harder than 3 metres per second squared`(seed: UInt64)
    {
        var hardest = 0.0
        drive(seed: seed) { before, after in
            let turned = (after.heading - before.heading).remainder(dividingBy: 360) * (.pi / 180)
            let length = after.odometer - before.odometer
            #expect(length > 0 || turned == 0)
            hardest = max(hardest, abs(turned) / 0.1 * max(before.speed, after.speed))
        }
        #expect(hardest <= 3)
        #expect(hardest > 1)
    }

    @Test func `a place is never left by a jump`() {
        drive(seed: 4) { before, after in
            let offset = after.place + -1 * before.place
            #expect(offset.distanceFromOrigin <= max(before.speed, after.speed) * 0.1 + 1e-9)
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `it moves within two seconds and covers ground within a minute`(seed: UInt64) {
        var vehicle = Vehicle(parking: .typical, random: SplitMix64(seed: seed))
        for _ in 0..<20 { vehicle.advance(bySeconds: 0.1) }
        #expect(vehicle.speed > 3)
        for _ in 0..<580 { vehicle.advance(bySeconds: 0.1) }
        #expect(vehicle.odometer > 100)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `it stops at a light every minute or two of driving`(seed: UInt64) {
        var lights = 0
        var driving = 0.0
        drive(seed: seed) { before, after in
            if case .waiting = after.phase, before.speed > 0 { lights += 1 }
            if after.speed > 0 { driving += 0.1 }
        }
        #expect((50.0...120.0).contains(driving / Double(lights)), "\(driving) s, \(lights) lights")
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `it parks for two to five minutes after ten to twenty minutes on the road`(seed: UInt64) {
        var stays: [Double] = []
        var ways: [Double] = [0]
        drive(seed: seed) { before, after in
            if case .parked = after.phase {
                if before.speed > 0 {
                    stays.append(0)
                    ways.append(0)
                }
                stays[stays.count - 1] += 0.1
            } else if after.speed > 0 {
                ways[ways.count - 1] += 0.1
            }
        }
        #expect(stays.count >= 10)
        #expect(stays.dropLast().allSatisfy { (119...301).contains($0) }, "\(stays)")
        // A leg that had begun when parking fell due is still driven to its end.
        #expect(ways.dropLast().allSatisfy { (590...1_420).contains($0) }, "\(ways)")
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `with stops it parks at each in turn, at the first within 70 s, at the others within 240 s`(seed: UInt64) {
        let stops = [
            LocalPosition(east: 375, north: 500), LocalPosition(east: 510, north: -335), LocalPosition.origin,
        ]
        let stay = Duration.seconds(80) ... .seconds(100)
        var vehicle = Vehicle(
            parking: ParkingModel(afterDriving: nil, stay: stay), stops: stops, random: SplitMix64(seed: seed))
        var (visited, driven) = (0, 0.0)
        for _ in 0..<36_000 {
            let before = vehicle
            vehicle.advance(bySeconds: 0.1)
            guard case .parked = vehicle.phase else {
                driven += 0.1
                continue
            }
            guard before.speed > 0 else { continue }
            let offset = vehicle.place + -1 * stops[visited % stops.count]
            #expect(offset.distanceFromOrigin < 10, "stop \(visited)")
            #expect(driven < (visited == 0 ? 70 : 240), "stop \(visited) after \(driven) s")
            (visited, driven) = (visited + 1, 0)
        }
        #expect(visited > 12)
    }

    @Test func `who never parks is never parked`() {
        drive(seed: 5, parking: .never) { _, after in
            if case .parked = after.phase { Issue.record("parked") }
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `it roams, and stays within eight kilometres of its start`(seed: UInt64) {
        var farthest = 0.0
        drive(seed: seed, hours: 12, parking: .never) { _, after in
            farthest = max(farthest, after.place.distanceFromOrigin)
        }
        #expect((2_000.0...8_000.0).contains(farthest))
    }

    @Test func `every phase comes up and every class of road is driven on`() {
        var phases: Set<String> = []
        var roads: Set<RoadKind> = []
        drive(seed: 6) { _, after in
            switch after.phase {
            case .accelerating: phases.insert("accelerating")
            case .cruising(let leg):
                phases.insert("cruising")
                roads.insert(leg.road)
            case .braking: phases.insert("braking")
            case .turning: phases.insert("turning")
            case .waiting: phases.insert("waiting")
            case .parked: phases.insert("parked")
            }
        }
        #expect(phases.count == 6)
        #expect(roads.count == 4)
    }

    @Test(arguments: [(8.0, 4.0), (12.5, 5.0), (15.0, 30.0.squareRoot())])
    func `a corner is taken as fast as two metres per second squared allow`(radius: Double, speed: Double) {
        #expect(Turn.speed(atRadius: radius) == speed)
    }
}
