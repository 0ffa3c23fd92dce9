import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing
import TrackEngineServer

/// Who is cut off and who is not, on the clock of an event loop that stands still.
@Suite struct RequestDeadlineTests {
    @Test func `a request that trickles in is cut off after its time, and one that is whole is not`() throws {
        for (isWhole, isOpen) in [(false, false), (true, true)] {
            let bench = try DeadlineBench()
            try bench.channel.writeInbound(HTTPRequestPart.head(DeadlineBench.request))
            for _ in 0..<6 {
                bench.pass(.seconds(10))
                try bench.channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "x")))
            }
            if isWhole { try bench.channel.writeInbound(HTTPRequestPart.end(nil)) }
            bench.pass(.seconds(9))
            #expect(bench.channel.isActive)
            bench.pass(.seconds(1))
            #expect(bench.channel.isActive == isOpen)
        }
    }

    @Test func `a peer that takes nothing of a reply for half a minute is cut off`() throws {
        let bench = try DeadlineBench()
        bench.write(parts: 3)
        bench.pass(.seconds(29))
        #expect(bench.channel.isActive)
        bench.pass(.seconds(1))
        #expect(!bench.channel.isActive)
    }

    @Test func `a slow peer that takes a part now and then has all the time it needs`() throws {
        let bench = try DeadlineBench()
        bench.write(parts: 20)
        for _ in 0..<20 {
            bench.pass(.seconds(29))
            try #require(bench.channel.isActive)
            bench.peer.takeOne()
        }
        // Nothing waits any more: a stream of which nothing happens may be silent.
        bench.pass(.hours(1))
        #expect(bench.channel.isActive)
        bench.write(parts: 1)
        bench.pass(.seconds(30))
        #expect(!bench.channel.isActive)
    }
}

/// A channel with nothing but the handler, above a peer that takes what is written when the test wants it.
private struct DeadlineBench {
    let channel = EmbeddedChannel()
    let peer = SlowPeer()

    static let request = HTTPRequest(method: .post, scheme: "http", authority: "127.0.0.1", path: "/dump")

    init() throws {
        try channel.pipeline.syncOperations.addHandlers([peer, RequestDeadline()])
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
    }

    func pass(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

    func write(parts count: Int) {
        for _ in 0..<count { channel.write(HTTPResponsePart.body(ByteBuffer(string: "x")), promise: nil) }
        channel.flush()
    }
}

/// Keeps what is written until it is taken.
private final class SlowPeer: ChannelOutboundHandler {
    typealias OutboundIn = HTTPResponsePart

    private var waiting: [EventLoopPromise<Void>?] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        waiting.append(promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        for promise in waiting { promise?.fail(ChannelError.ioOnClosedChannel) }
        waiting.removeAll()
        context.close(mode: mode, promise: promise)
    }

    func takeOne() { waiting.removeFirst()?.succeed() }
}
