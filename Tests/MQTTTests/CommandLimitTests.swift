import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineSettings
import TrackEngineTestKit

/// What commands may take: time and room.
@Suite("Limits of commands")
struct CommandLimitTests {
    private let topic = "fleet/van-7/cmd"

    /// Carries out nothing before it is released.
    private struct SlowHandler: MQTTCommandHandler {
        let begun = WakeSignal()
        let released: AsyncStream<Never>

        func perform(_ request: RemoteRequest, through sink: SinkID) async throws -> [UInt8] {
            begun.raise()
            for await _ in released {}
            try Task.checkCancellation()
            return Array("true".utf8)
        }
    }

    /// A sink that obeys a slow handler, and somebody who gives it commands.
    private func withSink(
        clock: any Clock<Duration> = ContinuousClock(),
        _ body: (MQTTSink, SlowHandler, AsyncStream<Never>.Continuation, Speaker, SubscriberProcess) async throws ->
            Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let subscriber = try await SubscriberProcess(of: broker, log: directory + "/log", filter: topic + "/reply")
            let sink = try Samples.sink(port: broker.port, clock: clock) {
                $0.commands = .init(topic: topic, allowed: [.status])
            }
            let (released, release) = AsyncStream<Never>.makeStream()
            let handler = SlowHandler(released: released)
            sink.handleCommands(with: handler)
            let upkeep = Task { try await sink.run() }
            // Acknowledged after the subscription, which the client asks for first.
            try await sink.deliverAll([SampleRecords.record(1)])
            let person = try Samples.speaker(port: broker.port)
            try await body(sink, handler, release, person, subscriber)
            release.finish()
            upkeep.cancel()
            await person.close()
            await sink.close()
        }
    }

    @Test
    func `A command that does not end is given up and answered with an error, and the next one is carried out`()
        async throws
    {
        let clock = ManualClock()
        try await withSink(clock: clock) { sink, handler, release, person, subscriber in
            try await person.say(MQTTMessage(topic: topic, payload: Array("status".utf8)))
            await handler.begun.wait(for: nil, on: ContinuousClock())
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .milliseconds(29_900))
            #expect(sink.status.commandsRejected == 0)
            clock.advance(by: .milliseconds(100))
            try await eventually("the error") { try subscriber.messages().count == 1 }
            #expect(
                try subscriber.messages().map(\.payload) == [#"{"error":"status did not end within 30 s"}"#])
            #expect(sink.status.commandsRejected == 1)
            release.finish()
            try await person.say(MQTTMessage(topic: topic, payload: Array("status".utf8)))
            try await eventually("the result") { try subscriber.messages().count == 2 }
            #expect(try subscriber.messages().last?.payload == #"{"command":"status","result":true}"#)
            #expect(sink.status.commandsDone == 1)
        }
    }

    @Test
    func `Of commands that come faster than they are carried out few wait; the others are counted as rejected`()
        async throws
    {
        let (flood, room) = (300, 64)
        try await withSink { sink, handler, release, person, _ in
            for _ in 0..<flood { try await person.say(MQTTMessage(topic: topic, payload: Array("status".utf8))) }
            // One lot of them is being carried out, one by one, and another one waits.
            await eventually("the rest is rejected") { sink.status.commandsRejected >= flood - 2 * room }
            release.finish()
            await eventually("all are counted") { sink.status.commandsDone + sink.status.commandsRejected == flood }
            #expect(sink.status.commandsDone <= 2 * room)
            #expect(sink.status.commandsDone > room)
        }
    }
}
