import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

@Suite("CSV")
struct CSVTests {
    @Test(
        arguments: [
            "time,lat,lon,ele,speed,course,accuracy\n2026-03-01T10:00:00Z,48.5,-11.25,12,3.5,90,8\n",
            "Latitude;Longitude;Timestamp;Note;Altitude (m);Speed [m/s];Heading;Horizontal Accuracy\r\n"
                + "48.5;-11.25;1772359200;a,b;12;3.5;90;8\r\n",
            "lng\tlat\tdatetime\talt\tbearing\tspeed\thacc\n-11.25\t48.5\t1772359200000\t12\t90\t3.5\t8",
            "# drive\n\n\"time\",\"lat\",\"lon\",\"altitude\",\"speed\",\"course\",\"horizontal_accuracy\",\"note\"\n"
                + "\"2026-03-01T10:00:00Z\",\"48.5\", -11.25 ,12,3.5,90,8,\"a \"\"b\"\",\nc\"\n",
        ])
    func `columns are found by name, in any order and spelling`(_ text: String) throws {
        let chunk = decode(text, as: .csv)
        #expect(chunk.problemTexts == [])
        #expect(
            chunk.fixes == [
                Fix(
                    time: try #require(moment("2026-03-01T10:00:00Z")),
                    coordinate: Coordinate(latitude: 48.5, longitude: -11.25), altitude: 12, horizontalAccuracy: 8,
                    speed: 3.5, course: 90)
            ])
    }

    @Test(arguments: ["a,b,c\n1,2,3\n4,5,6\n", "time,lat\n1,2\n", "1,2,3\n"])
    func `an unknown header is one clear problem`(_ text: String) {
        let chunk = decode(text, as: .csv)
        #expect(chunk.fixes.isEmpty)
        #expect(chunk.problems.count == 1)
        #expect(chunk.problems.first?.line == 1)
        #expect(
            chunk.problems.first?.message.contains("time or timestamp, lat or latitude, lon, lng or longitude") == true)
    }

    @Test(
        arguments: [
            ("yesterday,1,2", "malformed 2"), ("2026-03-01T10:00:00Z,north,2", "malformed 2: latitude"),
            ("2026-03-01T10:00:00Z,,2", "incomplete 2"), (",1,2", "incomplete 2"),
            ("2026-03-01T10:00:00Z", "incomplete 2"),
        ])
    func `a bad record is reported with its line and the rest goes on`(_ record: String, _ problem: String) {
        let chunk = decode("time,lat,lon\n\(record)\n2026-03-01T10:00:00Z,1,2\n", as: .csv)
        expectMessages(chunk.problemTexts, begin: [problem], as: "record \(record)")
        #expect(chunk.fixes.count == 1)
    }

    @Test
    func `a quote that never closes is reported and takes no row`() {
        let rows = String(repeating: "2026-03-01T10:00:00Z,1,2\n", count: 2000)
        let chunk = decode("time,lat,lon,note\n2026-03-01T10:00:00Z,1,2,\"oops\n" + rows, as: .csv)
        expectMessages(chunk.problemTexts, begin: ["malformed 2"], as: "an open quote")
        #expect(chunk.fixes.count == 2001)
        expectMessages(
            decode("time,lat,lon\n1,2,\"3", as: .csv).problemTexts, begin: ["malformed 2"], as: "an open quote")
    }

    @Test
    func `negative accuracies, speeds and courses are unknown`() {
        let chunk = decode("time,lat,lon,speed,course,accuracy\n1772359200,1,2,-1,-1,-1", as: .csv)
        #expect(chunk.fixes.map(\.speed) == [nil])
        #expect(chunk.fixes.map(\.course) == [nil])
        #expect(chunk.fixes.map(\.horizontalAccuracy) == [nil])
    }
}
