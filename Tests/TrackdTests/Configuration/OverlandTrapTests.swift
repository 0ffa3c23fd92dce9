import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings

/// What a receiver's address gives away, and what must not stand in one.
@Suite struct OverlandTrapTests {
    private func cautions(_ path: String, _ keys: String = "") throws -> [String] {
        let yaml = "sinks: [{type: overland, url: 'https://x.example\(path)'\(keys)}]"
        return try #require(Given.configuration(yaml).sinks.first?.kind).cautions
    }

    @Test func `Wayfinder is told by its path`() throws {
        let all = try cautions("/api/wayfinder/overland")
        #expect(all.map { String($0.prefix { $0 != " " }) } == ["url", "integerSpeed", "battery"])
        #expect(try cautions("/api/wayfinder/overland/", ", integerSpeed: true, battery: mains") == [])
    }

    @Test(arguments: [
        ("/api/overland", "GeoPulse"), ("/dump", "maximumThreshold"), ("/api/locations", "any2xx"),
        ("/submit/abc", "maxBatchSize"),
    ])
    func `other traps are told by their paths`(_ path: String, _ word: String) throws {
        #expect(try cautions(path).contains { $0.contains(word) })
        #expect(try cautions("/api/v1/overland/batches") == [])
    }

    @Test(arguments: ["?lat=%LAT", "/%LON", "?t=%TS", "?a=%ACC", "?s=%SPD", "?a=%ALT", "?b=%BAT"])
    func `the app's fields in an address are refused, not sent`(_ target: String) {
        let problems = Given.problems("sinks: [{type: overland, url: 'https://x.example\(target)'}]")
        #expect(problems.count == 1 && problems[0].contains("type http"), "\(problems)")
    }

    @Test(arguments: ["?a=%20b", "/%E2%82%ACC", "?a=%C3%84%20"])
    func `escapes are escapes`(_ target: String) {
        #expect(Given.problems("sinks: [{type: overland, url: 'https://x.example\(target)'}]") == [])
    }
}
