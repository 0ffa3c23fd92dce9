import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP

/// The request of each preset for a record with everything and for one with a position alone.
///
/// The files, `Golden/PRESET.txt`, were compared by eye with the descriptions of the receivers' interfaces, which the presets
/// name.
@Suite("Presets")
struct PresetTests {
    @Test(arguments: HTTPPreset.allCases)
    func `the request of a preset is as it was`(_ preset: HTTPPreset) throws {
        var text = ""
        for record in [Samples.full, Samples.bare] {
            let configuration = TemplateSamples.configuration(Self.address(of: preset)) {
                $0.preset = preset
                $0.credentials.token = Secret("t0ken")
            }
            #expect(configuration.problems == [])
            let template = try RequestTemplate(configuration)
            let request = try TemplateSamples.request(record, configuration)
            let fields = RequestHeaderList.fields(of: configuration.credentials, template.style)
            text += "\(template.method.rawValue) \(request.url)\n"
            text += fields.filter { $0.name != "User-Agent" }.map { "\($0.name): \($0.value)\n" }.joined()
            text += request.body.isEmpty ? "\n" : "\n\(request.body)\n\n"
        }
        try expectRecorded(text, in: Self.directory + preset.rawValue + ".txt")
    }

    private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/../Golden/"

    private static func address(of preset: HTTPPreset) -> String {
        switch preset {
        case .dawarich, .geopulse, .reitti, .wayfinder: "https://track.example.org"
        case .phonetrack: "https://cloud.example.org/apps/phonetrack/log/gpslogger/t0ken/van-7"
        case .gpslogger: "https://track.example.org/log"
        case .homeAssistantWebhook: "https://home.example.org/api/webhook/w3bhook"
        case .thingsboard: "https://things.example.org/api/v1/t0ken"
        case .influx: "https://influx.example.org?org=fleet&bucket=track"
        case .influx1: "https://influx.example.org/write?db=track"
        }
    }

    @Test(arguments: [
        (HTTPPreset.dawarich, "https://e.org/", "https://e.org/api/v1/points"),
        (.dawarich, "https://e.org/api/v1/points?api_key=k", "https://e.org/api/v1/points?api_key=k"),
        (.dawarich, "https://e.org/sub", "https://e.org/sub/api/v1/points"),
        (.wayfinder, "https://e.org/api/wayfinder/overland", "https://e.org/api/wayfinder/overland/"),
        (.wayfinder, "https://e.org/api/wayfinder/overland/", "https://e.org/api/wayfinder/overland/"),
        (.wayfinder, "https://e.org", "https://e.org/api/wayfinder/overland/"),
        (.thingsboard, "https://e.org/api/v1/t/telemetry", "https://e.org/api/v1/t/telemetry"),
    ])
    func `an address is completed and not doubled`(_ preset: HTTPPreset, _ url: String, _ expected: String) throws {
        let configuration = TemplateSamples.configuration(url) { $0.preset = preset }
        #expect(try TemplateSamples.request(Samples.full, configuration).url == expected)
    }

    @Test func `the precision of an address holds for a record of one's own, and not for the preset's`() throws {
        let url = "https://e.org/api/v2/write?org=o&bucket=b&precision=ns"
        let given = TemplateSamples.configuration(url) { $0.preset = .influx }
        #expect(
            try TemplateSamples.request(Samples.full, given).url
                == "https://e.org/api/v2/write?org=o&bucket=b&precision=ms")
        let own = TemplateSamples.configuration(url) {
            $0.preset = .influx
            $0.record = "track lat=%{latitude},lon=%{longitude} %{time:epochMilliseconds}"
        }
        #expect(try TemplateSamples.request(Samples.full, own).url == url)
    }

    @Test(arguments: [
        ("https://e.org/apps/phonetrack/log/gpslogger/t/n", "https://e.org/apps/phonetrack/logGet/t/n"),
        ("https://e.org/apps/phonetrack/logGet/t/n", "https://e.org/apps/phonetrack/logGet/t/n"),
    ])
    func `PhoneTrack's link becomes the call that says whether a place was kept`(
        _ url: String, _ expected: String
    ) throws {
        let configuration = TemplateSamples.configuration(url) { $0.preset = .phonetrack }
        #expect(try TemplateSamples.request(Samples.full, configuration).url.hasPrefix(expected + "?lat="))
    }

    /// `done` is 0 for an unknown token and a reserved name, 2 for a used quota, 3 for a locked session.
    @Test(arguments: [
        (#"{"done":1,"friends":[]}"#, true), (#"{"done":0,"friends":[]}"#, false), (#"{"done":2,"friends":[]}"#, false),
        (#"{"done":3,"friends":[]}"#, false), ("[]", false), ("null", false), ("", false), ("<html>", false),
    ])
    func `PhoneTrack's reply confirms a place that was kept and no other`(_ body: String, _ isKept: Bool) {
        let verdict = HTTPPreset.phonetrack.success.verdict(Reply(status: 200, body: Array(body.utf8)))
        #expect((verdict == .acknowledged) == isKept, "\(verdict)")
    }

    @Test func `parts that are given replace those of the preset`() throws {
        let configuration = TemplateSamples.configuration("https://e.org") {
            $0.preset = .thingsboard
            $0.method = .put
            $0.record = "[%{latitude}]"
        }
        let template = try RequestTemplate(configuration)
        #expect(template.method == .put)
        #expect(try TemplateSamples.request(Samples.full, configuration).body == "[[53.5503322]]")
    }
}
