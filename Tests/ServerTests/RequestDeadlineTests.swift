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

    @Test func `a connection without a whole request is cut off after its time, and also behind a reply`() throws {
        let silent = try DeadlineBench()
        silent.pass(.seconds(70))
        #expect(!silent.channel.isActive)
        let bench = try DeadlineBench()
        try bench.request()
        bench.pass(.minutes(10))
        #expect(bench.channel.isActive)
        bench.channel.write(HTTPResponsePart.end(nil), promise: nil)
        bench.peer.takeOne()
        bench.pass(.seconds(69))
        #expect(bench.channel.isActive)
        bench.pass(.seconds(1))
        #expect(!bench.channel.isActive)
    }

    @Test func `who sends many requests and takes no reply is cut off`() throws {
        let bench = try DeadlineBench()
        for _ in 0..<RequestDeadline.mostPipelined { try bench.request() }
        #expect(bench.channel.isActive)
        try bench.request()
        #expect(!bench.channel.isActive)
        var heads = 0
        while let part = try bench.channel.readInbound(as: HTTPRequestPart.self) { if case .head = part { heads += 1 } }
        #expect(heads == RequestDeadline.mostPipelined)
    }

    @Test(arguments: [(HTTPRequest.Method.get, false, false), (.get, true, true), (.post, false, true)])
    func `whose side has ended is a reader that has gone, unless something is written`(
        _ method: HTTPRequest.Method, _ isWritten: Bool, _ isOpen: Bool
    ) throws {
        let bench = try DeadlineBench()
        try bench.request(method)
        bench.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        bench.pass(.seconds(4))
        #expect(bench.channel.isActive)
        if isWritten {
            bench.write(parts: 1)
            bench.peer.takeOne()
        }
        bench.pass(.seconds(1))
        #expect(bench.channel.isActive == isOpen)
    }

    @Test func `an address has a share, of which the connection gives way that waits longest`() throws {
        let shares = AddressLimiter(limit: 4)
        let first = try DeadlineBench(shares)
        let second = try DeadlineBench(shares)
        try first.request()
        let third = try DeadlineBench(shares)
        first.pass(.zero)
        second.pass(.zero)
        #expect(first.channel.isActive && !second.channel.isActive && third.channel.isActive)
        try third.request()
        let fourth = try DeadlineBench(shares)
        #expect(!fourth.channel.isActive)
        #expect(try DeadlineBench(shares, address: "10.0.0.2").channel.isActive)
        first.channel.close(promise: nil)
        #expect(try DeadlineBench(shares).channel.isActive)
    }

    @Test func `a household with IPv6 has one share, and a proxy as many as there are`() throws {
        let shares = AddressLimiter(limit: 2)
        let one = try DeadlineBench(shares, address: "2001:db8::1")
        try one.request()
        #expect(!(try DeadlineBench(shares, address: "2001:db8::2").channel.isActive))
        #expect(try DeadlineBench(shares, address: "2001:db8:0:1::1").channel.isActive)
        let all = AddressLimiter(limit: 4, exempt: [try #require(NetworkRange("10.0.0.0/8"))])
        let behind = try (0..<3).map { _ in try DeadlineBench(all, address: "10.1.2.3") }
        #expect(behind.allSatisfy { $0.channel.isActive })
    }

    @Test func `two addresses with half a request on each connection leave room for others`() throws {
        let shares = AddressLimiter(limit: 1_256)
        let held = try ["10.0.0.2", "10.0.0.3"].flatMap { address in
            try (0..<660).map { _ in try DeadlineBench(shares, address: address) }
        }
        #expect(held.count { $0.isOpen } == 2 * 157)
        #expect(try DeadlineBench(shares).isOpen)
    }

    @Test func `when there is no place, the oldest connection without a request gives way, where there are most`()
        throws
    {
        let shares = AddressLimiter(limit: 33)
        let few = try (0..<15).map { _ in try DeadlineBench(shares, address: "10.0.0.2") }
        let many = try (0..<16).map { _ in try DeadlineBench(shares, address: "10.0.0.3") }
        let clients = try (4..<6).map { try DeadlineBench(shares, address: "10.0.0.\($0)") }
        let next = try DeadlineBench(shares, address: "10.0.0.6")
        #expect(next.isOpen && !many[0].isOpen)
        #expect((few + many.dropFirst() + clients).allSatisfy { $0.isOpen })
        for _ in 0..<40 { #expect(try DeadlineBench(shares, address: "10.0.0.3").isOpen) }
        #expect((clients + [next]).allSatisfy { $0.isOpen }, "they are younger, or have fewer beside them")
    }

    @Test func `a reply to an earlier request does not keep the place of an incomplete one`() throws {
        let shares = AddressLimiter(limit: 33)
        let held = try (0..<33).map { number in
            let client = try DeadlineBench(shares, address: "10.0.2.\(number)")
            try client.request()
            try client.channel.writeInbound(HTTPRequestPart.head(DeadlineBench.request))
            client.channel.write(HTTPResponsePart.end(nil), promise: nil)
            client.peer.takeOne()
            return client
        }
        #expect(try DeadlineBench(shares, address: "10.0.3.1").isOpen)
        #expect(held.count { !$0.isOpen } == 1)
    }

    @Test func `a connection is busy from a complete request to its reply, also when the reply comes first`() throws {
        let shares = AddressLimiter(limit: 8)
        let early = try DeadlineBench(shares, address: "10.0.0.2")
        try early.channel.writeInbound(HTTPRequestPart.head(DeadlineBench.request))
        early.channel.write(HTTPResponsePart.end(nil), promise: nil)
        early.peer.takeOne()
        try early.channel.writeInbound(HTTPRequestPart.end(nil))
        let busy = try (3..<10).map { try DeadlineBench(shares, address: "10.0.0.\($0)") }
        for one in busy { try one.request() }
        #expect(try DeadlineBench(shares).isOpen)
        #expect(!early.isOpen && busy.allSatisfy { $0.isOpen })
    }

    @Test func `many clients behind an address keep the connections on which they have had a reply`() throws {
        let shares = AddressLimiter(limit: 50)
        let clients = try (0..<25).map { _ in
            let client = try DeadlineBench(shares)
            try client.exchange()
            return client
        }
        for address in ["10.0.0.2", "10.0.0.3"] {
            for _ in 0..<40 { #expect(try DeadlineBench(shares, address: address).isOpen) }
        }
        #expect(clients.allSatisfy { $0.isOpen })
    }

    @Test func `when all have had a reply, the one with the longest wait gives way, and no request in progress`()
        throws
    {
        let shares = AddressLimiter(limit: 8)
        let busy = try (2..<6).map { try DeadlineBench(shares, address: "10.0.1.\($0)") }
        for one in busy { try one.request() }
        let idle = try ["10.0.0.2", "10.0.0.3", "10.0.0.2", "10.0.0.2"].map { try DeadlineBench(shares, address: $0) }
        for one in idle { try one.exchange() }
        #expect(try DeadlineBench(shares).isOpen)
        #expect(idle.map(\.isOpen) == [false, true, true, true])
        #expect(busy.allSatisfy { $0.isOpen })
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
        try bench.request()
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

    init(_ shares: AddressLimiter? = nil, address: String = "127.0.0.1") throws {
        try channel.pipeline.syncOperations.addHandlers([peer, RequestDeadline(shares: shares)])
        channel.connect(to: try SocketAddress(ipAddress: address, port: 1), promise: nil)
    }

    /// A whole request, after which the peer waits for its reply.
    func request(_ method: HTTPRequest.Method = .post) throws {
        var head = Self.request
        head.method = method
        try channel.writeInbound(HTTPRequestPart.head(head))
        try channel.writeInbound(HTTPRequestPart.end(nil))
    }

    /// A whole request and its reply.
    func exchange() throws {
        try request()
        channel.write(HTTPResponsePart.end(nil), promise: nil)
        peer.takeOne()
    }

    /// Whether the connection is open when its event loop has nothing left to do.
    var isOpen: Bool {
        pass(.zero)
        return channel.isActive
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
