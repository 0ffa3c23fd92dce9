import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// One agent, one broker, two sinks that know nothing of each other.
@Suite struct TwoPublishersTests {
    @Test(.timeLimit(.minutes(30)))
    func `two sinks of different formats each deliver everything, and do not throw each other out`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let broker = try await MosquittoBroker(in: folder)
            let subscriber = try await SubscriberProcess(of: broker, log: folder + "/messages")
            let agent = try RunningAgent(
                folder,
                """
                device: {id: van-7}
                sources: [{type: simulated, rate: 10}]
                tracking: {distanceFilter: 1, disableSpeedMultiplier: true, flushTimeout: 60}
                sinks:
                  - {type: mqtt, name: fleet, url: "mqtt://127.0.0.1:\(broker.port)", base: fleet, syncThreshold: 1}
                  - {type: mqtt, name: archive, url: "mqtt://127.0.0.1:\(broker.port)", base: archive, format: batch,
                     syncThreshold: 3}
                """)
            try await eventually("records arrive on both ways") {
                try ids(subscriber, "fleet").count >= 20 && ids(subscriber, "archive").count >= 20
            }
            let status = try JSONValue.parse(try await agent.trackd("status", "--json").text.utf8)
            #expect(status["sinks"]?.array?.map { $0["mqtt"]?["connection"]?.string } == ["connected", "connected"])

            // The last sync of a graceful end brings what is left to both.
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
            try await eventually("both have the same and are offline") {
                let (fleet, archive) = (try ids(subscriber, "fleet"), try ids(subscriber, "archive"))
                return try fleet == archive
                    && ["fleet", "archive"].allSatisfy { try presence(subscriber, $0).last == "offline" }
            }
            let fleet = try ids(subscriber, "fleet")
            #expect(Set(fleet).count == fleet.count, "nothing came twice")
            #expect(try sequences(subscriber, "fleet") == Array(1...fleet.count), "nothing is missing")
            #expect(try sequences(subscriber, "archive") == Array(1...fleet.count), "nothing is missing")
            for base in ["fleet", "archive"] {
                let said = try presence(subscriber, base)
                #expect(said == ["online", "offline"], "one connection from beginning to end")
            }
        }
    }

    /// What a sink said of itself; the broker repeats its "offline" as a last will where the farewell came too late.
    private func presence(_ subscriber: SubscriberProcess, _ base: String) throws -> [String] {
        var said = try subscriber.messages().filter { $0.topic == "\(base)/van-7/availability" }.map(\.payload)
        if said.suffix(2) == ["offline", "offline"] { said.removeLast() }
        return said
    }

    private func ids(_ subscriber: SubscriberProcess, _ base: String) throws -> [String] {
        try records(subscriber, base).compactMap { $0["id"]?.string }
    }

    private func sequences(_ subscriber: SubscriberProcess, _ base: String) throws -> [Int] {
        try records(subscriber, base).compactMap { $0["sequence"]?.number.map { Int($0) } }
    }

    /// All records under a base, in order of arrival, whether in messages of one or of several.
    private func records(_ subscriber: SubscriberProcess, _ base: String) throws -> [JSONValue] {
        try subscriber.messages().filter { $0.topic.hasPrefix("\(base)/van-7/record") }.flatMap { message in
            let json = try JSONValue.parse(message.payload.utf8)
            return json["records"]?.array ?? [json]
        }
    }
}
