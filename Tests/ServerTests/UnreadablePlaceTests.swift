import TestSupport
import Testing
import TrackEngine
import TrackEngineServer

/// What OwnTracks' app is answered for a place that cannot be read.
@Suite(.timeLimit(.minutes(15))) struct UnreadablePlaceTests {
    private static func location(_ latitude: String, _ longitude: String = "8.8") -> String {
        #"{"_type":"location","tst":1772359200,"lat":\#(latitude),"lon":\#(longitude)}"#
    }

    /// The app sends a message again until it is answered with success, and holds back all others meanwhile: a 400
    /// would stop it for ever (see `OwnTracksSender`).
    @Test(arguments: [
        location(#""53,07""#), location("null"), location("91"), location("{}"), location("53.07", #""8,80""#),
        #"{"_type":"location","tst":1772359200,"lon":8.8}"#, #"{"_type":"location","tst":1772359200}"#,
    ])
    func `it is listed and not kept, and the answer is success, so that what waits behind it comes`(_ body: String)
        async throws
    {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let json = ["Content-Type": "application/json"]
            let reply = try await bench.send("POST", "/pub?token=\(token)", json, body: body)
            #expect(reply.status == 200 && reply.body == "[]")
            #expect(try await bench.points(of: "phone").isEmpty)
            let list = try JSONValue.parse(
                try await bench.send("GET", "/api/rejected?key=\(bench.key)").body.utf8)
            #expect(list["total"]?.number == 1)
            let entry = try #require(list["newest"]?.array?.first)
            #expect(entry["sender"]?.string == "phone" && entry["format"]?.string == "owntracks")
            #expect(entry["reason"]?.string?.contains("latitude") == true, "\(entry)")
            let next = try await bench.send("POST", "/pub?token=\(token)", json, body: Self.location("53.07"))
            #expect(next.status == 200)
            #expect(
                try await bench.points(of: "phone").map(\.fix.coordinate)
                    == [Coordinate(latitude: 53.07, longitude: 8.8)])
        }
    }
}
