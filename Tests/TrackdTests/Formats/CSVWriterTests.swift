import Foundation
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings

@Suite struct CSVWriterTests {
    @Test func `a wireless network is no battery, and GeoJSON has its name`() {
        let bare = SampleRecords.bare
        let draft = RecordDraft(
            id: bare.id, fix: bare.fix, isMoving: true, cause: .distance, source: bare.source,
            host: HostStatus(
                batteryLevel: nil, batteryState: .unknown, wifi: WifiNetwork(ssid: #"the "depot""#)))
        #expect(SampleRecords.document(.csv, [draft]) == SampleRecords.document(.csv, [bare]))
        let document = SampleRecords.document(.geojson, [draft])
        #expect(document.contains(#","wifi":"the \"depot\""}"#) && !document.contains("battery"), "\(document)")
    }

    @Test func `a document with all there is and one with nothing but place and time`() {
        let lines = SampleRecords.document(.csv, [SampleRecords.full, SampleRecords.bare])
            .components(separatedBy: "\r\n")
        #expect(
            lines == [
                """
                time,latitude,longitude,altitude,ellipsoidal_altitude,accuracy,vertical_accuracy,speed,course,mode,\
                satellites,id,is_moving,event,activity,source,odometer,battery_level,battery_state
                """,
                """
                2026-03-01T10:00:00.120Z,52.52,-13.405,34.5,74.25,4.895,3.92,10,271.25,3,10,\
                00000000-0000-0000-0000-000000000001,true,motionchange,driving,"van, ""7"" <&>",18342.5,0.625,unplugged
                """,
                """
                2026-03-01T10:00:01.120Z,-0.0005,179.999999999,,,,,,,,,00000000-0000-0000-0000-000000000002,true,,,gpsd,,,
                """,
                "",
            ])
    }

    @Test(arguments: [
        ("plain", "plain"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""), ("a\rb", "\"a\rb\""),
        ("", ""),
    ])
    func `a name is quoted where RFC 4180 demands it`(name: String, field: String) {
        let record = SampleRecords.record(1, source: SourceID(rawValue: name))
        #expect(SampleRecords.document(.csv, [record]).hasSuffix(",,,\(field),,,\r\n"))
    }

    @Test func `every line has as many fields as the header`() {
        let document = SampleRecords.document(.csv, [SampleRecords.bare, SampleRecords.record(1)])
        let counts = document.components(separatedBy: "\r\n").dropLast().map { $0.count { $0 == "," } }
        #expect(counts == [18, 18, 18])
    }

    @Test func `a time finer than a millisecond keeps its nanoseconds`() {
        let record = SampleRecords.record(1, at: Timestamp(secondsSince1970: 0, nanoseconds: 333_333_333))
        #expect(SampleRecords.document(.csv, [record]).contains("\r\n1970-01-01T00:00:00.333333333Z,"))
    }
}
