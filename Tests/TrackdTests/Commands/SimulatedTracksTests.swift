import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings
import TrackEngineSimulated

@Suite struct SimulatedTracksTests {
    private func records(vehicles: Int, seconds: Int, merged: Bool) throws -> [RecordDraft] {
        let configuration = SimulatedSource.Configuration(seed: 4, duration: .seconds(seconds))
        return Array(try SimulatedTracks(configuration.fleet(vehicles: vehicles), merged: merged))
    }

    @Test func `merged, the fixes come in order of time, the vehicles in turn`() throws {
        let records = try records(vehicles: 3, seconds: 3, merged: true)
        #expect(
            records.map(\.source.rawValue) == [
                "simulated", "simulated-2", "simulated-3", "simulated", "simulated-2", "simulated-3", "simulated",
                "simulated-2", "simulated-3",
            ])
        #expect(records.map(\.fix.time) == records.map(\.fix.time).sorted())
    }

    @Test func `a vehicle in a tunnel does not upset the order of the others`() throws {
        var configuration = SimulatedSource.Configuration(seed: 4, duration: .seconds(3_600))
        configuration.noise.dropoutsPerHour = 100
        let records = Array(try SimulatedTracks(configuration.fleet(vehicles: 5), merged: true))
        #expect(records.count < 5 * 3_600)
        #expect(zip(records, records.dropFirst()).allSatisfy { $0.fix.time <= $1.fix.time })
    }

    @Test func `one after the other, each vehicle is complete before the next`() throws {
        let records = try records(vehicles: 2, seconds: 2, merged: false)
        #expect(records.map(\.source.rawValue) == ["simulated", "simulated", "simulated-2", "simulated-2"])
    }

    @Test func `both orders hold the same records, and every record has an id of its own`() throws {
        let merged = try records(vehicles: 4, seconds: 300, merged: true)
        let sequential = try records(vehicles: 4, seconds: 300, merged: false)
        #expect(Set(merged) == Set(sequential))
        #expect(Set(merged.map(\.id)).count == merged.count)
    }

    @Test func `a record is moving where the receiver sees speed`() throws {
        let records = try records(vehicles: 1, seconds: 1_800, merged: true)
        #expect(records.contains { $0.isMoving } && records.contains { !$0.isMoving })
        #expect(records.allSatisfy { $0.isMoving == ($0.fix.speed ?? 0 >= 0.5) })
    }
}
