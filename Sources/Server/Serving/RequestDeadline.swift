package import NIOCore
package import NIOHTTPTypes

/// Closes connections that hold a place and do nothing with it: a request that trickles in for longer than a minute, and a peer
/// that takes nothing of a reply for half a minute.
///
/// The idle timeout does not see them: each byte of a request begins it anew, and while a reply is under way it waits.
package final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    /// How long a request may take to arrive.
    private let arrivalTime: TimeAmount
    /// How long a part of a reply may wait for the peer.
    private let patience: TimeAmount
    private var arrival: Scheduled<Void>?
    private var stall: Scheduled<Void>?
    private var waitingWrites = 0

    /// A handler for one connection.
    package init(arrivalTime: TimeAmount = .seconds(70), patience: TimeAmount = .seconds(30)) {
        self.arrivalTime = arrivalTime
        self.patience = patience
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: arrival = schedule(in: arrivalTime, context)
        case .body: break
        case .end:
            arrival?.cancel()
            arrival = nil
        }
        context.fireChannelRead(data)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let written = promise ?? context.eventLoop.makePromise()
        waitingWrites += 1
        if stall == nil { stall = schedule(in: patience, context) }
        written.futureResult.assumeIsolated().whenComplete { [self] _ in
            waitingWrites -= 1
            stall?.cancel()
            stall = waitingWrites > 0 ? schedule(in: patience, context) : nil
        }
        context.write(data, promise: written)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        cancel()
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) { cancel() }

    private func cancel() {
        arrival?.cancel()
        stall?.cancel()
        (arrival, stall) = (nil, nil)
    }

    private func schedule(in time: TimeAmount, _ context: ChannelHandlerContext) -> Scheduled<Void> {
        context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
    }
}
