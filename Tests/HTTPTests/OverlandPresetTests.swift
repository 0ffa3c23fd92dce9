import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

/// What is sent with each preset of the Overland format, compared with what its receiver needs (the receivers' own code, read or
/// run).
@Suite("Presets of the Overland format", .timeLimit(.minutes(30)))
struct OverlandPresetTests {
    /// What a preset comes to: the address, and the properties of a bare record that it makes differ from Overland's own.
    private struct Row: Sendable {
        let preset: OverlandPreset
        let url: String
        let bare: [String: String]
        let replies: [String: Bool]
    }

    private static let ok = [#"{"result":"ok"}"#: true, "": false, #"{"result":"failed"}"#: false]
    private static let any = [#"{"result":"ok"}"#: true, "": true, "<html>": false]
    private static let mains = ["battery_level": "1", "battery_state": "full"]

    private static let rows: [Row] = [
        Row(preset: .compass, url: "/api/input", bare: [:], replies: ok),
        Row(preset: .dawarich, url: "/api/v1/overland/batches", bare: [:], replies: ok),
        Row(preset: .reitti, url: "/api/v1/ingest/overland", bare: ["horizontal_accuracy": "100"], replies: ok),
        Row(
            preset: .geopulse, url: "/api/overland",
            bare: ["horizontal_accuracy": "100", "battery_level": "-", "battery_state": "-"], replies: ok),
        Row(preset: .wayfinder, url: "/api/wayfinder/overland/", bare: mains, replies: ok),
        Row(preset: .phpTracksRecorder, url: "/record.php", bare: mains, replies: ok),
        Row(preset: .overlandFlask, url: "/api", bare: [:], replies: ok),
        Row(preset: .pyoverland, url: "", bare: [:], replies: ok),
        Row(preset: .overlandTS, url: "/api/locations", bare: [:], replies: any),
        Row(preset: .phonetrack, url: "", bare: mains, replies: ok),
        Row(preset: .webhook, url: "", bare: [:], replies: any),
    ]

    private static func properties(_ configuration: OverlandSink.Configuration, _ record: TrackRecord) throws
        -> [String: String]
    {
        let body = String(decoding: BodyEncoder(configuration).body([record], current: nil), as: UTF8.self)
        return try Samples.properties(of: body).mapValues { "\($0)" }
    }

    @Test func `no preset is left out`() {
        #expect(Set(Self.rows.map(\.preset)).union([.incognita]) == Set(OverlandPreset.allCases))
    }

    @Test(arguments: OverlandPreset.allCases)
    func `a bare record has what the receiver needs, and all else as Overland has it`(_ preset: OverlandPreset) throws {
        guard let row = Self.rows.first(where: { $0.preset == preset }) else { return }
        let configuration = OverlandSink.Configuration(url: "https://x.example", deviceID: "van-7", preset: preset)
        #expect(configuration.url == "https://x.example" + row.url)
        #expect(configuration.problems == [])
        var expected = try Self.properties(Samples.configuration(), Samples.bare)
        for (key, value) in row.bare { expected[key] = value == "-" ? nil : value }
        #expect(try Self.properties(configuration, Samples.bare) == expected)
    }

    @Test func `incognita has the features of the Trace app, at whole seconds`() throws {
        let configuration = OverlandSink.Configuration(url: "https://x.example/", deviceID: "van-7", preset: .incognita)
        #expect(configuration.url == "https://x.example/dump")
        #expect(
            String(decoding: BodyEncoder(configuration).body([Samples.full], current: nil), as: UTF8.self)
                == Samples.body([Samples.full]) { $0.profile = .trace })
    }

    @Test func `Wayfinder gets whole numbers, however exact the fix is`() throws {
        let configuration = OverlandSink.Configuration(url: "https://x.example", deviceID: "van-7", preset: .wayfinder)
        let properties = try Self.properties(configuration, Samples.full)
        for key in ["speed", "altitude", "horizontal_accuracy"] { #expect(properties[key].flatMap { Int($0) } != nil) }
    }

    @Test(arguments: OverlandPreset.allCases)
    func `an address that has the path keeps it`(_ preset: OverlandPreset) {
        let first = OverlandSink.Configuration(url: "https://x.example/?a=b", deviceID: "van-7", preset: preset).url
        #expect(OverlandSink.Configuration(url: first, deviceID: "van-7", preset: preset).url == first)
    }

    // MARK: At a receiver

    private func outcome(
        _ preset: OverlandPreset, _ path: String, count: Int = 1,
        _ change: (inout OverlandSink.Configuration) -> Void = { _ in },
        _ look: (ReceiverProcess) throws -> Void = { _ in }
    ) async throws -> DeliveryError? {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let receiver = try await ReceiverProcess(log: directory + "/log")
            var configuration = OverlandSink.Configuration(url: receiver.url(""), deviceID: "van-7", preset: preset)
            configuration.url = receiver.url(path)
            change(&configuration)
            let sink = try OverlandSink(id: "home", configuration: configuration)
            var failure: DeliveryError?
            do throws(DeliveryError) {
                _ = try await sink.deliver(RecordBatch(records: SampleRecords.records(count: count)))
            } catch { failure = error }
            await sink.close()
            try look(receiver)
            receiver.stop()
            return failure
        }
    }

    @Test func `the token of Compass goes into the address and into no field`() async throws {
        let failure = try await outcome(.compass, "/ok?a=b", count: 1) {
            $0.token = Secret("a+b&c==")
        } _: { receiver in
            let request = try receiver.requests().first
            #expect(request?.target == "/ok?a=b&token=a%2Bb%26c%3D%3D")
            #expect(request?.headers["authorization"] == nil)
        }
        #expect(failure == nil)
    }

    @Test func `a receiver that repeats the address shows no token`() async throws {
        let failure = try await outcome(.compass, "/body:%7B%22result%22%3A%22canary%252Bx%20canary%2Bx%22%7D") {
            $0.token = Secret("canary+x")
        }
        #expect(
            failure?.reason.contains("***") == true && failure?.reason.contains("canary") == false,
            "\(failure?.reason ?? "")")
    }

    @Test func `a body that pyoverland would not take is not sent, and the batch is halved`() async throws {
        let failure = try await outcome(.pyoverland, "/ok", count: 1000) { _ in
        } _: { receiver in
            let requests = try receiver.requests()
            #expect(requests.isEmpty)
        }
        #expect(failure?.recovery == .smaller)
        let fits = try await outcome(.pyoverland, "/ok", count: 250)
        #expect(fits == nil)
    }
}
