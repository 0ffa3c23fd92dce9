import Foundation
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("The library's own schema")
struct TrackEngineFormatTests {
    private func object(
        _ record: TrackRecord, isBacklog: Bool = false
    ) throws -> [String: Any] {
        try Samples.format(.trackengine).messages(for: [record], isBacklog: isBacklog)[0].object()
    }

    @Test func `what is unknown is not there`() throws {
        let members = try object(Samples.minimal)
        #expect(
            Set(members.keys) == [
                "schema", "device", "id", "sequence", "source", "time", "latitude", "longitude", "isMoving", "cause",
            ])
    }

    @Test func `everything that is known is there, in SI units`() throws {
        let members = try object(Samples.full)
        let numbers = members.compactMapValues { $0 as? Double }
        #expect(numbers["speed"] == 3.429)
        #expect(numbers["course"] == 359.7)
        #expect(numbers["ellipsoidalAltitude"] == 56)
        #expect(numbers["pdop"] == 1.25)
        #expect(numbers["satellitesVisible"] == 14)
        #expect(members["time"] as? String == "2026-03-01T10:00:00.987Z")
        #expect(members["status"] as? String == "rtkFloat")
        #expect(members["simulated"] as? Bool == true)
        #expect((members["battery"] as? [String: Any])?["level"] as? Double == 0.635)
        #expect((members["activity"] as? [String: Any])?["type"] as? String == "walking")
    }

    @Test func `an event is named, a rest is no movement`() throws {
        let members = try object(Samples.rest)
        #expect(members["event"] as? String == "motionchange")
        #expect(members["isMoving"] as? Bool == false)
        #expect(members["cause"] as? String == "still")
    }

    @Test func `a place that is none is left out`() throws {
        let members = try object(Samples.nowhere)
        #expect(members["latitude"] == nil)
        #expect(members["longitude"] == nil)
    }

    @Test func `a course never rounds up to 360`() throws {
        #expect(try object(Samples.extreme)["course"] as? Double == 0)
    }

    @Test func `a backlog is marked in the payload too`() throws {
        #expect(try object(Samples.full, isBacklog: true)["backlog"] as? Bool == true)
        #expect(try object(Samples.full)["backlog"] == nil)
    }

    @Test func `names of enumerations are the core's own`() throws {
        for activity in Activity.allCases {
            let record = Samples.record(1, Samples.minimal.fix, activity: activity)
            #expect((try object(record)["activity"] as? [String: Any])?["type"] as? String == activity.name)
        }
        for state in HostStatus.BatteryState.allCases {
            let host = HostStatus(batteryLevel: nil, batteryState: state)
            let members = try object(Samples.record(1, Samples.minimal.fix, host: host))
            #expect((members["battery"] as? [String: Any])?["state"] as? String == state.name)
        }
        for cause in RecordCause.allCases {
            #expect(try object(Samples.record(1, Samples.minimal.fix, cause: cause))["cause"] as? String == cause.name)
        }
    }

    @Test func `each status of a solution has its word`() throws {
        for status in Fix.Status.allCases {
            let fix = Fix(time: Samples.minimal.fix.time, coordinate: Samples.minimal.fix.coordinate, status: status)
            #expect(try object(Samples.record(1, fix))["status"] as? String == "\(status)")
        }
    }

    @Test func `the source is part of the topic if the template says so, as one level`() throws {
        let format = try Samples.format(.trackengine) { $0.topic = "{base}/{source}/{device}" }
        let messages = format.messages(for: [Samples.full, Samples.rest, Samples.minimal], isBacklog: false)
        #expect(
            messages.map(\.message.topic) == [
                "fleet/gpsd/van_7", "fleet/gps 2%2Fα%2B/van_7", "fleet/gpsd/van_7",
            ])
        #expect(try messages[1].object()["source"] as? String == "gps 2/α+")
    }
}

@Suite("The batch format")
struct BatchFormatTests {
    @Test func `one message carries all records, in their order`() throws {
        let messages = try Samples.format(.batch).messages(for: Samples.all, isBacklog: false)
        #expect(messages.count == 1)
        let records = try #require(try messages[0].object()["records"] as? [[String: Any]])
        #expect(records.compactMap { $0["id"] as? String } == Samples.all.map(\.id.description))
        #expect(records.compactMap { $0["sequence"] as? Int } == [1, 2, 3, 4, 5])
    }

    @Test func `a record has the members that it has alone, but for those of the whole message`() throws {
        let alone = try Samples.format(.trackengine).messages(for: Samples.all, isBacklog: false)
        let records = try #require(
            try Samples.format(.batch).messages(for: Samples.all, isBacklog: false)[0].object()["records"]
                as? [[String: Any]])
        for (single, part) in zip(alone, records) {
            let expected = try single.object().filter { !["schema", "device"].contains($0.key) }
            #expect(NSDictionary(dictionary: expected) == NSDictionary(dictionary: part))
        }
    }

    @Test func `where the source is in the topic, each run of a source is a message`() throws {
        let messages = try Samples.format(.batch) { $0.topic = "{base}/{device}/{source}" }
            .messages(for: [Samples.full, Samples.minimal, Samples.rest, Samples.full], isBacklog: false)
        #expect(messages.map(\.recordCount) == [2, 1, 1])
        #expect(
            messages.map(\.message.topic) == [
                "fleet/van_7/gpsd", "fleet/van_7/gps 2%2Fα%2B", "fleet/van_7/gpsd",
            ])
    }

    @Test func `the newest record is the single schema's`() throws {
        #expect(
            try Samples.format(.batch).latest(Samples.full) == Samples.format(.trackengine).latest(Samples.full))
    }
}
