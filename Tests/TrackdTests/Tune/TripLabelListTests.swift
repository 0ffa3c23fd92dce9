import Testing
import TrackEngineTune

/// Files of labels, as `trackd tune --trips --labels` reads them.
@Suite struct TripLabelListTests {
    @Test func `rests and unsure stretches are read, and what else a table holds is passed over`() throws {
        let labels = try TripLabelList(
            """
            {"tracks": [
              {"file": "gpx/walk.gpx", "rests": [{"from": 69, "to": 157.5, "why": "no fix"}, {"from": 450, "to": 572}],
               "unsure": [{"from": 600, "to": 700}], "by": "hand"},
              {"file": "bike.gpx", "rests": []}
            ]}
            """.utf8)
        #expect(labels.tracks.map(\.file) == ["gpx/walk.gpx", "bike.gpx"])
        #expect(labels.tracks[0].rests == [69...157.5, 450...572])
        #expect(labels.tracks[0].unsure == [600...700])
        #expect(
            labels.tracks[0].rests(from: 1000) == [
                TimeSpan(begin: 1069, end: 1157.5), TimeSpan(begin: 1450, end: 1572),
            ])
        #expect(labels.tracks[1].rests.isEmpty && labels.tracks[1].unsure.isEmpty)
    }

    @Test(arguments: [
        ("", "file"), ("[]", "tracks"), ("{\"tracks\": {}}", "tracks"),
        ("{\"tracks\": [{\"rests\": []}]}", "tracks[0].file"),
        ("{\"tracks\": [{\"file\": \"a\"}]}", "tracks[0].rests"),
        ("{\"tracks\": [{\"file\": \"a\", \"rests\": 1}]}", "tracks[0].rests"),
        ("{\"tracks\": [{\"file\": \"a\", \"rests\": []}, {\"file\": \"a\", \"rests\": []}]}", "tracks[1].file"),
        ("{\"tracks\": [{\"file\": \"a\", \"rests\": [{\"from\": 5}]}]}", "tracks[0].rests[0]"),
        ("{\"tracks\": [{\"file\": \"a\", \"rests\": [{\"from\": 5, \"to\": 5}]}]}", "tracks[0].rests[0]"),
        ("{\"tracks\": [{\"file\": \"a\", \"rests\": [{\"from\": -1, \"to\": 5}]}]}", "tracks[0].rests[0]"),
        (
            "{\"tracks\": [{\"file\": \"a\", \"rests\": [{\"from\": 1, \"to\": 5}, {\"from\": 4, \"to\": 9}]}]}",
            "tracks[0].rests[1].from"
        ),
        ("{\"tracks\": [{\"file\": \"a\", \"rests\": [], \"unsure\": [{}]}]}", "tracks[0].unsure[0]"),
    ])
    func `the first thing that is wrong is named with its place`(text: String, key: String) {
        let error = #expect(throws: TripLabelError.self) { try TripLabelList(text.utf8) }
        #expect(error?.key == key)
        #expect(error?.description.contains("expected") == true)
    }

    @Test func `a file that is too large, or has too many rests, is refused`() {
        let large = #expect(throws: TripLabelError.self) {
            try TripLabelList([UInt8](repeating: 32, count: TripLabelList.largestFile + 1))
        }
        #expect(large?.key == "file")
        let spans = (0...TripLabelList.mostSpans).map { "{\"from\":\($0 * 2),\"to\":\($0 * 2 + 1)}" }.joined(
            separator: ",")
        let many = #expect(throws: TripLabelError.self) {
            try TripLabelList("{\"tracks\":[{\"file\":\"a\",\"rests\":[\(spans)]}]}".utf8)
        }
        #expect(many?.key == "tracks[0].rests")
    }

    @Test func `a track is found by its path, or by the end of it where that is the only one`() throws {
        let labels = try TripLabelList(
            "{\"tracks\":[{\"file\":\"a/day.gpx\",\"rests\":[]},{\"file\":\"b/day.gpx\",\"rests\":[]},{\"file\":\"x.gpx\",\"rests\":[]}]}"
                .utf8)
        #expect(labels.track(of: "a/day.gpx")?.file == "a/day.gpx")
        #expect(labels.track(of: "/corpus/b/day.gpx")?.file == "b/day.gpx")
        #expect(labels.track(of: "day.gpx") == nil)  // either
        #expect(labels.track(of: "/other/x.gpx")?.file == "x.gpx")
        #expect(labels.track(of: "y.gpx") == nil)
    }
}
