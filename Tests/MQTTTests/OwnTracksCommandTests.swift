import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineSettings
import TrackEngineTestKit

@Suite("OwnTracks through a real broker")
struct OwnTracksCommandTests {
    private struct Handler: MQTTCommandHandler {
        func perform(_ request: RemoteRequest, through sink: SinkID) async throws -> [UInt8] {
            request == .report
                ? Array(#"{"time":"2026-03-01T10:00:00Z","latitude":53.5,"longitude":10}"#.utf8)
                : Array((request == .waypoints ? #"{"_type":"waypoints","waypoints":[]}"# : #"{"a":1}"#).utf8)
        }
    }

    private func sink(port: Int, _ change: (inout MQTTSink.Configuration) -> Void) throws -> MQTTSink {
        var configuration = MQTTSink.Configuration(host: "127.0.0.1", deviceID: "van")
        configuration.port = port
        configuration.tls = nil
        configuration.messages.format = .owntracks
        configuration.messages.user = "jane"
        change(&configuration)
        return try MQTTSink(id: "map", configuration: configuration)
    }

    @Test(.timeLimit(.minutes(30)))
    func `commands of OwnTracks' apps are answered in their words, and the others in ours`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let subscriber = try await SubscriberProcess(of: broker, log: directory + "/log", filter: "#")
            let sink = try sink(port: broker.port) {
                $0.commands = .init(topic: "trackengine/van/cmd", allowed: [.report, .status, .waypoints])
                $0.messages.card = OwnTracksCard(name: "Van")
            }
            sink.handleCommands(with: Handler())
            let upkeep = Task { try await sink.run() }
            let person = try Samples.speaker(port: broker.port)
            try await sink.deliverAll(SampleRecords.records(count: 1))
            func say(_ topic: String, _ text: String) async throws {
                try await person.say(MQTTMessage(topic: topic, payload: Array(text.utf8)))
            }
            try await say("owntracks/jane/van/cmd", #"{"_type":"cmd","action":"reportLocation"}"#)
            try await eventually("the location") {
                try subscriber.messages().contains {
                    $0.topic == "owntracks/jane/van" && $0.payload.contains(#""t":"r""#)
                }
            }
            try await say("owntracks/jane/van/cmd", #"{"_type":"cmd","action":"status"}"#)
            try await eventually("the status") {
                try subscriber.messages().contains {
                    $0.topic == "owntracks/jane/van/status"
                        && $0.payload == #"{"_type":"status","trackengine":{"a":1}}"#
                }
            }
            try await say("owntracks/jane/van/cmd", #"{"_type":"cmd","action":"waypoints"}"#)
            try await eventually("the places") {
                try subscriber.messages().contains {
                    $0.topic == "owntracks/jane/van/waypoints" && $0.payload == #"{"_type":"waypoints","waypoints":[]}"#
                        && !$0.isRetained
                }
            }
            try await say("owntracks/jane/van/cmd", #"{"_type":"cmd","action":"dump"}"#)
            try await say("owntracks/jane/van/cmd", "report")
            await eventually("both are rejected") { sink.status.commandsRejected == 2 }
            try await say("trackengine/van/cmd", "status")
            try await eventually("the answer in our words") {
                try subscriber.messages().contains { $0.topic == "trackengine/van/cmd/reply" }
            }
            #expect(sink.status.commandsDone == 4)
            #expect(try subscriber.messages().contains { $0.topic == "owntracks/jane/van/info" })
            upkeep.cancel()
            await person.close()
            await sink.close()
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `with lwt a disconnect says so in OwnTracks' words, and nothing else is said of presence`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let subscriber = try await SubscriberProcess(of: broker, log: directory + "/log", filter: "#")
            let sink = try sink(port: broker.port) { $0.messages.lastWill = true }
            try await sink.deliverAll(SampleRecords.records(count: 1))
            await sink.close()
            try await eventually("the last will") {
                try subscriber.messages().contains {
                    $0.topic == "owntracks/jane/van" && $0.payload.hasPrefix(#"{"_type":"lwt","tst":"#)
                }
            }
            #expect(try !subscriber.messages().contains { $0.topic.hasSuffix("/availability") })
        }
    }
}
