import Foundation
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings

@Suite struct NDJSONWriterTests {
    @Test func `each line is a CalmGeo record`() throws {
        let lines = SampleRecords.document(.ndjson, [SampleRecords.full, SampleRecords.bare]).split(separator: "\n")
        #expect(lines.count == 2)
        let first = try #require(try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
        #expect(Set(first.keys) == ["id", "timestamp", "isMoving", "event", "coords", "activity", "odometer"])
    }

    @Test func `on demand a line says where the record comes from`() throws {
        let line = SampleRecords.document(.ndjson, [SampleRecords.full], namesSource: true)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["source"] as? String == "van, \"7\" <&>")
        #expect(object["event"] as? String == "motionchange")
    }
}
