import Testing
import TrackEngine
import TrackEngineSimulated

@Suite struct SimulatedDriveTests {
    private func epochs(_ count: Int, _ change: (inout SimulatedSource.Configuration) -> Void = { _ in }) throws
        -> [SimulatedEpoch]
    {
        var configuration = SimulatedSource.Configuration()
        change(&configuration)
        return Array(try SimulatedDrive(configuration).prefix(count))
    }

    /// FNV-1a over the bits of all that is reported.
    private func hash(_ epochs: [SimulatedEpoch]) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for fix in epochs.compactMap(\.fix) {
            for bits in [
                UInt64(bitPattern: fix.time.nanosecondsSince1970), fix.coordinate.latitude.bitPattern,
                fix.coordinate.longitude.bitPattern, fix.speed?.bitPattern ?? 1, fix.course?.bitPattern ?? 1,
                fix.altitude?.bitPattern ?? 1, fix.horizontalAccuracy?.bitPattern ?? 1,
            ] {
                hash = (hash ^ bits) &* 0x100_0000_01b3
            }
        }
        return hash
    }

    @Test func `an hour of seed 1 is bit for bit what it was on the machine that wrote this test`() throws {
        let hash = hash(try epochs(3_600))
        #expect(hash == 15_022_962_388_674_559_013)
    }

    @Test func `the same configuration gives the same epochs`() throws {
        #expect(try epochs(2_000) { $0.seed = 9 } == epochs(2_000) { $0.seed = 9 })
    }

    @Test func `another seed gives another drive`() throws {
        #expect(try hash(epochs(100) { $0.seed = 1 }) != hash(epochs(100) { $0.seed = 2 }))
    }

    @Test func `the noise does not change the way`() throws {
        let clean = try epochs(2_000) { $0.noise = .none }.map(\.truth)
        #expect(try epochs(2_000) { $0.noise = .urban }.map(\.truth) == clean)
    }

    @Test(arguments: [2, 5, 10])
    func `rates of 1, 2, 5 and 10 Hz see the same way`(rate: Int) throws {
        let slow = try epochs(1_800).map(\.truth)
        let fast = try epochs(1_800 * rate) { $0.rate = rate }.map(\.truth)
        for (index, truth) in slow.enumerated() { #expect(fast[index * rate] == truth) }
    }

    @Test(arguments: 1...10)
    func `epochs are spaced exactly, without anything adding up`(rate: Int) throws {
        let times = try epochs(rate * 100 + 1) { $0.rate = rate }.map(\.truth.time.nanosecondsSince1970)
        let start = SimulatedSource.Configuration.defaultStartTime.nanosecondsSince1970
        for (index, time) in times.enumerated() {
            #expect(time == start + Int64(index / rate) * 1_000_000_000 + Int64(index % rate * 1_000_000_000 / rate))
        }
    }

    @Test(arguments: [(1, 60_000, 60), (10, 60_000, 600), (10, 1_050, 11), (1, 1, 1), (3, 1_000, 3)])
    func `a duration holds the epochs that begin within it`(rate: Int, milliseconds: Int, count: Int) throws {
        let all = try epochs(10_000) {
            $0.rate = rate
            $0.duration = .milliseconds(milliseconds)
        }
        #expect(all.count == count)
    }

    @Test func `the odometer agrees with the integrated speed and with the distances over ground`() throws {
        let truths = try epochs(36_000) { $0.rate = 10 }.map(\.truth)
        var integrated = 0.0
        var measured = 0.0
        for (before, after) in zip(truths, truths.dropFirst()) {
            integrated += (before.speed + after.speed) / 2 * 0.1
            measured += before.coordinate.distance(to: after.coordinate)
        }
        let odometer = try #require(truths.last).odometer
        #expect(odometer > 10_000)
        #expect(abs(integrated - odometer) < 1e-6 * odometer)
        #expect(abs(measured - odometer) < 1e-4 * odometer)
    }

    @Test func `the course is the direction in which the coordinates move`() throws {
        let truths = try epochs(6_000) { $0.rate = 10 }.map(\.truth)
        var compared = 0
        for (before, after) in zip(truths, truths.dropFirst()) where before.speed > 5 && before.phase == .cruising {
            let plane = LocalPlane(at: before.coordinate)
            let ahead = plane.coordinate(
                of: 10 * direction(of: after.course))
            let missed = after.coordinate.distance(to: before.coordinate) + after.coordinate.distance(to: ahead) - 10
            #expect(abs(missed) < 0.01)
            compared += 1
        }
        #expect(compared > 1_000)
    }

    private func direction(of course: Double) -> LocalPosition {
        let (sine, cosine) = Angle.sineAndCosine(ofDegrees: course)
        return LocalPosition(east: sine, north: cosine)
    }

    @Test(arguments: LocalPlaneTests.places)
    func `a drive is valid wherever it starts`(place: Coordinate) throws {
        let all = try epochs(3_600) { $0.start = place }
        for epoch in all {
            #expect(epoch.truth.coordinate.isValid)
            #expect(epoch.truth.coordinate.distance(to: place) < 8_000)
            #expect((0..<360).contains(epoch.truth.course))
            #expect(epoch.fix?.coordinate.isValid ?? true)
        }
        for (before, after) in zip(all, all.dropFirst()) {
            #expect(before.truth.coordinate.distance(to: after.truth.coordinate) < 28)
        }
    }

    @Test func `a hundred vehicles start at a hundred places and drive a hundred ways`() throws {
        let members = try SimulatedSource.Configuration().fleet(vehicles: 100)
        let starts = try members.map { try SimulatedDrive($0).prefix(1).map(\.truth.coordinate) }
        let ways = try members.map { hash(Array(try SimulatedDrive($0).prefix(30))) }
        #expect(Set(starts).count == 100)
        #expect(Set(ways).count == 100)
        #expect(Set(members.map(\.vehicle)).count == 100)
        for start in starts.joined() {
            #expect(start.distance(to: SimulatedSource.Configuration().start) < 3_100)
        }
    }

    @Test func `the first vehicle of a fleet is the one without a fleet`() throws {
        let first = try #require(try SimulatedSource.Configuration().fleet(vehicles: 3).first)
        #expect(first == SimulatedSource.Configuration())
    }
}
