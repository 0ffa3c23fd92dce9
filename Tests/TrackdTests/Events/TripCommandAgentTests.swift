import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

/// A trip is begun and ended over MQTT.
@Suite(.timeLimit(.minutes(30))) struct TripCommandAgentTests {
    @Test func `a trip begins and ends by command, and each answer says whether one was under way`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let broker = try await MosquittoBroker(in: folder)
            let subscriber = try await SubscriberProcess(of: broker, log: folder + "/messages")
            let agent = try RunningAgent(
                folder,
                """
                device: {id: van-7}
                sources: [{type: simulated, rate: 10}]
                tracking: {distanceFilter: 1, disableSpeedMultiplier: true}
                events: {trips: true, minimumDistance: 10000}
                sinks:
                  - {type: mqtt, name: fleet, url: "mqtt://127.0.0.1:\(broker.port)", syncThreshold: 1,
                     commands: [startTrip, stopTrip]}
                """)
            try await eventually(
                "it is connected, trackd printed: \(agent.child.text)", from: agent.child
            ) {
                try await agent.trackd("status").text.contains("connected")
            }
            func answers(_ text: String) async throws -> String? {
                let before = try replies(subscriber).count
                try await BrokerOrder(topic: "trackengine/van-7/cmd", text: text).publish(at: broker)
                try await eventually("\(text) is answered") {
                    try replies(subscriber).count > before
                }
                return try replies(subscriber).last
            }
            func started(_ wasUnderWay: Bool) -> String {
                #"{"command":"startTrip","result":{"mode":"tram","wasUnderWay":\#(wasUnderWay)}}"#
            }
            func stopped(_ wasUnderWay: Bool) -> String {
                #"{"command":"stopTrip","result":{"wasUnderWay":\#(wasUnderWay)}}"#
            }
            #expect(try await answers("stopTrip") == stopped(false))
            #expect(try await answers(#"{"command":"startTrip","mode":"tram"}"#) == started(false))
            #expect(try await answers(#"{"command":"startTrip","mode":"tram"}"#) == started(true))
            try await eventually("positions name the trip") {
                try subscriber.messages().contains {
                    $0.topic == "trackengine/van-7/record" && $0.payload.contains(#""onTrip":{"id":""#)
                }
            }
            #expect(try await answers("stopTrip") == stopped(true))
            #expect(try await answers("waypoints")?.contains("command not allowed") == true)
            try await eventually("the trip is told, once") {
                let trips = try subscriber.messages().filter { $0.payload.contains(#""kind":"trip""#) }
                return trips.count == 2 && trips.allSatisfy { $0.payload.contains(#""mode":"tram""#) }
            }
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
        }
    }

    private func replies(_ subscriber: SubscriberProcess) throws -> [String] {
        try subscriber.messages().filter { $0.topic == "trackengine/van-7/cmd/reply" }.map(\.payload)
    }
}
