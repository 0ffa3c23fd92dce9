import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("Consumers that are born")
struct BirthTests {
    private let birth = "homeassistant/status"
    private let online = Array("online".utf8)

    @Test
    func `A birth that the broker kept from before is not answered; one that happens now is, and a death is not`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let home = try Samples.speaker(port: broker.port)
            try await home.say(MQTTMessage(topic: birth, payload: online, isRetained: true))
            let subscriber = try await SubscriberProcess(of: broker, log: directory + "/log")
            let sink = try MQTTSink(
                id: "fleet",
                configuration: Samples.configuration(port: broker.port) {
                    $0.messages = MessageOptions(format: .homeassistant, base: "fleet", deviceID: "van-7")
                })
            // The broker answers in order: what it kept comes ahead of the first acknowledgement.
            for number in 1...2 { try await sink.deliverAll([SampleRecords.record(number)]) }
            try await eventually("both records") {
                try subscriber.messages().filter { $0.topic == "fleet/van-7/attributes" }.count == 2
            }
            #expect(try announcements(subscriber) == 1)

            try await home.say(MQTTMessage(topic: birth, payload: Array("offline".utf8)))
            try await home.say(MQTTMessage(topic: birth, payload: online, isRetained: true))
            try await eventually("announced again") { try announcements(subscriber) >= 2 }
            try await sink.deliverAll([SampleRecords.record(3)])
            try await eventually("the third record") {
                try subscriber.messages().filter { $0.topic == "fleet/van-7/attributes" }.count == 3
            }
            #expect(try announcements(subscriber) == 2)
            await home.close()
            await sink.close()
        }
    }

    private func announcements(_ subscriber: SubscriberProcess) throws -> Int {
        try subscriber.messages().filter { $0.topic.hasSuffix("/config") }.count
    }
}
