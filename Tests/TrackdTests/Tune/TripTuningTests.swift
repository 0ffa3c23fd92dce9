import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEnginePlaces
import TrackEngineTune

/// What `trackd tune --trips` makes of a track: 600 s of rest, 3 km at 10 m/s, and 600 s of rest.
@Suite struct TripTuningTests {
    private static let fixes: [Fix] = (0...1500).map { second in
        let north = Double(min(max(second - 600, 0), 300) * 10)
        let place = SampleTrack.fix(second, north: north, east: 0)
        let moves = second > 600 && second <= 900
        return Fix(time: place.time, coordinate: place.coordinate, horizontalAccuracy: 3, speed: moves ? 10 : 0)
    }

    private static func labels(_ rests: String) throws -> TripLabelList.Track? {
        try TripLabelList("{\"tracks\":[{\"file\":\"day.gpx\",\"rests\":[\(rests)]}]}".utf8).tracks.first
    }

    private static func trial(
        _ name: String = "day.gpx", labels: TripLabelList.Track? = nil, fixes: [Fix] = fixes, limit: Int = 1_000_000
    ) throws -> TripTrial {
        var recording = TripRecording(RecordingConfiguration(), wallClock: nil, limit: limit)
        recording.take(fixes)
        return try TripTrial(name, recording, VisitAndTripSettings(), places: PlaceIndex([]), labels: labels)
    }

    private static let right = "{\"from\":0,\"to\":600},{\"from\":900,\"to\":1500}"
    /// The second rest is not one, and between them there was one.
    private static let contrary = "{\"from\":0,\"to\":600},{\"from\":620,\"to\":880}"

    @Test func `stops and trips are found as a running agent finds them`() throws {
        let trial = try Self.trial()
        #expect(trial.findings.visits.count == 2 && trial.findings.trips.count == 1)
        #expect(trial.findings.visits[1].departure == nil)
        #expect(trial.findings.stops[1].end == trial.findings.end.seconds)
        #expect(trial.judgement == nil)
        #expect(TripTrial.total([trial]) == nil)
    }

    @Test func `labels give scores at one, three and five minutes`() throws {
        let trial = try Self.trial(labels: Self.labels(Self.right))
        let judgement = try #require(trial.judgement)
        #expect(judgement.score.found == 2 && judgement.score.mistakes == 0 && judgement.score.trips == 1)
        #expect(judgement.scores.count == 3)
        for score in judgement.scores {
            #expect(score.f1 == 1 && score.arrivalError <= 10 && score.departureError <= 5)
        }
        let total = try #require(TripTrial.total([trial, trial, try Self.trial()]))
        #expect(total.map(\.found) == [4, 4, 4])
    }

    @Test func `a stop without a rest is wrong, and a rest without a stop missed`() throws {
        let trial = try Self.trial(labels: Self.labels(Self.contrary))
        let score = try #require(trial.judgement?.score)
        #expect((score.found, score.missed, score.wrong) == (1, 1, 1))
        #expect(TripRow.rows(of: trial).map(\.word) == ["found", "", "missed", "wrong"])
    }

    @Test func `the worst tracks come first, and those without labels last`() throws {
        let trials = [
            try Self.trial("plain"), try Self.trial("right", labels: Self.labels(Self.right)),
            try Self.trial("bad", labels: Self.labels(Self.contrary)),
        ]
        #expect(TripTrial.worstFirst(trials).map(\.name) == ["bad", "plain", "right"])
    }

    @Test func `the gates refuse what they refuse in a running agent, and the limit leaves out the rest`() throws {
        var fixes = Self.fixes
        fixes[10] = Fix(time: fixes[10].time, coordinate: Coordinate(latitude: 100, longitude: 0))
        let recording = try Self.trial(fixes: fixes, limit: 1000).recording
        #expect(recording.refused == 1 && recording.fixes.count == 1000 && recording.leftOut == 500)
        #expect(recording.read == 1501)
    }

    // MARK: Showing it

    @Test func `the table has a line for each stop, trip and missed rest, and the scores`() throws {
        let plain = TripTable([try Self.trial()]).text
        #expect(
            plain.hasPrefix(
                "stopAfter 3 min, stayRadius 50 m, minimumDistance 200 m, gap 1 h\n\nday.gpx: 1501 fixes in 25 min, 2 stops, 1 trip\n"
            ))
        #expect(plain.contains("  trip") && !plain.contains("PRECISION"))
        let text = TripTable([try Self.trial(labels: Self.labels(Self.contrary))]).text
        #expect(text.contains("1 found, 1 missed, 1 wrong"))
        #expect(text.contains("PRECISION") && text.contains("   1 min") && text.contains("   5 min"))
        #expect(
            text.split(separator: "\n").contains { $0.contains("620") && $0.contains("880") && $0.contains("missed") })
    }

    @Test func `the JSON has the same figures, in seconds since the first fix`() throws {
        let trial = try Self.trial(labels: Self.labels(Self.contrary))
        let object = try JSONValue.parse(TripJSON([trial]).bytes)
        let track = try #require(object["tracks"]?.array?.first)
        #expect(track["file"] == .string("day.gpx"))
        #expect(track["stops"]?.array?.compactMap { $0["verdict"]?.string } == ["found", "wrong"])
        #expect(track["stops"]?.array?.first?["from"] == .number(0))
        #expect(track["missed"]?.array?.first?["to"] == .number(880))
        #expect(track["trips"]?.array?.first?["mode"] == .string("car"))
        #expect(object["scores"]?.array?.compactMap { $0["duration"]?.number } == [60, 180, 300])
    }

    @Test func `the page is well-formed, marks what is wrong, and names no folder`() throws {
        let trial = try Self.trial("/home/jane/<day> & co.gpx", labels: Self.labels(Self.contrary))
        let page = String(decoding: TripReport([trial]).bytes, as: UTF8.self)
        let document = XMLDocument(page)
        #expect(document.count(of: "svg") == 4)  // map, timeline, one wrong, one missed
        #expect(document.count(of: "script") == 0 && document.count(of: "img") == 0 && document.count(of: "link") == 0)
        #expect(document.texts["h1"] == ["Stops and trips of <day> & co.gpx"])
        for reference in ["http:", "https:", "url(", "@import", "src=", "//", "/home/jane"] {
            #expect(!page.contains(reference), "\(reference)")
        }
        #expect(page.contains("Missed rest: 620 to 880 s") && page.contains("(wrong)"))
    }

    @Test func `the page of many long tracks stays small`() throws {
        var fixes: [Fix] = []
        for second in 0..<20_000 {
            let turn = Double(second) / 300
            fixes.append(SampleTrack.fix(second, north: 900 * turn, east: 500 * turn * Double(second % 7 - 3) / 9))
        }
        let trials = try (0..<50).map { try Self.trial("long \($0)", fixes: fixes) }
        let page = String(decoding: TripReport(trials).bytes, as: UTF8.self)
        #expect(page.utf8.count < 6_000_000, "\(page.utf8.count)")
        #expect(page.contains("10 more tracks are not drawn"))
    }
}

extension Timestamp {
    fileprivate var seconds: Double { Double(secondsSince1970) + Double(nanosecondsInSecond) * 1e-9 }
}
