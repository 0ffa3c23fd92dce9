import Foundation
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings

@Suite struct GeoJSONWriterTests {
    @Test func `a document with all there is and one with nothing but place and time`() {
        #expect(
            SampleRecords.document(.geojson, [SampleRecords.full, SampleRecords.bare]) == """
                {"type":"FeatureCollection","features":[
                {"type":"Feature","id":"00000000-0000-0000-0000-000000000001",\
                "geometry":{"type":"Point","coordinates":[-13.405,52.52,74.25]},\
                "properties":{"timestamp":"2026-03-01T10:00:00.120Z","horizontal_accuracy":4.895,"altitude":34.5,\
                "ellipsoidal_altitude":74.25,\
                "vertical_accuracy":3.92,"speed":10,"speed_accuracy":0.2,"course":271.25,"course_accuracy":1.5,\
                "mode":3,"satellites":10,"is_moving":true,"event":"motionchange","motion":["driving"],\
                "odometer":18342.5,"source":"van, \\"7\\" <&>",\
                "battery_level":0.625,"battery_state":"unplugged"}},
                {"type":"Feature","id":"00000000-0000-0000-0000-000000000002",\
                "geometry":{"type":"Point","coordinates":[179.999999999,-0.0005]},\
                "properties":{"timestamp":"2026-03-01T10:00:01.120Z","is_moving":true,"source":"gpsd"}}
                ]}

                """)
    }

    @Test(arguments: [0, 1, 5])
    func `a real parser reads as many features as there were records`(count: Int) throws {
        let records = (0..<count).map { SampleRecords.record($0) }
        let document = try JSONSerialization.jsonObject(with: Data(SampleRecords.document(.geojson, records).utf8))
        let features = try #require((document as? [String: Any])?["features"] as? [[String: Any]])
        #expect(features.count == count)
        #expect(features.allSatisfy { $0["type"] as? String == "Feature" })
    }
}
