import Foundation
import OwnTracksFormat
import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings
import TrackEngineTestKit

@Suite("What replies tell the OwnTracks sink", .serialized)
struct OwnTracksReplyTests {
    private static let secret = Secret("s3cr3t")

    /// Delivers a record to a receiver that stores it and says this; what the agent was told then.
    private func told(
        _ reply: String, count: Int = 1, _ change: (inout OwnTracksSink.Configuration) -> Void = { _ in }
    ) async throws -> (agent: RecordingAgent, sink: OwnTracksSink, outcome: Receipt) {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let receiver = try await ReceiverProcess(log: directory + "/log")
            defer { receiver.stop() }
            let script = reply.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let sink = try OwnTracksSink(
                configuration: OwnTracksSamples.configuration(receiver.url("/ok-body:\(script)"), change))
            let agent = RecordingAgent()
            sink.attach(to: agent)
            let receipt = try await sink.deliver(RecordBatch(records: SampleRecords.records(count: count)))
            await sink.close()
            return (agent, sink, receipt)
        }
    }

    private func count(_ name: String, of sink: OwnTracksSink) -> StatusField.Value? {
        sink.statusItems(now: .now()).first { $0.name == name }?.value
    }

    @Test func `a friend's place goes to the agent under the name of its topic`() async throws {
        let told = try await told("[\(OwnTracksSamples.jane)]")
        let jane = try #require(told.agent.devices.first)
        #expect(told.agent.devices.count == 1)
        #expect(jane.device == "jane/phone" && jane.source == "owntracks")
        #expect(jane.fix?.coordinate == Coordinate(latitude: 53.5, longitude: 10))
        #expect(jane.fix?.speed == 10 && jane.fix?.horizontalAccuracy == 5)
        #expect(jane.host == HostStatus(batteryLevel: 0.5, batteryState: .charging))
        #expect(told.outcome == Receipt(settled: 1))
    }

    @Test func `a card names its friend, also one that came before it`() async throws {
        let card = #"{"_type":"card","tid":"JD","topic":"owntracks/jane/phone","name":"Jane"}"#
        for reply in ["[\(card),\(OwnTracksSamples.jane)]", "[\(OwnTracksSamples.jane),\(card)]"] {
            #expect(try await told(reply).agent.devices.map(\.device) == ["Jane"])
        }
    }

    @Test func `the device itself is no friend, nor is a place that is none`() async throws {
        let own = OwnTracksSamples.jane.replacingOccurrences(of: "jane/phone", with: "jane/van_7")
        let nowhere = OwnTracksSamples.jane.replacingOccurrences(of: "53.5", with: "91")
        let told = try await told("[\(own),\(nowhere)]")
        #expect(told.agent.devices.isEmpty)
    }

    @Test func `a place whose latitude is lost is held back`() async throws {
        let lost = OwnTracksSamples.jane.replacingOccurrences(of: #""lat":53.5"#, with: #""lat":0"#)
        #expect(lost != OwnTracksSamples.jane)
        let told = try await told("[\(OwnTracksSamples.jane),\(lost),\(lost)]")
        #expect(told.agent.devices.map(\.fix?.coordinate) == [Coordinate(latitude: 53.5, longitude: 10)])
        #expect(told.outcome == Receipt(settled: 1))
    }

    @Test func `encrypted places are read with the secret, and counted without it`() async throws {
        let sealed = try OwnTracksSecret(Self.secret).sealed(Array(OwnTracksSamples.jane.utf8))
        let reply = "[\(String(decoding: sealed, as: UTF8.self))]"
        #expect(try await told(reply) { $0.secret = Self.secret }.agent.devices.map(\.device) == ["jane/phone"])
        for secret in [nil, Secret("another")] {
            let told = try await told(reply) { $0.secret = secret }
            #expect(told.agent.devices.isEmpty)
            #expect(count("unreadable", of: told.sink) == .count(1))
            #expect(told.outcome == Receipt(settled: 1))
        }
    }

    @Test(arguments: [
        "{", "[1,[],null]", "thanks", #"{"error":"no"}"#, #"[{"_type":"location"}]"#, #"{"result":"ok"}"#,
    ])
    func `a reply that says nothing loses nothing and is no failure`(_ reply: String) async throws {
        let told = try await told(reply, count: 3)
        #expect(told.outcome == Receipt(settled: 3))
        #expect(told.agent.devices.isEmpty && told.agent.requests.isEmpty)
    }

    @Test func `no command is carried out unless it is allowed`() async throws {
        let reply = #"[{"_type":"cmd","action":"reportLocation"},{"_type":"cmd","action":"dump"}]"#
        let none = try await told(reply)
        #expect(count("commandsRejected", of: none.sink) == .count(2))
        let encryptedOnly = try await told(reply) {
            $0.commands = Set(RemoteCommand.allCases)
            $0.secret = Self.secret
        }
        #expect(count("unreadable", of: encryptedOnly.sink) == .count(2), "in the clear, beside a secret")
    }

    @Test(.timeLimit(.minutes(30)))
    func `trips and places come in replies, too, and have no answer but the places that are asked for`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let receiver = try await ReceiverProcess(log: directory + "/log")
            let commands =
                #"[{"_type":"cmd","action":"startTrip","mode":"car"},{"_type":"cmd","action":"stopTrip"},"#
                + #"{"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":[{}]}},"#
                + #"{"_type":"cmd","action":"waypoints"},{"_type":"cmd","action":"clearWaypoints"}]"#
            let script = commands.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let sink = try OwnTracksSink(
                configuration: OwnTracksSamples.configuration(receiver.url("/ok-body:\(script),ok-empty")) {
                    $0.commands = [.startTrip, .stopTrip, .waypoints, .setWaypoints, .clearWaypoints]
                })
            let agent = RecordingAgent()
            sink.attach(to: agent)
            let upkeep = Task { try await sink.run() }
            _ = try await sink.deliver(RecordBatch(records: [SampleRecords.record(1)]))
            await eventually("all were carried out") { count("commandsDone", of: sink) == .count(5) }
            #expect(agent.requests.first == .startTrip(.car))
            #expect(
                agent.requests.map(\.command) == [.startTrip, .stopTrip, .setWaypoints, .waypoints, .clearWaypoints])
            let requests = try receiver.requests()
            #expect(requests.count == 2)
            // The places as they are, but in ASCII.
            let escaped = OwnTracksSamples.waypoints.replacing("ü", with: "\\u00fc").replacing(
                "🚚", with: "\\ud83d\\ude9a")
            #expect(requests.last?.bodyBytes == escaped.utf8.count)
            upkeep.cancel()
            await sink.close()
            receiver.stop()
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `an allowed command is carried out once, and its answer is posted`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let receiver = try await ReceiverProcess(log: directory + "/log")
            let commands =
                #"[{"_type":"cmd","action":"reportLocation"},{"_type":"cmd","action":"status"}]"#
            let script = commands.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let sink = try OwnTracksSink(
                configuration: OwnTracksSamples.configuration(receiver.url("/ok-body:\(script),ok-empty")) {
                    $0.commands = [.report, .status]
                })
            let agent = RecordingAgent()
            sink.attach(to: agent)
            let upkeep = Task { try await sink.run() }
            _ = try await sink.deliver(RecordBatch(records: [SampleRecords.record(1)]))
            await eventually("both were carried out") { count("commandsDone", of: sink) == .count(2) }
            #expect(agent.requests == [.report, .status])
            let bodies = try receiver.records().map(\.json)
            #expect(bodies.contains { $0.contains(#""t":"r""#) && $0.contains(#""vel":36"#) }, "\(bodies)")
            #expect(try receiver.requests().count == 3)
            upkeep.cancel()
            await sink.close()
            receiver.stop()
        }
    }
}
