import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// The exports of Google's location history.
@Suite struct GoogleTests {
    private static func seconds(_ chunk: TrackChunk) -> [Int64] {
        chunk.fixes.map { $0.time.secondsSince1970 - 1_772_359_200 }
    }

    @Test func `Records has degrees as whole numbers, and times as texts of either kind`() {
        let text = """
            {"locations":[
            {"latitudeE7":525200000,"longitudeE7":-134050000,"accuracy":16,"altitude":40,"verticalAccuracy":3,
             "velocity":2,"heading":90,"timestamp":"2026-03-01T10:00:00Z","activity":[{"activity":[{"type":"STILL"}]}]},
            {"latitudeE7":525205000,"longitudeE7":4160917296,"timestampMs":"1772359201000","source":"WIFI"},
            {"latitudeE7":4159967296,"longitudeE7":134050000,"timestampMs":1772359202000}
            ]}
            """
        let chunk = read(text, as: .geojson)
        #expect(Self.seconds(chunk) == [0, 1, 2])
        #expect(chunk.latitudes == [52.52, 52.5205, -13.5])
        #expect(chunk.fixes.map(\.coordinate.longitude) == [-13.405, -13.405, 13.405])
        #expect(chunk.fixes.first?.speed == 2)
        #expect(chunk.fixes.first?.verticalAccuracy == 3)
        #expect(chunk.problemTexts == [])
    }

    private static let android = """
        {"semanticSegments":[
         {"startTime":"2026-03-01T10:00:00.000Z","endTime":"2026-03-01T12:00:00.000Z","timelinePath":[
          {"point":"1.0000000°, 2.0000000°","time":"2026-03-01T10:00:00Z"},
          {"point":"53,07°, 8,80°","time":"2026-03-01T11:00:01.000+01:00"}]},
         {"startTime":"2026-03-01T11:30:00.000+02:00","endTime":"2026-03-01T10:00:30Z","visit":{"hierarchyLevel":0,
          "topCandidate":{"placeId":"x","placeLocation":{"latLng":"4°, 5°"}}}},
         {"startTime":"2026-03-01T10:00:30Z","endTime":"2026-03-01T10:01:00Z","activity":{"start":{"latLng":"5°, 5°"},
          "end":{"latLng":"6\\u00b0, 5\\u00b0"},"distanceMeters":7,"topCandidate":{"type":"WALKING"}}}],
         "rawSignals":[{"wifiScan":{"deliveryTime":"2026-03-01T10:02:00Z"}},
          {"position":{"LatLng":"7°, 5°","accuracyMeters":13,"altitudeMeters":40,"source":"GPS",
           "timestamp":"2026-03-01T10:02:00.000Z","speedMetersPerSecond":1.2}}],"userLocationProfile":{"a":[{}]}}
        """

    @Test func `Android's timeline is paths, visits, activities and signals in the order of time`() {
        let chunk = read(Self.android, as: .geojson)
        #expect(chunk.latitudes == [4, 1, 53.07, 5, 6, 7])
        #expect(Self.seconds(chunk) == [-1800, 0, 1, 30, 60, 120])
        #expect(chunk.fixes.last?.speed == 1.2)
        #expect(chunk.fixes.last?.horizontalAccuracy == 13)
        #expect(chunk.fixes.last?.altitude == 40)
        #expect(chunk.problemTexts == [])
    }

    @Test func `an iPhone's timeline is an array, whose paths count minutes`() {
        let text = """
            [{"startTime":"2026-03-01T11:00:00.000+01:00","endTime":"2026-03-01T10:10:00Z",
              "visit":{"probability":"0.9","topCandidate":{"placeLocation":"geo:1.5,2.5","placeID":"x"}}},
             {"startTime":"2026-03-01T10:10:00Z","endTime":"2026-03-01T12:00:00Z","timelinePath":[
              {"point":"geo:3,2;u=35","durationMinutesOffsetFromStartTime":"2"},
              {"point":"geo:4,2","durationMinutesOffsetFromStartTime":"3"}]},
             {"startTime":"2026-03-01T10:10:00Z","endTime":"2026-03-01T10:11:00Z",
              "activity":{"start":"geo:2,2","end":"geo:2.5,2","topCandidate":{"type":"walking"}}}]
            """
        let chunk = read(text, as: .geojson)
        #expect(Self.seconds(chunk) == [0, 600, 660, 720, 780])
        #expect(chunk.latitudes == [1.5, 2, 2.5, 3, 4])
        #expect(chunk.problemTexts == [])
    }

