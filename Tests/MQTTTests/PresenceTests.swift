import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("What a client says beside its records")
struct PresenceTests {
    private let records = SampleRecords.records(count: 3)

    @Test
    func `Presence is online while connected and offline after a farewell, and announcements come before records`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let subscriber = try await SubscriberProcess(of: broker, log: directory + "/log")
            var format = PlainFormat()
            format.announcements = [
                MQTTMessage(topic: "discovery/van-7", payload: Array("hello".utf8), isRetained: true)
            ]
            let sink = try Samples.sink(port: broker.port, format: format) {
                $0.availabilityTopic = "fleet/van-7/availability"
            }
            _ = try await sink.deliver(RecordBatch(records: [records[0]]))
            await sink.close()
            try await eventually("offline") { try subscriber.messages().last?.payload == "offline" }
            let said = try subscriber.messages().map(\.payload)
            #expect(said.prefix(4) == ["online", "hello", records[0].id.description, "offline"])
            // The last will, where the farewell came too late for the broker.
            #expect(said.count == 4 || said.dropFirst(4) == ["offline"])
        }
    }

    @Test(
        arguments: [true, false])
    func `Without retained messages all is said to those who listen, and nothing to those who come later`(
        _ retains: Bool
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let first = try await SubscriberProcess(of: broker, log: directory + "/first", id: "first")
            let hello = MQTTMessage(topic: "discovery/van-7", payload: Array("hello".utf8), isRetained: true)
            let sink = try Samples.sink(port: broker.port, format: PlainFormat(announcements: [hello])) {
                $0.availabilityTopic = "fleet/van-7/availability"
                ($0.keepsLast, $0.retains) = (true, retains)
            }
            _ = try await sink.deliver(RecordBatch(records: [records[0]]))
            let topics = ["fleet/van-7/availability", "discovery/van-7", "fleet/van-7/last"]
            try await eventually("presence, discovery and the newest record") {
                try Set(first.messages().map(\.topic)).isSuperset(of: topics)
            }
            let later = try await SubscriberProcess(of: broker, log: directory + "/later", id: "later")
            // What the broker has kept comes before this one.
            _ = try await sink.deliver(RecordBatch(records: [records[1]]))
            try await eventually("another record") {
                try later.messages().contains { $0.payload == "\(records[1].id)" }
            }
            let kept = try later.messages().filter(\.isRetained).map(\.topic)
            #expect(Set(kept) == (retains ? Set(topics) : []))
            #expect(try !first.messages().contains(where: \.isRetained))
            await sink.close()
        }
    }

    @Test
    func `The broker says offline for a client whose connection breaks`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let subscriber = try await SubscriberProcess(of: broker, log: directory + "/log")
            let sink = try Samples.sink(port: broker.port) { $0.availabilityTopic = "fleet/van-7/availability" }
            _ = try await sink.deliver(RecordBatch(records: [records[0]]))
            // Another client of the same name throws the first out, as the broker sees it without a farewell.
            let other = try Samples.sink(port: broker.port)
            try await other.deliverAll([records[1]])
            try await eventually("offline") { try subscriber.messages().contains { $0.payload == "offline" } }
            await other.close()
            await sink.close()
        }
    }

    @Test
    func `Announcements are repeated when a consumer is born`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let subscriber = try await SubscriberProcess(of: broker, log: directory + "/log", filter: "discovery/#")
            var format = PlainFormat(birthTopic: "home/status")
            format.announcements = [MQTTMessage(topic: "discovery/van-7", payload: [1 + 64])]
            let sink = try Samples.sink(port: broker.port, format: format)
            _ = try await sink.deliver(RecordBatch(records: [records[0]]))
            let home = try Samples.speaker(port: broker.port)
            try await home.say(MQTTMessage(topic: "home/status", payload: Array("online".utf8)))
            try await eventually("two announcements") { try subscriber.messages().count == 2 }
            await home.close()
            await sink.close()
        }
    }

    @Test
    func `The newest record is shown ahead of a backlog, once, and backlog messages are marked`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let subscriber = try await SubscriberProcess(of: broker, log: directory + "/log")
            let sink = try Samples.sink(port: broker.port) { $0.keepsLast = true }
            for record in records[..<2] {
                _ = try await sink.deliver(RecordBatch(records: [record], current: records[2]))
            }
            _ = try await sink.deliver(RecordBatch(records: [records[2]]))
            let newest = SampleRecords.record(4)
            _ = try await sink.deliver(RecordBatch(records: [newest]))
            try await eventually("six messages") { try subscriber.messages().count == 6 }
            await sink.close()
            let messages = try subscriber.messages()
            #expect(
                messages.map(\.payload) == [2, 0, 1, 2].map { "\(records[$0].id)" } + ["\(newest.id)", "\(newest.id)"])
            #expect(
                messages.map(\.topic) == ["fleet/van-7/last"] + Array(repeating: "fleet/van-7/record", count: 4)
                    + ["fleet/van-7/last"])
            #expect(
                messages.map { $0.properties.contains(["backlog", "1"]) } == [false, true, true, false, false, false])
        }
    }

    @Test
    func `Health is told once a connection and then when it changes, not more often than every ten seconds`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let subscriber = try await SubscriberProcess(of: broker, log: directory + "/log")
            var format = PlainFormat()
            format.reportsHealth = true
            let clock = ManualClock()
            let sink = try Samples.sink(port: broker.port, format: format, clock: clock)
            sink.observeQueue { 7 }
            let upkeep = Task { try await sink.run() }
            try await eventually("the first") { try subscriber.messages().map(\.payload) == ["queued 7"] }
            sink.observeQueue { 8 }
            try await eventually("the second") {
                clock.advance(by: .seconds(10))
                return try subscriber.messages().map(\.payload) == ["queued 7", "queued 8"]
            }
            upkeep.cancel()
            await sink.close()
        }
    }
}
