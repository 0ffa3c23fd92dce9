import Foundation
import Testing
import TrackEngine
import TrackEngineIntegrations
import TrackEngineMQTT
import TrackEngineSimulated

/// What was encoded decodes to an equal value, and the encoding is the documented one.
@Suite struct RecordTests {
    @Test func `a record is the documented object`() throws {
        #expect(
            try line(of: Samples.record) == """
                {"activity":{"confidence":67,"type":"driving"},"altitude":12.4,"battery":{"level":0.63,\
                "state":"charging"},"cause":"departed","course":90.4,"courseAccuracy":2.5,\
                "ellipsoidalAltitude":56.1,"event":"motionchange","fixActivity":"cycling","hdop":0.8,\
                "horizontalAccuracy":4.6,"id":"\(Samples.record.id)","isMoving":true,"latitude":53.5503321,\
                "longitude":-9.9871234,"mode":"3d","odometer":18342.6,"pdop":1.2,"satellitesUsed":9,\
                "satellitesVisible":14,"sequence":1042,"simulated":true,"source":"gpsd","speed":13.2,\
                "speedAccuracy":0.5,"status":"differential","time":"2026-03-01T10:00:00.987654321Z",\
                "verticalAccuracy":7.5,"weekRolloverCorrected":true}
                """)
    }

    @Test func `what is not known is not there`() throws {
        #expect(
            try line(of: Samples.barest) == """
                {"battery":{"state":"unknown"},"cause":"first","id":"00000000-0000-0000-0000-000000000007",\
                "isMoving":false,"latitude":0,"longitude":180,"sequence":1,"source":"",\
                "time":"2026-03-01T10:00:00.987654321Z"}
                """)
    }

    @Test func `a wireless network is a member of its own, also without a battery`() throws {
        let network = try #require(WifiNetwork(ssid: "depot", bssid: BSSID("02:00:5e:10:00:0f")))
        for network in [network, try #require(WifiNetwork(ssid: "Fährhafen"))] {
            for (level, state) in [(nil, HostStatus.BatteryState.unknown), (0.5, .charging)] {
                let barest = Samples.barest.draft
                let draft = RecordDraft(
                    id: barest.id, fix: barest.fix, isMoving: false, cause: .first, source: "",
                    host: HostStatus(batteryLevel: level, batteryState: state, wifi: network))
                let text = try line(of: TrackRecord(sequence: RecordSequence(rawValue: 1), draft: draft))
                #expect(text.contains("battery") == (level != nil), "\(text)")
                #expect(text.contains(#""ssid":"\#(network.ssid)""#), "\(text)")
                #expect(try record(from: text).draft == draft)
            }
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(WifiNetwork.self, from: Data(#"{"ssid":"depot","bssid":"02"}"#.utf8))
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(WifiNetwork.self, from: Data(#"{"ssid":""}"#.utf8))
        }
    }

    @Test func `records, drafts, fixes and coordinates come back as they were`() throws {
        for sample in [Samples.record, Samples.barest] {
            #expect(try record(from: line(of: sample)) == sample)
            #expect(try Samples.roundTrip(sample.draft) == sample.draft)
            #expect(try Samples.roundTrip(sample.fix) == sample.fix)
            #expect(try Samples.roundTrip(sample.fix.coordinate) == sample.fix.coordinate)
        }
    }

    @Test func `every fix of a simulated hour comes back to the last bit`() throws {
        let fixes = try SimulatedDrive(.init(seed: 11, duration: .seconds(3600))).compactMap(\.fix)
        #expect(fixes.count > 3000)
        #expect(try Samples.roundTrip(fixes) == fixes)
    }

    @Test func `every word comes back`() throws {
        #expect(try Samples.roundTrip(RecordCause.allCases) == RecordCause.allCases)
        #expect(try Samples.roundTrip(RecordEvent.allCases) == RecordEvent.allCases)
        #expect(try Samples.roundTrip(RejectionReason.allCases) == RejectionReason.allCases)
        #expect(try Samples.roundTrip(Activity.allCases) == Activity.allCases)
        #expect(try Samples.roundTrip(HostStatus.BatteryState.allCases) == HostStatus.BatteryState.allCases)
        #expect(try Samples.roundTrip(Fix.Mode.allCases) == Fix.Mode.allCases)
        #expect(try Samples.roundTrip(Fix.Status.allCases) == Fix.Status.allCases)
        #expect(try Samples.roundTrip(SourceProblem.Kind.allCases) == SourceProblem.Kind.allCases)
    }

    @Test func `a fix without a valid place is encoded without one`() throws {
        let fix = Fix(time: Samples.time, coordinate: Coordinate(latitude: .nan, longitude: 200))
        let text = String(decoding: try JSONEncoder().encode(fix), as: UTF8.self)
        #expect(text == #"{"time":"2026-03-01T10:00:00.987654321Z"}"#)
        #expect(try JSONDecoder().decode(Fix.self, from: Data(text.utf8)).coordinate.isValid == false)
    }

    @Test func `a message of the MQTT sink decodes as the record it was made of`() throws {
        let sink = try MQTTSink(configuration: .init(host: "localhost", deviceID: "van-7"))
        let message = try #require(sink.messages(for: RecordBatch(records: [Samples.record])).first)
        let read = try record(from: String(decoding: message.payload, as: UTF8.self))
        #expect(read.id == Samples.record.id && read.sequence == Samples.record.sequence)
        #expect(read.fix.coordinate == Samples.record.fix.coordinate)
        #expect(read.fix.status == Samples.record.fix.status && read.fix.mode == Samples.record.fix.mode)
        #expect(read.cause == .departed && read.event == .motionChange && read.isMoving)
        #expect(read.activity == Samples.record.activity && read.host == Samples.record.host)
        #expect(read.fix.time.duration(since: Samples.time) == .nanoseconds(-654_321), "to the millisecond, cut")
    }

    @Test(arguments: [
        #"{"id":"7","cause":"first"}"#, #"{"cause":"worst"}"#, #"{"time":"yesterday"}"#, #"{"mode":"4d"}"#,
        #"{"satellitesUsed":300}"#, #"{"sequence":"one"}"#, #"{"time":null}"#,
    ])
    func `a value of another kind is an error that says what was expected`(change: String) throws {
        var members = try #require(
            JSONSerialization.jsonObject(with: JSONEncoder().encode(Samples.record)) as? [String: Any])
        let changes = try #require(JSONSerialization.jsonObject(with: Data(change.utf8)) as? [String: Any])
        members.merge(changes) { $1 }
        let text = String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
        #expect(throws: DecodingError.self) { try record(from: text) }
    }
}