    @Test func `places that cannot be read are reported, and so are signals that the segments have already`() {
        let text = Self.android.replacing("1.0000000°, 2.0000000°", with: "somewhere").replacing(
            "10:02:00.000Z", with: "10:00:10.000Z")
        let chunk = read(text, as: .geojson)
        #expect(chunk.latitudes == [4, 53.07, 5, 6])
        expectMessages(chunk.problems.map(\.message))
    }

    @Test func `a timeline of any length is in the order of time while few fixes wait`() {
        let segments = (0..<3000).map { number in
            let start = Timestamp(secondsSince1970: 1_772_359_200 + Int64(number) * 3600).rfc3339()
            let path = (0..<10).map { #"{"point":"1°, 2°","durationMinutesOffsetFromStartTime":"\#($0 * 9)"}"# }
            return #"{"startTime":"\#(start)","timelinePath":[\#(path.joined(separator: ","))]}"#
        }
        let chunk = TrackFormat.geojson.read(Array("[\(segments.joined(separator: ",\n"))]".utf8))
        #expect(chunk.fixes.count == 30_000)
        #expect(zip(chunk.fixes, chunk.fixes.dropFirst()).allSatisfy { $0.time <= $1.time })
        #expect(chunk.problems.isEmpty)
    }

    @Test func `the Semantic Location History is visits, ends of activities and their points in the order of time`() {
        func place(_ latitude: Int64) -> String { #"{"latitudeE7":\#(latitude),"longitudeE7":4160917296}"# }
        func duration(_ start: String, _ end: String) -> String {
            #"{"startTimestamp":"2026-03-01T\#(start)Z","endTimestamp":"2026-03-01T\#(end)Z"}"#
        }
        let text = """
            {"timelineObjects":[{"placeVisit":{"location":\(place(10_000_000)),"duration":\(duration("08:00:00", "09:00:00")),
            "childVisits":[{"location":\(place(90_000_000)),"duration":\(duration("08:10:00", "08:20:00"))}]}},
            {"activitySegment":{"startLocation":\(place(20_000_000)),"endLocation":\(place(40_000_000)),
            "duration":\(duration("09:00:00", "09:20:00")),"waypointPath":{"waypoints":[{"latE7":5,"lngE7":5}]},
            "simplifiedRawPath":{"points":[{"latE7":30000000,"lngE7":134500000,"timestamp":"2026-03-01T09:10:00Z"}]},
            "parkingEvent":{"timestamp":"2026-03-01T09:20:00Z","location":\(place(90_000_000))}}}]}
            """
        let chunk = read(text, as: .geojson)
        #expect(Self.seconds(chunk) == [-7200, -3600, -3000, -2400])
        #expect(chunk.latitudes == [1, 2, 3, 4])
        #expect(chunk.fixes.map(\.coordinate.longitude) == [-13.405, -13.405, 13.45, -13.405])
        #expect(chunk.problemTexts == [])
    }

    @Test func `older exports of the history have milliseconds, and a place without degrees is no place`() {
        let text = """
            {"timelineObjects":[
            {"placeVisit":{"location":{"latitudeE7":10000000,"longitudeE7":20000000},
             "duration":{"startTimestampMs":"1772359200000","endTimestampMs":"1772359260000"}}},
            {"activitySegment":{"startLocation":{"placeId":"x"},"endLocation":{"latitudeE7":20000000,"longitudeE7":20000000},
             "duration":{"startTimestampMs":"1772359260000","endTimestampMs":"1772359270000"},
             "simplifiedRawPath":{"points":[{"latE7":15000000,"lngE7":20000000,"timestampMs":"1772359265000"}]}}}]}
            """
        let chunk = read(text, as: .geojson)
        #expect(Self.seconds(chunk) == [0, 65, 70])
        #expect(chunk.latitudes == [1, 1.5, 2])
        #expect(chunk.problemTexts == [])
    }
}
