import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

@Suite("UpdateLocation, as Miataru's servers take it", .timeLimit(.minutes(30)))
struct UpdateLocationTests {
    /// The bodies of the requests that a batch leads to.
    private func bodies(
        _ records: [TrackRecord], current: TrackRecord? = nil,
        _ change: (inout MiataruSink.Configuration) -> Void = { _ in }
    ) throws -> String {
        let sink = try MiataruSink(configuration: Samples.configuration("http://127.0.0.1:9", change))
        return String(decoding: sink.body(for: RecordBatch(records: records, current: current)), as: UTF8.self)
    }

    @Test func `all that is known is said, numbers as numbers and the time in seconds as text`() throws {
        let fix = Fix(
            time: Timestamp(secondsSince1970: 1_763_710_000, nanoseconds: 987_654_321),
            coordinate: Coordinate(latitude: 49.828_912_34, longitude: 10.837_5), altitude: 230.54,
            horizontalAccuracy: 4.96, verticalAccuracy: 7, speed: 1.504, course: 12)
        let body = try bodies([Samples.record(fix, battery: 0.854)]) { $0.identity.deviceKey = Secret("k\"1") }
        #expect(
            body
                == #"{"MiataruConfig":{"EnableLocationHistory":"false","LocationDataRetentionTime":"1440"},"#
                + #""MiataruLocation":[{"Device":"7B8E6F0A-1111-4222-8333-ABCDEF012345","DeviceKey":"k\"1","#
                + #""Timestamp":"1763710000","Longitude":10.8375,"Latitude":49.8289123,"HorizontalAccuracy":5,"#
                + #""Speed":1.5,"BatteryLevel":85,"Altitude":230.5}]}"#)
    }

    @Test func `what is unknown is left out, but an accuracy, which servers demand`() throws {
        let body = try bodies([Samples.record(Samples.fix(1_763_710_000))])
        #expect(body.hasSuffix(#""Latitude":53.55,"HorizontalAccuracy":100}]}"#), "\(body)")
    }

    @Test(arguments: [
        (Fix.Quantity.altitude, -1.0, #""Altitude":-1.1"#), (.altitude, -1.04, #""Altitude":-1.1"#),
        (.altitude, 100_001, ""), (.altitude, -1001, ""), (.speed, 1000.5, ""),
        (.accuracy, 20_000, #""HorizontalAccuracy":10000"#),
    ])
    func `a value that servers refuse or take for unknown does not spoil its batch`(
        _ quantity: Fix.Quantity, _ value: Double, _ member: String
    ) throws {
        let fix = Fix(
            time: Timestamp(secondsSince1970: 1_763_710_000), coordinate: Coordinate(latitude: 1, longitude: 2),
            altitude: quantity == .altitude ? value : nil, horizontalAccuracy: quantity == .accuracy ? value : 5,
            speed: quantity == .speed ? value : nil)
        let body = try bodies([Samples.record(fix)])
        if member.isEmpty {
            #expect(!body.contains("Altitude") && !body.contains("Speed"), "\(body)")
        } else {
            #expect(body.contains(member), "\(body)")
        }
    }

    @Test func `with a history all go out, oldest first`() throws {
        let records = (1...3).map { Samples.record(Samples.fix(1_763_710_000 + $0), number: $0) }
        let body = try bodies(records, current: Samples.record(Samples.fix(1_763_710_009), number: 9)) {
            ($0.history, $0.retention) = (true, 60)
        }
        #expect(body.contains(#""EnableLocationHistory":"true","LocationDataRetentionTime":"60""#))
        #expect(body.ranges(of: #""Timestamp":"#).count == 3)
        let places = (1...3).compactMap { body.firstRange(of: #""176371000\#($0)""#)?.lowerBound }
        #expect(places.count == 3 && places == places.sorted())
    }

    @Test func `without a history the newest alone goes out, of what waits behind the batch, too`() throws {
        let records = (1...3).map { Samples.record(Samples.fix(1_763_710_000 + $0), number: $0) }
        #expect(try bodies(records).ranges(of: #""Timestamp":"1763710003""#).count == 1)
        let body = try bodies(records, current: Samples.record(Samples.fix(1_763_710_009), number: 9))
        #expect(body.ranges(of: #""Timestamp":"#).count == 1 && body.contains("1763710009"))
    }
}

extension Fix {
    enum Quantity: Sendable { case altitude, speed, accuracy }
}
