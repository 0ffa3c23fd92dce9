import NIOCore
import TestSupport
import Testing
import TrackEngine
import TrackEngineServer
import TrackEngineTestKit

@Suite("What is handed to viewers", .timeLimit(.minutes(30)))
struct LivePublisherTests {
    private static func event(_ number: Int) -> LiveEvent { LiveEvent("point", json: Array("\(number)".utf8)) }

    private static func bytes(_ numbers: some Sequence<Int>) -> [UInt8] { numbers.flatMap { event($0).bytes } }

    @Test func `What happens alone is told at once, and a flood a few times a second with its newest`() async throws {
        let clock = ManualClock()
        let feed = LivePublisher(clock: clock)
        var events = feed.listen(bufferingNewest: 4).makeAsyncIterator()
        feed.send(Self.event(0))
        #expect(await events.next()?.bytes == Self.bytes([0]))
        for number in 1...100 { feed.send(Self.event(number)) }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: LivePublisher.pace)
        #expect(await events.next()?.bytes == Self.bytes(37...100))
        await clock.sleepers(atLeast: 1)
        clock.advance(by: LivePublisher.pace)
        await eventually("it rests") { clock.deadlines.isEmpty }
        feed.send(Self.event(101))
        #expect(await events.next()?.bytes == Self.bytes([101]))
    }

    @Test func `On the real clock all of a few events come, in their order`() async throws {
        let feed = LivePublisher()
        let events = feed.listen(bufferingNewest: 8)
        for number in 0..<5 { feed.send(Self.event(number)) }
        var bytes: [UInt8] = []
        for await event in events {
            bytes += event.bytes
            if bytes.count >= Self.bytes(0..<5).count { break }
        }
        #expect(bytes == Self.bytes(0..<5))
    }

    @Test func `What nobody watches is not kept`() async throws {
        let clock = ManualClock()
        let feed = LivePublisher(clock: clock)
        feed.send(Self.event(0))
        #expect(clock.deadlines.isEmpty)
    }
}

extension LiveEvent {
    fileprivate var bytes: [UInt8] { Array(buffer.readableBytesView) }
}
