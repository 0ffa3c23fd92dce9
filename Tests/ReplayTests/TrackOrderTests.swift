import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// The tracks of a document in the order in which they began, each forward in time.
@Suite("The order of tracks")
struct TrackOrderTests {
    /// 2026-03-01T10:00:00Z.
    private static let start: Int64 = 1_772_359_200

    /// A GPX document; each track is a list of segments, and each of them of seconds since the start.
    private static func gpx(_ tracks: [[[Int]]]) -> String {
        let body = tracks.map { segments in
            "<trk>\n" + segments.map { "<trkseg>" + $0.map(point).joined() + "</trkseg>\n" }.joined() + "</trk>\n"
        }
        return "<gpx version=\"1.1\">\n" + body.joined() + "</gpx>\n"
    }

    private static func point(_ second: Int) -> String {
        let time = Timestamp(secondsSince1970: start + Int64(second)).description
        return "<trkpt lat=\"48.5\" lon=\"\(Double(second % 1_000_000) / 10_000)\"><time>\(time)</time></trkpt>"
    }

    private static func table(_ seconds: [Int]) -> String {
        "time,lat,lon\n" + seconds.map { "\(start + Int64($0)),48.5,\(Double($0 % 1_000_000) / 10_000)\n" }.joined()
    }

    /// The seconds of a file's fixes, and the lines of what is reported.
    private func read(
        _ text: String, named name: String, _ options: ReplayOptions = ReplayOptions()
    ) async throws -> (seconds: [Int], lines: [Int?]) {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try write(Array(text.utf8), to: directory + "/" + name)
            let chunk = try replay(directory + "/" + name, options: options)
            return (chunk.fixes.map { Int($0.time.secondsSince1970 - Self.start) }, chunk.problems.map(\.line))
        }
    }

    @Test
    func `tracks come in the order of their first points, whatever their order in the file`() async throws {
        let tracks = [[Array(200..<260)], [Array(100..<120), Array(130..<150)], [Array(0..<60)], [[]]]
        let found = try await read(Self.gpx(tracks), named: "a.gpx")
        #expect(found.seconds == Array(0..<60) + Array(100..<120) + Array(130..<150) + Array(200..<260))
        #expect(found.lines == [])
    }

    /// Documents of three tracks of five points, the newest first.
    private static func documents() -> [String: String] {
        func times(_ track: Int) -> [String] {
            (0..<5).map { Timestamp(secondsSince1970: start + Int64(track * 100 + $0)).description }
        }
        let tracks = [2, 1, 0].map(times)
        let kml = tracks.map { track in
            "<Placemark><gx:Track>" + track.map { "<when>\($0)</when>" }.joined()
                + track.indices.map { "<gx:coord>0.000\($0) 48.5 0</gx:coord>" }.joined() + "</gx:Track></Placemark>\n"
        }
        let lines = tracks.map { track in
            let places = track.indices.map { "[0.000\($0),48.5]" }.joined(separator: ",")
            let times = track.map { "\"\($0)\"" }.joined(separator: ",")
            return "{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[\(places)]},"
                + "\"properties\":{\"coordTimes\":[\(times)]}}"
        }
        let activities = tracks.map { track in
            let points = track.enumerated().map { index, time in
                "<Trackpoint><Time>\(time)</Time><Position><LatitudeDegrees>48.5</LatitudeDegrees>"
                    + "<LongitudeDegrees>0.000\(index)</LongitudeDegrees></Position></Trackpoint>"
            }
            return "<Activity><Lap><Track>" + points.joined() + "</Track></Lap></Activity>\n"
        }
        return [
            "a.kml": "<kml xmlns:gx=\"x\"><Document>\n" + kml.joined() + "</Document></kml>\n",
            "a.geojson": "{\"type\":\"FeatureCollection\",\"features\":[\n" + lines.joined(separator: ",\n") + "]}\n",
            "a.tcx": "<TrainingCenterDatabase><Activities>\n" + activities.joined()
                + "</Activities></TrainingCenterDatabase>\n",
        ]
    }

    @Test(arguments: ["a.kml", "a.geojson", "a.tcx"])
    func `also in KML, GeoJSON and TCX`(_ name: String) async throws {
        let text = try #require(Self.documents()[name])
        let found = try await read(text, named: name)
        #expect(found.seconds == Array(0..<5) + Array(100..<105) + Array(200..<205))
        #expect(found.lines == [])
    }

    @Test
    func `of tracks that begin at the same time the first stays the first, and none is mixed with another`()
        async throws
    {
        let found = try await read(Self.gpx([[[10, 30, 50]], [[0, 20, 40]], [[10, 11]]]), named: "a.gpx")
        #expect(found.seconds == [0, 20, 40, 10, 30, 50, 10, 11])
    }

    @Test(arguments: [-1_000_000, 1_000_000])
    func `a wrong date at the begin of a track does not move it`(_ wild: Int) async throws {
        let tracks = [[Array(0..<60)], [[wild, wild + 1] + Array(100..<160)], [Array(200..<260)]]
        let found = try await read(Self.gpx(tracks), named: "a.gpx")
        #expect(found.seconds == tracks.flatMap { $0.flatMap(\.self) })
    }

    @Test
    func `a track that goes back in time is read from its end, and is named`() async throws {
        let segments = [Array((30..<60).reversed()), Array((0..<30).reversed())]
        let found = try await read(Self.gpx([[[100, 101]], segments]), named: "a.gpx")
        #expect(found.seconds == Array(0..<60) + [100, 101])
        #expect(found.lines == [6, 7])
        let table = try await read(Self.table([5, 4, 4, 3, 1, 0]), named: "a.csv")
        #expect(table.seconds == [0, 1, 3, 4, 4, 5])
        #expect(table.lines == [nil])
    }

    @Test
    func `segments of a track come in the order of their begin`() async throws {
        let found = try await read(Self.gpx([[Array(200..<260), Array(100..<103), Array(0..<60)]]), named: "a.gpx")
        #expect(found.seconds == Array(0..<60) + Array(100..<103) + Array(200..<260))
        #expect(found.lines == [])
    }

    @Test(arguments: [3, 60])
    func `days of a table come in their order, each forward`(_ count: Int) async throws {
        let days = (0..<3).map { day in (0..<count).map { day * 86_400 + $0 * 10 } }
        let sorted = days.flatMap(\.self)
        for name in ["a.csv", "a.gpx"] {
            for order in [days.reversed(), [days[1], days[2], days[0]]] {
                let seconds = order.flatMap(\.self)
                let found = try await read(name == "a.csv" ? Self.table(seconds) : Self.gpx([[seconds]]), named: name)
                #expect(found.seconds == sorted)
                #expect(found.lines == [])
            }
            let seconds = days.flatMap { $0.reversed() }
            let found = try await read(name == "a.csv" ? Self.table(seconds) : Self.gpx([[seconds]]), named: name)
            #expect(found.seconds == sorted)
            #expect(found.lines.count == 3)
        }
    }

    @Test
    func `a day of few fixes between others is one, too`() async throws {
        let days = [(3, 60), (2, 2), (1, 60)].map { day, count in (0..<count).map { day * 86_400 + $0 * 10 } }
        let found = try await read(Self.table(days.flatMap(\.self)), named: "a.csv")
        #expect(found.seconds == days.reversed().flatMap(\.self))
    }

    @Test
    func `a wrong time among many is no day, nor are stretches that overlap`() async throws {
        let wild = Array(100_000..<100_040) + [5] + Array(100_040..<100_080)
        #expect(try await read(Self.table(wild), named: "a.csv").seconds == wild)
        let late = [900_000] + Array(0..<40)
        #expect(try await read(Self.table(late), named: "a.csv").seconds == late)
        let setRight = Array(7200..<7240) + Array(40..<80)
        #expect(try await read(Self.table(setRight), named: "a.csv").seconds == setRight)
        let lostWeek = Array(0..<8).map { $0 + 1024 * 7 * 86_400 } + Array(8..<40)
        #expect(try await read(Self.gpx([[lostWeek]]), named: "a.gpx").seconds == lostWeek)
        let twice = Array(stride(from: 0, to: 40_000, by: 1000)) + Array(stride(from: 500, to: 40_000, by: 1000))
        #expect(try await read(Self.table(twice), named: "a.csv").seconds == twice)
    }

    /// 1024 weeks, in seconds.
    private static let weeks = 1024 * 7 * 86_400

    @Test(arguments: [0, 1, 2])
    func `a track dated 1024 weeks before the others is named`(_ lost: Int) async throws {
        let segments = (0..<4).map { index in
            (0..<6).map { index * 100 + $0 - (index == lost || index == lost + 1 ? Self.weeks : 0) }
        }
        let sorted =
            (segments[lost] + segments[lost + 1])
            + segments.indices.filter { $0 != lost && $0 != lost + 1 }
            .flatMap { segments[$0] }
        for name in ["segments", "tracks"] {
            let text = Self.gpx(name == "tracks" ? segments.map { [$0] } : [segments])
            let found = try await read(text, named: "a.gpx")
            #expect(found.seconds == sorted)
            #expect(found.lines.count == 2)
        }
    }

    @Test
    func `tracks of many years are not named, whatever lies between them`() async throws {
        let years = (0..<23).map { year in [Array(((year - 22) * 365 * 86_400)..<((year - 22) * 365 * 86_400 + 5))] }
        #expect(try await read(Self.gpx(years), named: "a.gpx").lines == [])
    }

    @Test
    func `a track dated ahead of the clock by 1024 weeks stands where its corrected date belongs`() async throws {
        let segments = [Array(0..<6), Array((100 + Self.weeks)..<(106 + Self.weeks))]
        let last = Array(200..<206)
        let options = ReplayOptions(now: Timestamp(secondsSince1970: Self.start + 3600))
        let found = try await read(Self.gpx([segments + [last]]), named: "a.gpx", options)
        #expect(found.seconds == segments.flatMap(\.self) + last)
        #expect(found.lines == [])
    }

    /// 270 days after the start, which is 2026-11-26.
    private static let later = ReplayOptions(now: Timestamp(secondsSince1970: start + 270 * 86_400))

    @Test(arguments: [true, false])
    func `a track dated ahead of the clock is named, and not the one 1024 weeks before it`(_ isFirst: Bool) async throws
    {
        let (right, wrong) = (Array(0..<6), Array(Self.weeks..<(Self.weeks + 6)))
        let text = Self.gpx(isFirst ? [[wrong], [right]] : [[right], [wrong]])
        let found = try await read(text, named: "a.gpx", Self.later)
        #expect(found.seconds == right + wrong)
        #expect(found.lines == [isFirst ? 3 : 6])
    }

    @Test
    func `a track alone that lies more than a day ahead of the clock is named, unless a later present is given`()
        async throws
    {
        let day = 86_400
        for (begin, isNamed) in [(Self.weeks, true), (272 * day, true), (271 * day - 9, false), (270 * day, false)] {
            let seconds = Array(begin..<(begin + 6))
            let found = try await read(Self.gpx([[seconds]]), named: "a.gpx", Self.later)
            #expect(found.seconds == seconds)
            #expect(found.lines == (isNamed ? [3] : []))
        }
        let options = ReplayOptions(now: Timestamp(secondsSince1970: Self.start + Int64(Self.weeks)))
        #expect(try await read(Self.gpx([[[Self.weeks]]]), named: "a.gpx", options).lines == [])
    }

    @Test(
        arguments: [[0, 1, 2, 1, 3], [5, 0, 1, 2], [0, 0, 0], [3, 3, 2, 4, 1, 2, 3], [7]])
    func `single steps back within a track are left to the gates`(_ seconds: [Int]) async throws {
        for (text, name) in [(Self.gpx([[seconds]]), "a.gpx"), (Self.table(seconds), "a.csv")] {
            let found = try await read(text, named: name)
            #expect(found.seconds == seconds)
            #expect(found.lines == [])
        }
    }

    @Test
    func `a log of a receiver is never put into another order`() async throws {
        let text = [3, 2, 1].map { sentence("GPRMC,10000\($0),A,4807.038,N,01131.000,E,,,010326,,,A") }.joined()
        #expect(try await read(text, named: "a.nmea").seconds == [3, 2, 1])
    }

    @Test
    func `no chunk has more than 1024 fixes of a document that was put into order`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try write(Array(Self.gpx([[Array(3000..<5000)], [Array(0..<3000)]]).utf8), to: directory + "/a.gpx")
            let file = try ReplayFile(path: directory + "/a.gpx")
            var seconds: [Int] = []
            while let chunk = try file.next() {
                #expect(chunk.fixes.count <= 1024)
                #expect(chunk.bytesRead <= chunk.totalBytes ?? 0)
                seconds += chunk.fixes.map { Int($0.time.secondsSince1970 - Self.start) }
            }
            #expect(seconds == Array(0..<5000))
        }
    }

    @Test
    func `what follows a quarter of a million fixes comes as it stands, in bounded memory`() async throws {
        let late = Array(400_000..<400_010)
        let found = try await read(
            "time,lat,lon\n" + (late + Array(0..<300_000)).map { "\(Self.start + Int64($0)),1,1\n" }.joined(),
            named: "a.csv")
        #expect(found.seconds.filter { $0 < 400_000 } == Array(0..<300_000))
        let place = try #require(found.seconds.firstIndex(of: 400_000))
        #expect((249_000..<260_000).contains(place))
        #expect(Array(found.seconds[place...].prefix(10)) == late)
    }
}
