import NIOCore
import NIOPosix
import Synchronization
import TrackEngine
import TrackEngineHTTP

extension FuzzTarget {
    /// A reply as the bytes of a connection, the whole way: socket, AsyncHTTPClient, our sink and its verdict.
    static let httpExchange = FuzzTarget(name: "http-exchange") { bytes in
        let result = await ReplyingPeer.shared.deliver(replying: bytes)
        if case .failure(let error) = result {
            precondition(error.description.utf8.count < 4096, "a reason without a bound")
        }
    }
}

/// A receiver on the loopback interface that answers each request with given bytes and ends the connection, and a sink
/// that delivers to it. One delivery at a time.
private final class ReplyingPeer: Sendable {
    /// Lives as long as the process: a fuzzer makes many thousand deliveries.
    static let shared = ReplyingPeer()

    private let reply = Mutex<[UInt8]>([])
    private let sink = Mutex<OverlandSink?>(nil)

    func deliver(replying bytes: [UInt8]) async -> Result<Receipt, DeliveryError> {
        reply.withLock { $0 = bytes }
        let fix = Fix(
            time: Timestamp(secondsSince1970: 1_772_359_201), coordinate: Coordinate(latitude: 1, longitude: 2))
        let draft = RecordDraft(id: RecordID(rawValue: 7), fix: fix, isMoving: true, cause: .distance, source: "gps")
        let record = TrackRecord(sequence: RecordSequence(rawValue: 1), draft: draft)
        do throws(DeliveryError) {
            return .success(try await connected().deliver(RecordBatch(records: [record])))
        } catch {
            return .failure(error)
        }
    }

    private func connected() -> OverlandSink {
        sink.withLock { sink in
            if let sink { return sink }
            do {
                var configuration = OverlandSink.Configuration(
                    url: "http://127.0.0.1:\(try listen())/input", deviceID: "van-7")
                configuration.httpTimeout = .seconds(4)
                let made = try OverlandSink(id: "home", configuration: configuration)
                sink = made
                return made
            } catch {
                preconditionFailure("no receiver on 127.0.0.1: \(error)")
            }
        }
    }

    /// The port on which requests are answered from now on.
    private func listen() throws -> Int {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup(numberOfThreads: 1))
            .serverChannelOption(.backlog, value: 16)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Replier { self.reply.withLock { $0 } })
                }
            }
        return try bootstrap.bind(host: "127.0.0.1", port: 0).wait().localAddress?.port ?? 0
    }
}

/// Answers the end of a request and closes the connection.
private final class Replier: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let reply: () -> [UInt8]
    private var request: [UInt8] = []

    init(reply: @escaping () -> [UInt8]) { self.reply = reply }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        request += unwrapInboundIn(data).readableBytesView
        guard request.ends(with: "]}") else { return }
        context.channel.writeAndFlush(ByteBuffer(bytes: reply()), promise: nil)
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)  // the client has gone away first
    }
}

extension [UInt8] {
    fileprivate func ends(with text: StaticString) -> Bool {
        text.withUTF8Buffer { suffix(from: Swift.max(0, count - $0.count)).elementsEqual($0) }
    }
}
