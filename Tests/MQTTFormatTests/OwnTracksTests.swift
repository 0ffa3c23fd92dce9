import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("The OwnTracks format")
struct OwnTracksTests {
    private func object(
        _ record: TrackRecord, _ change: (inout MessageOptions) -> Void = { _ in }
    ) throws -> [String: Any] {
        try Samples.format(.owntracks, change).messages(for: [record], isBacklog: false)[0].object()
    }

    @Test func `every message is as OwnTracks' schema describes it`() throws {
        for record in Samples.all + [Samples.extreme] + SampleRecords.records(count: 50) {
            #expect(OwnTracksModel.problems(try object(record)) == [])
        }
    }

    @Test func `the places in which the object is are told by name and by id, and nothing of them where none is known`()
        throws
    {
        let at = try object(Samples.located[0])
        #expect(at["inregions"] as? [String] == ["Depot \"Nord\"", "City"])
        #expect(at["inrids"] as? [String] == ["depot", "city"])
        #expect(OwnTracksModel.problems(at) == [])
        for record in [Samples.located[1], Samples.full] {
            #expect(try object(record)["inregions"] == nil && object(record)["inrids"] == nil)
        }
    }

    @Test func `a name beyond ASCII is escaped in every message that has it, and read as it is`() throws {
        let (name, id) = (Samples.truckStop.name, Samples.truckStop.id)
        let places = #"{"_type":"waypoints","waypoints":[{"_type":"waypoint","desc":"\#(name)","rid":"\#(id)"}]}"#
        let format = try Samples.format(.owntracks)
        let answer = try #require(format.answer(.waypoints, json: Array(places.utf8)))
        let messages = format.messages(for: Samples.foreign, isBacklog: false).map(\.message) + [answer]
        for message in messages { #expect(message.payload.allSatisfy { $0 < 0x80 }, "\(message.text)") }
        let read = try messages.map { try JSONValue.parse($0.payload) }
        #expect(read.count == 3)
        #expect(read[0]["inregions"]?.array?.map(\.string) == [name])
        #expect(read[0]["inrids"]?.array?.map(\.string) == [id])
        #expect(read[1]["desc"]?.string == name && read[1]["rid"]?.string == id)
        #expect(try read[2] == JSONValue.parse(places.utf8))
    }

    @Test func `a place that was entered or left is a transition as its schema describes it`() throws {
        let transitions = Samples.events.filter { $0.kind == .transition }.prefix(2)
        for record in transitions { #expect(OwnTracksModel.problems(transition: try object(record)) == []) }
        #expect(transitions.count == 2)
    }

    @Test func `the model finds what is wrong with a transition`() {
        let wrong: [String: Any] = ["_type": "event", "tst": "x", "wtst": 0, "acc": 0, "event": "dwell", "t": "x"]
        #expect(OwnTracksModel.problems(transition: wrong).count == 9)
    }

    @Test func `the model finds what is wrong`() {
        let wrong: [String: Any] = [
            "_type": "lwt", "lat": "1", "tst": 1.5, "bs": 4, "cog": 360, "t": "tt", "tid": "x", "batt": 101, "m": 0,
        ]
        #expect(OwnTracksModel.problems(wrong).count == 11)
    }

    @Test func `Home Assistant drops an accuracy of 0 or none, so it is at least 1 and always there`() throws {
        #expect(try object(Samples.southWest)["acc"] as? Int == 1)  // known, and said to be 0
        #expect(try object(Samples.minimal)["acc"] as? Int == 100)  // unknown
        #expect(try object(Samples.minimal) { $0.assumedAccuracy = 250 }["acc"] as? Int == 250)
        #expect(try object(Samples.full)["acc"] as? Int == 5)
    }

    @Test(arguments: [(0.0, 0), (3.429, 12), (13.2, 48), (27.777_8, 100), (0.139, 1), (0.138, 0)])
    func `speed is in whole km/h`(_ speed: Double, _ expected: Int) throws {
        let fix = Fix(time: Samples.minimal.fix.time, coordinate: Samples.minimal.fix.coordinate, speed: speed)
        #expect(try object(Samples.record(1, fix))["vel"] as? Int == expected)
    }

    @Test func `Dawarich takes vel for km/h only where there is a topic, so it is there`() throws {
        #expect(try object(Samples.full)["topic"] as? String == "owntracks/jane/van_7")
        let messages = try Samples.format(.owntracks) { $0.topic = "ot/{source}/{device}" }
            .messages(for: Samples.all, isBacklog: false)
        for message in messages { #expect(try message.object()["topic"] as? String == message.message.topic) }
    }

    @Test func `OwnTracks Recorder files by tst, which is the time of the fix, cut to the second`() throws {
        #expect(try object(Samples.full)["tst"] as? Int == 1_772_359_200)
    }

    @Test func `a message made again does not change: it was created when its fix was taken`() throws {
        let members = try object(Samples.full)
        #expect(members["created_at"] as? Int == members["tst"] as? Int)
        #expect(members["_id"] as? String == Samples.full.id.description)
    }

    @Test func `altitude is above the sea; the ellipsoidal one is never taken for it`() throws {
        #expect(try object(Samples.full)["alt"] as? Int == 13)
        #expect(try object(Samples.southWest)["alt"] as? Int == -4)
        #expect(try object(Samples.charging)["alt"] == nil)
    }

    @Test func `battery and its state are there when they are known`() throws {
        #expect(try object(Samples.full)["batt"] as? Int == 64)
        #expect(try object(Samples.full)["bs"] as? Int == 1)
        #expect(try object(Samples.charging)["bs"] as? Int == 2)
        #expect(try object(Samples.rest)["batt"] == nil)
        #expect(try object(Samples.rest)["bs"] == nil)
        #expect(try object(Samples.minimal)["bs"] == nil)
    }

    @Test func `the mode is move while it moves, the trigger says why`() throws {
        #expect(try object(Samples.full)["m"] as? Int == 2)
        #expect(try object(Samples.rest)["m"] as? Int == 1)
        #expect(try object(Samples.full)["t"] as? String == "t")
        #expect(try object(Samples.rest)["t"] as? String == "k")
        #expect(try object(Samples.charging)["t"] as? String == "u")
        #expect(try object(Samples.minimal)["t"] == nil)
    }

    @Test func `OwnTracks is never batched`() throws {
        let messages = try Samples.format(.owntracks).messages(for: Samples.all, isBacklog: false)
        #expect(messages.map(\.recordCount) == [1, 1, 1, 1, 1])
    }

    @Test func `the position is retained at user and device, and a backlog does not move it back`() throws {
        let format = try Samples.format(.owntracks)
        let current = format.messages(for: [Samples.full], isBacklog: false)[0].message
        let old = format.messages(for: [Samples.full], isBacklog: true)[0].message
        #expect(current.topic == "owntracks/jane/van_7")
        #expect(current.isRetained)
        #expect(old.topic == current.topic)
        #expect(!old.isRetained)
    }

    @Test func `the newest record goes ahead as its own message`() throws {
        let format = try Samples.format(.owntracks)
        #expect(format.latest(Samples.full) == format.messages(for: [Samples.full], isBacklog: false)[0].message)
    }

    @Test(arguments: [("van_7", "n7"), ("7", "07"), ("Zürich", "ch"), ("ab", "ab"), ("日本", "日本")])
    func `the tracker's id is the last two letters and digits of the device`(_ device: String, _ expected: String)
        throws
    {
        #expect(try object(Samples.full) { $0.deviceID = DeviceID(rawValue: device) }["tid"] as? String == expected)
    }

    @Test func `or what the user chose`() throws {
        #expect(try object(Samples.full) { $0.trackerID = "JD" }["tid"] as? String == "JD")
    }
}
