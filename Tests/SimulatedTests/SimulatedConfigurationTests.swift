import TestSupport
import Testing
import TrackEngine
import TrackEngineSimulated

@Suite struct SimulatedConfigurationTests {
    private func problems(_ change: (inout SimulatedSource.Configuration) -> Void) -> [String] {
        var configuration = SimulatedSource.Configuration()
        change(&configuration)
        do throws(ConfigurationError) {
            _ = try SimulatedSource(configuration: configuration)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test func `the default is valid`() {
        #expect(problems { _ in } == [])
    }

    @Test(arguments: [NoiseModel.none, .openSky, .urban])
    func `each model of noise is valid`(noise: NoiseModel) {
        #expect(problems { $0.noise = noise } == [])
    }

    @Test(arguments: [0, 11, -1, Int.max])
    func `a rate outside of 1 to 10 is refused`(rate: Int) {
        expectMessages(problems { $0.rate = rate }, begin: ["rate"], as: "rate \(rate)")
    }

    @Test func `a start that is no place is refused`() {
        expectMessages(problems { $0.start = Coordinate(latitude: 91, longitude: 0) }, begin: ["start"])
        #expect(problems { $0.start = Coordinate(latitude: .nan, longitude: 0) }.count == 1)
    }

    @Test func `a duration of nothing is refused`() {
        expectMessages(problems { $0.duration = .zero }, begin: ["duration"])
    }

    @Test func `noise that is no number or negative is refused`() {
        expectMessages(problems { $0.noise.position = .nan }, begin: ["noise.position"], as: "noise that is no number")
        expectMessages(problems { $0.noise.speed = -1 }, begin: ["noise.speed"], as: "negative noise")
        #expect(problems { $0.noise.correlation = .zero }.count == 1)
        #expect(problems { $0.noise.outlierDistance = -5...10 }.count == 1)
    }

    @Test func `a stop that is farther than 5 km from the start is refused`() {
        let near = Coordinate(latitude: 52.56, longitude: 13.405)
        #expect(problems { $0.stops = [near] } == [])
        let far = Coordinate(latitude: 52.57, longitude: 13.405)
        expectMessages(problems { $0.stops = [near, far] }, begin: ["stops"])
        #expect(problems { $0.stops = [Coordinate(latitude: 91, longitude: 0)] }.count == 1)
    }

    @Test func `parking for no time is refused`() {
        #expect(problems { $0.parking.stay = .zero ... .seconds(5) }.count == 1)
        #expect(problems { $0.parking.afterDriving = .zero ... .seconds(5) }.count == 1)
    }

    @Test func `all problems are named at once`() {
        let found = problems {
            $0.rate = 0
            $0.vehicle = -1
            $0.noise.altitude = 1_000
            $0.geoidSeparation = 500
        }
        #expect(found.map { $0.prefix { $0 != " " } } == ["vehicle", "rate", "geoidSeparation", "noise.altitude"])
    }

    @Test func `a fleet without vehicles or of more than a million is refused`() {
        #expect(throws: ConfigurationError.self) { try SimulatedSource.fleet(vehicles: 0) }
        #expect(throws: ConfigurationError.self) { try SimulatedSource.fleet(vehicles: .max) }
    }

    @Test func `a fleet has numbered names`() throws {
        let names = try SimulatedSource.fleet(vehicles: 3).map(\.id.rawValue)
        #expect(names == ["simulated", "simulated-2", "simulated-3"])
    }

    @Test func `vehicles in real time follow the arrival, fast ones their own time`() throws {
        var configuration = SimulatedSource.Configuration()
        #expect(try SimulatedSource(configuration: configuration).timeBase == .arrival)
        configuration.pace = .asFastAsPossible
        #expect(try SimulatedSource(configuration: configuration).timeBase == .fixTime)
    }

    @Test func `a configuration has the same defaults whatever is chosen of it`() {
        #expect(SimulatedSource.Configuration(seed: 1) == SimulatedSource.Configuration())
        #expect(SimulatedSource.Configuration(rate: 1, duration: nil) == SimulatedSource.Configuration())
        #expect(SimulatedSource.Configuration(seed: 7).pace == .realTime)
    }
}
