import Foundation
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings
import TrackEngineTune

/// The table, the JSON and the page for a track whose figures can be worked out by hand.
@Suite struct TuneOutputTests {
    @Test func `the table has every column for every rule`() throws {
        let text = TuneTable(try SampleTrack.tuning()).text
        #expect(text.hasPrefix(Self.golden), "\(text)")
    }

    /// With 16 m every second fix, 20 m away, is kept, and stretched by 3.1 for every 5 m/s of speed every tenth; one more
    /// record is where it comes to rest. The deviation rule needs the corners and an end each 30 s.
    private static let golden = """
        301 fixes in 5 min of recording, 3.0 km from fix to fix; longest gap between fixes 1 s

          RULE                        KEPT AN HOUR OVERLAND     MQTT    BATCH   MAX m MEAN m  95% m  SILENCE
        * distance 16 m ×3.1            32     384  13.5 kB  13.5 kB   7.8 kB     0.0    0.0    0.0     0:10
          distance 16 m                152    1824  62.6 kB  64.2 kB  36.4 kB     0.0    0.0    0.0     0:02
          distance 50 m                 51     612  21.3 kB  21.5 kB  12.3 kB    28.3    0.4    0.0     0:08
          any 75 m, 300 s, 30°          38     456  15.9 kB  16.0 kB   9.2 kB    38.6    1.4   10.3     0:11
          all 50 m, 10 s                32     384  13.5 kB  13.5 kB   7.8 kB     0.0    0.0    0.0     0:10
          deviation 5 m                 14     168   6.1 kB   5.9 kB   3.5 kB     0.0    0.0    0.0     0:30
          deviation 10 m                14     168   6.1 kB   5.9 kB   3.5 kB     0.0    0.0    0.0     0:30
          deviation 25 m                14     168   6.1 kB   5.9 kB   3.5 kB    23.6    0.9    8.8     0:30

        * your configuration; the other rules have everything but the rule from it. > recommended below.
        """

    @Test(arguments: [60, 80, 99, 100, 300])
    func `no line is longer than the terminal is wide`(width: Int) throws {
        let text = TuneTable(try SampleTrack.tuning([.error(10), .megabytesPerMonth(20)]), width: width).text
        let longest = text.split(separator: "\n").map(\.count).max() ?? 0
        #expect(longest <= min(width, 100))
        for title in ["KEPT", "AN HOUR", "OVERLAND", "MQTT", "BATCH", "MAX m", "MEAN m", "95% m", "SILENCE"] {
            #expect(text.contains(title))
        }
        #expect(text.contains("\n    tracking:\n      record: "))
    }

    @Test func `the JSON has the same figures`() throws {
        let tuning = try SampleTrack.tuning([.error(10)])
        let object = try JSONValue.parse(TuneJSON(tuning, files: ["a.gpx", "b.gpx"]).bytes)
        #expect(object["files"] == .array([.string("a.gpx"), .string("b.gpx")]))
        #expect(object["track"]?["fixes"] == .number(301))
        #expect(object["track"]?["recordedSeconds"] == .number(300))
        guard case .array(let rules) = object["rules"] else { throw CocoaError(.coderInvalidValue) }
        #expect(rules.count == tuning.outcomes.count)
        let first = try #require(rules.first)
        #expect(first["rule"] == .string("distance 16 m ×3.1"))
        #expect(first["settings"]?["record"] == .string("distance"))
        #expect(first["records"] == .number(Double(tuning.outcomes[0].records)))
        #expect(first["bytes"]?["batch"] == .number(Double(tuning.outcomes[0].bytes.batch)))
        #expect(first["bound"] == .null)
        guard case .array(let wishes) = object["recommendations"] else { throw CocoaError(.coderInvalidValue) }
        #expect(wishes.first?["wish"]?["error"] == .number(10))
    }

    @Test func `the page is well-formed, with three drawings for each rule and nothing from elsewhere`() throws {
        let tuning = try SampleTrack.tuning([.error(10), .megabytesPerMonth(20)])
        let page = String(decoding: TuneReport(tuning, files: ["/home/jane/<drive> & co.gpx"]).bytes, as: UTF8.self)
        let document = XMLDocument(page)
        #expect(document.count(of: "svg") == 3 * tuning.shown.count + 2)  // all in one, and the track for them
        #expect(document.count(of: "script") == 0 && document.count(of: "img") == 0 && document.count(of: "link") == 0)
        #expect(document.texts["h1"] == ["Recording rules on <drive> & co.gpx"])
        for reference in ["http:", "https:", "url(", "@import", "src=", "//", "/home/jane"] {
            #expect(!page.contains(reference), "\(reference)")
        }
        #expect(page.contains("default-src "))
    }

    @Test func `the page of a long track stays small`() throws {
        var fixes: [Fix] = []
        for second in 0..<8000 {
            let turn = Double(second) / 100
            fixes.append(SampleTrack.fix(second, north: 300 * turn, east: 500 * sin(turn) + 20 * sin(turn * 31)))
        }
        let meter = try WireMeter(device: "track", batchSize: 250)
        let tuning = Tuning(SampleTrack.track(fixes), Tuning.Options(), meter: meter)
        #expect(TuneReport(tuning, files: ["long"]).bytes.count < 1_000_000)
    }

    @Test(arguments: [
        (0, "0:00"), (9, "0:09"), (725, "12:05"), (3600, "1:00:00"), (93_600, "26:00:00"), (359_999, "99:59:59"),
        (360_000, "4 d"),
    ])
    func `silences are shown as on a clock`(seconds: Int, text: String) {
        #expect(Duration.seconds(seconds).clock == text)
    }

    @Test func `text is broken at blanks, and words longer than a line are left whole`() {
        #expect("one two three".wrapped(to: 7) == ["one two", "  three"])
        #expect("unbreakable a".wrapped(to: 5) == ["unbreakable", "  a"])
        #expect("".wrapped(to: 5) == [])
    }

    @Test func `bytes grow with the records, and a batch takes fewer than messages of their own`() throws {
        for outcome in try SampleTrack.tuning().outcomes {
            #expect(outcome.bytes.batch < outcome.bytes.mqtt)
            #expect(outcome.bytes.mqtt > 150 * outcome.records && outcome.bytes.mqtt < 600 * outcome.records)
            #expect(outcome.bytes.overland > 250 * outcome.records)
        }
        let one = try SampleTrack.tuning { $0.batchSize = 1 }.outcomes[0].bytes
        let many = try SampleTrack.tuning { $0.batchSize = 250 }.outcomes[0].bytes
        #expect(one.mqtt == many.mqtt)
        #expect(one.overland > many.overland + 200 * 10)
    }
}
